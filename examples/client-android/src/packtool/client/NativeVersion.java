package packtool.client;

/** The version of the app: 1 to 4 numbers of at most 9 digits, joined by dots. */
final class NativeVersion {
    final String text;
    private final int[] numbers;

    private NativeVersion(String text, int[] numbers) {
        this.text = text;
        this.numbers = numbers;
    }

    /** The version of a text; {@code null} if it has another form. */
    static NativeVersion parse(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length > 4) {
            return null;
        }
        int[] numbers = new int[parts.length];
        for (int index = 0; index < parts.length; index++) {
            String part = parts[index];
            if (part.isEmpty() || part.length() > 9) {
                return null;
            }
            for (int at = 0; at < part.length(); at++) {
                if (part.charAt(at) < '0' || part.charAt(at) > '9') {
                    return null;
                }
            }
            numbers[index] = Integer.parseInt(part);
        }
        return new NativeVersion(text, numbers);
    }

    private int number(int index) {
        return index < numbers.length ? numbers[index] : 0;
    }

    /** Whether this version is below another one; missing numbers are 0. */
    boolean isBelow(NativeVersion other) {
        for (int index = 0; index < 4; index++) {
            if (number(index) != other.number(index)) {
                return number(index) < other.number(index);
            }
        }
        return false;
    }

    /** Whether this version is above a maximum, which covers everything that starts with it. */
    boolean isAbove(NativeVersion most) {
        for (int index = 0; index < most.numbers.length; index++) {
            if (number(index) != most.number(index)) {
                return number(index) > most.number(index);
            }
        }
        return false;
    }

    /**
     * Whether an app can run a release for a range of versions.
     *
     * @param version the app's version; {@code null} if it is unknown
     */
    static boolean fits(NativeVersion version, NativeVersion least, NativeVersion most) {
        if (least == null && most == null) {
            return true;
        }
        return version != null && (least == null || !version.isBelow(least))
            && (most == null || !version.isAbove(most));
    }
}
