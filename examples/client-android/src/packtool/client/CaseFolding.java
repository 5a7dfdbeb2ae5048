package packtool.client;

import java.text.Normalizer;
import java.util.Locale;

/** Full case folding of Unicode, without the Turkish mappings. */
final class CaseFolding {
    private CaseFolding() {}

    /** Two names collide on some disk if their folded texts are equal. */
    static String folded(String text) {
        boolean isPlain = true;
        for (int index = 0; index < text.length() && isPlain; index++) {
            isPlain = text.charAt(index) < 0x80;
        }
        if (isPlain) {
            return text.toLowerCase(Locale.ROOT);
        }
        StringBuilder folded = new StringBuilder(text.length());
        for (int index = 0; index < text.length();) {
            int point = text.codePointAt(index);
            index += Character.charCount(point);
            folded.append(folded(point));
        }
        return Normalizer.normalize(folded, Normalizer.Form.NFC);
    }

    /**
     * One code point, folded.
     *
     * <p>Java has no full case folding. It is the lower case of the upper case, except for the
     * dotless i, which has no case without the Turkish mappings, the capital sharp s, and
     * Cherokee, whose small letters fold to the capital ones. A test compares all letters with
     * Python's; letters newer than the Unicode version of the device are not folded.
     */
    private static String folded(int point) {
        String text = new String(Character.toChars(point));
        if (point == 0x131) {
            return text;
        }
        if (point == 0x1E9E) {
            return "ss";
        }
        String upper = text.toUpperCase(Locale.ROOT);
        if (isCherokee(upper.codePointAt(0))) {
            return upper;
        }
        StringBuilder lower = new StringBuilder();
        for (int index = 0; index < upper.length();) {
            int one = upper.codePointAt(index);
            index += Character.charCount(one);
            // One at a time: the lower case of a sigma depends on its neighbours.
            lower.append(new String(Character.toChars(one)).toLowerCase(Locale.ROOT));
        }
        return lower.toString();
    }

    private static boolean isCherokee(int point) {
        return point >= 0x13A0 && point <= 0x13F5;
    }
}
