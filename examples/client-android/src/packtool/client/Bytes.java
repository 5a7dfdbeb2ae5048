package packtool.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Comparator;

/** Hashes, hexadecimal digits, base64, and text as UTF-8 bytes. */
final class Bytes {
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    /** The order of paths: that of their UTF-8 bytes, which is not that of {@code String}. */
    static final Comparator<String> ORDER = Bytes::compare;

    private Bytes() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every Java runtime has SHA-256", error);
        }
    }

    static String sha256(byte[] data) {
        return hex(sha256().digest(data));
    }

    static String hex(byte[] data) {
        char[] text = new char[data.length * 2];
        for (int index = 0; index < data.length; index++) {
            text[2 * index] = DIGITS[data[index] >> 4 & 15];
            text[2 * index + 1] = DIGITS[data[index] & 15];
        }
        return new String(text);
    }

    /** Whether a text is this many lower-case hexadecimal digits. */
    static boolean isHex(String text, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int index = 0; index < length; index++) {
            char one = text.charAt(index);
            if (!(one >= '0' && one <= '9' || one >= 'a' && one <= 'f')) {
                return false;
            }
        }
        return true;
    }

    static boolean isVersion(String text) {
        return isHex(text, 20);
    }

    static boolean isDigest(String text) {
        return isHex(text, 64);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The text of UTF-8 bytes; {@code null} if they are not valid. */
    static String text(byte[] data) {
        try {
            return StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(data))
                .toString();
        } catch (CharacterCodingException error) {
            return null;
        }
    }

    /** The bytes of canonical base64 with padding; {@code null} for any other text. */
    static byte[] base64(String text) {
        try {
            byte[] data = Base64.getDecoder().decode(text);
            return Base64.getEncoder().encodeToString(data).equals(text) ? data : null;
        } catch (IllegalArgumentException error) {
            return null;
        }
    }

    static String base64(byte[] data) {
        return Base64.getEncoder().encodeToString(data);
    }

    /** Compares as UTF-8 bytes would compare: by code points. */
    private static int compare(String one, String other) {
        int end = Math.min(one.length(), other.length());
        for (int index = 0; index < end; index++) {
            char left = one.charAt(index);
            char right = other.charAt(index);
            if (left != right) {
                boolean leftPair = Character.isSurrogate(left);
                boolean rightPair = Character.isSurrogate(right);
                return leftPair == rightPair ? left - right : leftPair ? 1 : -1;
            }
        }
        return one.length() - other.length();
    }

    /** The sum of two sizes that are not negative, at most the largest number. */
    static long plus(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
