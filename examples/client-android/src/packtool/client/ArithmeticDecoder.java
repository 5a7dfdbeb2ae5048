package packtool.client;

/** The arithmetic decoder of docs/formats.md, "Arithmetic coder", and the numbers of a listing. */
final class ArithmeticDecoder {
    private static final int HALF = 32_768;
    /** The limit of the counters of numbers. */
    static final int LIMIT = 60;

    private final byte[] data;
    private final int start;
    private final int end;
    private int at;
    private int low;
    private int high = -1;
    private int value;
    /** The bytes taken, also those beyond the end. */
    private long taken = 4;

    ArithmeticDecoder(byte[] data, int start, int end) {
        this.data = data;
        this.start = start;
        this.end = end;
        at = start;
        for (int index = 0; index < 4; index++) {
            value = value << 8 | next();
        }
    }

    private int next() {
        return at < end ? data[at++] & 0xFF : 0;
    }

    /** A bit whose probability of a 1 is {@code p} of 65,536. */
    int bit(int p) {
        int range = high - low;
        int middle = low + (int) ((range & 0xFFFF_FFFFL) * p >>> 16);
        int bit;
        if (value + Integer.MIN_VALUE <= middle + Integer.MIN_VALUE) {
            high = middle;
            bit = 1;
        } else {
            low = middle + 1;
            bit = 0;
        }
        while ((low ^ high) >>> 24 == 0) {
            low <<= 8;
            high = high << 8 | 255;
            value = value << 8 | next();
            taken++;
        }
        return bit;
    }

    /** A bit by a counter, which is updated. */
    int code(int[] counters, int index, int limit) {
        int counter = counters[index];
        int bit = bit(Math.max(1, counter >>> 16));
        counters[index] = CodingTables.updated(counter, bit, limit);
        return bit;
    }

    /** Checks that the code ends here, with all its bytes used. */
    void finish() throws PackError {
        int wanted = low == 0 ? 0 : (low >>> 24) + 1 << 24;
        if (value != wanted || taken < end - start || end > start && data[end - 1] == 0) {
            throw DeltaFile.invalid("the code of a stream does not end where it must");
        }
    }

    /** New counters at one half. */
    static int[] counters(int count) {
        int[] counters = new int[count];
        java.util.Arrays.fill(counters, 0x8000_0000);
        return counters;
    }

    /** The counters of one kind of number. */
    static final class Kind {
        private final int[] lengths = counters(64);
        private final int[] bits = counters(64 * 8);
    }

    long number(Kind kind) {
        int count = 1;
        while (count <= 56 && code(kind.lengths, count - 1, LIMIT) == 1) {
            count++;
        }
        long value = 1;
        for (int index = 0; index < count - 1; index++) {
            int bit = index < 3 ? code(kind.bits, count * 8 + (int) value, LIMIT) : bit(HALF);
            value = value << 1 | bit;
        }
        return value - 1;
    }

    long signed(Kind kind) {
        return signed(number(kind));
    }

    static long signed(long value) {
        return (value & 1) == 0 ? value >> 1 : -(value + 1 >> 1);
    }

    /** A bit at one half. */
    int plainBit() {
        return bit(HALF);
    }
}
