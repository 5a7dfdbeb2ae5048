package packtool.client;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The text of a stream, and the shared definitions of docs/formats.md, "The aligned coder". */
final class TextTables {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final long FOLD = 0xD6E8_FEB8_6659_FD93L;
    /** Whether a byte is a token byte, or a separator, and its kind. */
    static final boolean[] TOKEN = new boolean[256];
    static final boolean[] SEPARATOR = new boolean[256];
    static final int[] KIND = new int[256];
    /** Whether a token or a piece of a name can begin behind a byte. */
    static final boolean[] CAN_BEGIN = new boolean[256];

    static {
        for (int one = 0; one < 256; one++) {
            boolean isLower = one >= 'a' && one <= 'z';
            boolean isUpper = one >= 'A' && one <= 'Z';
            boolean isDigit = one >= '0' && one <= '9';
            TOKEN[one] =
                isLower || isUpper || isDigit || one == '_' || one == '$' || one >= 0x80;
            SEPARATOR[one] = one == '-' || one == '.' || one == '_' || one == '/';
            CAN_BEGIN[one] = SEPARATOR[one] || !TOKEN[one];
            KIND[one] = isLower ? 0 : isUpper ? 1 : isDigit ? 2 : kind(one);
        }
    }

    private static int kind(int one) {
        if (one == '_' || one == '$') {
            return 3;
        }
        if (one < 0x20 || one >= 0x80) {
            return one < 0x20 ? 4 : 5;
        }
        switch (one) {
            case '"':
            case '\'':
            case '`':
                return 6;
            case '.':
                return 7;
            case ',':
                return 8;
            case '(':
            case ')':
                return 9;
            case '{':
            case '}':
                return 10;
            case ' ':
                return 11;
            case '=':
            case ':':
                return 12;
            case '-':
            case '/':
                return 13;
            default:
                return 14;
        }
    }

    final byte[] text;
    final int out;
    /** Where predicted names and numbers are written. */
    final int scratch;
    private final ByteBuffer words;

    TextTables(byte[] text, int out, int outEnd) {
        this.text = text;
        this.out = out;
        scratch = outEnd + 128;
        words = ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN);
    }

    static int hash(int a, int b, int c) {
        return a * 0x2F0B_4A27 + b * 0x9E37_79B1 + c * 0x85EB_CA6B;
    }

    int at(int position) {
        return text[position] & 0xFF;
    }

    boolean isToken(int position) {
        return TOKEN[text[position] & 0xFF];
    }

    boolean isTokenStart(int position) {
        return TOKEN[text[position] & 0xFF] && !TOKEN[text[position - 1] & 0xFF];
    }

    long eight(int position) {
        return words.getLong(position);
    }

    int four(int position) {
        return words.getInt(position);
    }

    /** The last bytes before a position as a number, at most 8. */
    private long numberBefore(int position, int count) {
        return count == 0 ? 0 : words.getLong(position - 8) >>> 64 - 8 * count;
    }

    private static int fold(long value) {
        return (int) (value * MIX >>> 32);
    }

    int tokenHash(int start, int length) {
        long value;
        if (length >= 8) {
            value = words.getLong(start);
            if (length > 8) {
                value ^= (words.getLong(start + length - 8) + length) * FOLD;
            }
        } else {
            value = length == 0 ? 0 : words.getLong(start) << 64 - 8 * length >>> 64 - 8 * length;
        }
        int hash = fold(value);
        return hash == 0 ? 1 : hash;
    }

    /** The hash of the word before a position in the upper half, the byte before it in the lower. */
    long wordBefore(int position) {
        int start = position;
        int least = position - 16;
        while (start > least && TOKEN[text[start - 1] & 0xFF]) {
            start--;
        }
        int middle = Math.max(start, position - 8);
        long value = numberBefore(position, position - middle)
            ^ numberBefore(middle, middle - start) * FOLD;
        return (long) fold(value) << 32 | text[start - 1] & 0xFF;
    }

    /** The last four bytes, the last one lowest. */
    int history(int position) {
        return Integer.reverseBytes(words.getInt(position - 4));
    }

    /** How many bytes before two positions are equal, at most a limit. */
    int agreement(int a, int b, int limit) {
        int most = Math.min(limit, Math.min(a, b));
        int count = 0;
        while (count < most && text[a - 1 - count] == text[b - 1 - count]) {
            count++;
        }
        return count;
    }

    boolean isSame(int a, int b, int length) {
        for (int index = 0; index < length; index++) {
            if (text[a + index] != text[b + index]) {
                return false;
            }
        }
        return true;
    }
}
