package packtool.client;

import java.util.Arrays;

/** Decodes a raw LZMA stream with end marker; what is before it in the text is its dictionary. */
final class LzmaDecoder {
    /** The position of the first byte of the dictionary. */
    private static final int START = DeltaText.PADDING;
    private static final int END_MARKER = -1;

    private final byte[] text;
    private final byte[] data;
    private final int end;
    private int at;
    private int range = -1;
    private int code;

    private LzmaDecoder(byte[] text, byte[] data, int at, int end) {
        this.text = text;
        this.data = data;
        this.at = at;
        this.end = end;
    }

    /** Makes {@code text[out ..< outEnd]} from {@code data[start ..< end]}. */
    static void decode(byte[] text, int out, int outEnd, byte[] data, int start, int end,
        int properties) throws PackError {
        new LzmaDecoder(text, data, start, end).decode(out, outEnd, properties);
    }

    private static PackError invalid() {
        return DeltaFile.invalid("an LZMA stream is not valid");
    }

    private int next() throws PackError {
        if (at >= end) {
            throw invalid();
        }
        return data[at++] & 0xFF;
    }

    private void normalize() throws PackError {
        if ((range & 0xFF00_0000) == 0) {
            range <<= 8;
            code = code << 8 | next();
        }
    }

    private int bit(short[] counters, int index) throws PackError {
        normalize();
        int counter = counters[index];
        int bound = (range >>> 11) * counter;
        if (code + Integer.MIN_VALUE < bound + Integer.MIN_VALUE) {
            range = bound;
            counters[index] = (short) (counter + (2048 - counter >> 5));
            return 0;
        }
        range -= bound;
        code -= bound;
        counters[index] = (short) (counter - (counter >> 5));
        return 1;
    }

    private int tree(short[] counters, int base, int bits) throws PackError {
        int node = 1;
        for (int index = 0; index < bits; index++) {
            node = node << 1 | bit(counters, base + node);
        }
        return node - (1 << bits);
    }

    private int reverseTree(short[] counters, int base, int bits) throws PackError {
        int node = 1;
        int value = 0;
        for (int index = 0; index < bits; index++) {
            int bit = bit(counters, base + node);
            node = node << 1 | bit;
            value |= bit << index;
        }
        return value;
    }

    private int plainBits(int count) throws PackError {
        int value = 0;
        for (int index = 0; index < count; index++) {
            normalize();
            range >>>= 1;
            code -= range;
            int mask = code >> 31;
            code += range & mask;
            value = (value << 1) + mask + 1;
        }
        return value;
    }

    private static short[] counters(int count) {
        short[] counters = new short[count];
        Arrays.fill(counters, (short) 1024);
        return counters;
    }

    /** The counters of match lengths. */
    private final class Lengths {
        private final short[] choice = counters(2);
        private final short[] low = counters(16 * 8);
        private final short[] middle = counters(16 * 8);
        private final short[] high = counters(256);

        int read(int position) throws PackError {
            if (bit(choice, 0) == 0) {
                return tree(low, position * 8, 3);
            }
            if (bit(choice, 1) == 0) {
                return 8 + tree(middle, position * 8, 3);
            }
            return 16 + tree(high, 0, 8);
        }
    }

    private final short[] isMatch = counters(12 * 16);
    private final short[] isRepeated = counters(12);
    private final short[] isSecond = counters(12);
    private final short[] isThird = counters(12);
    private final short[] isFourth = counters(12);
    private final short[] isLong = counters(12 * 16);
    private final short[] slots = counters(4 * 64);
    private final short[] special = counters(128);
    private final short[] alignment = counters(16);
    private final Lengths lengths = new Lengths();
    private final Lengths repeatedLengths = new Lengths();
    private short[] literals;
    private int contextBits;
    private int positionBits;
    private int state;
    private int first;
    private int second;
    private int third;
    private int fourth;

    private void decode(int out, int outEnd, int properties) throws PackError {
        contextBits = properties % 9;
        positionBits = properties / 9 % 5;
        int pb = properties / 45;
        if (pb > 4 || contextBits + positionBits > 4) {
            throw invalid();
        }
        literals = counters(0x300 << contextBits + positionBits);
        if (next() != 0) {
            throw invalid();
        }
        for (int index = 0; index < 4; index++) {
            code = code << 8 | next();
        }
        int i = out;
        while (true) {
            int position = i - START & (1 << pb) - 1;
            if (bit(isMatch, state * 16 + position) == 0) {
                if (i >= outEnd) {
                    throw invalid();
                }
                text[i] = (byte) literal(i);
                i++;
                state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
                continue;
            }
            int length;
            if (bit(isRepeated, state) == 0) {
                length = 2 + newMatch(position);
                if (first == END_MARKER) {
                    normalize();
                    if (i != outEnd || code != 0 || at != end) {
                        throw invalid();
                    }
                    return;
                }
            } else {
                length = repeatedMatch(position);
            }
            if (first < 0 || first >= i - START || length > outEnd - i) {
                throw invalid();
            }
            for (int last = i + length; i < last; i++) {
                text[i] = text[i - first - 1];
            }
        }
    }

    private int literal(int i) throws PackError {
        int before = i > START ? text[i - 1] & 0xFF : 0;
        int position = i - START & (1 << positionBits) - 1;
        int base = 0x300 * ((position << contextBits) + (before >> 8 - contextBits));
        int symbol = 1;
        if (state >= 7) {
            if (first < 0 || first >= i - START) {
                throw invalid();
            }
            int matched = text[i - first - 1] & 0xFF;
            while (symbol < 256) {
                int expected = matched >> 7 & 1;
                matched <<= 1;
                int bit = bit(literals, base + (1 + expected << 8) + symbol);
                symbol = symbol << 1 | bit;
                if (expected != bit) {
                    break;
                }
            }
        }
        while (symbol < 256) {
            symbol = symbol << 1 | bit(literals, base + symbol);
        }
        return symbol;
    }

    /** Reads a distance, and gives the length less 2. */
    private int newMatch(int position) throws PackError {
        fourth = third;
        third = second;
        second = first;
        int length = lengths.read(position);
        state = state < 7 ? 7 : 10;
        int slot = tree(slots, Math.min(length, 3) * 64, 6);
        if (slot < 4) {
            first = slot;
            return length;
        }
        int bits = (slot >> 1) - 1;
        int distance = (2 | slot & 1) << bits;
        if (slot < 14) {
            distance += reverseTree(special, distance - slot, bits);
        } else {
            distance += plainBits(bits - 4) << 4;
            distance += reverseTree(alignment, 0, 4);
        }
        first = distance;
        return length;
    }

    private int repeatedMatch(int position) throws PackError {
        if (bit(isSecond, state) == 0) {
            if (bit(isLong, state * 16 + position) == 0) {
                state = state < 7 ? 9 : 11;
                return 1;
            }
        } else {
            int distance;
            if (bit(isThird, state) == 0) {
                distance = second;
            } else {
                if (bit(isFourth, state) == 0) {
                    distance = third;
                } else {
                    distance = fourth;
                    fourth = third;
                }
                third = second;
            }
            second = first;
            first = distance;
        }
        int length = 2 + repeatedLengths.read(position);
        state = state < 7 ? 8 : 11;
        return length;
    }
}
