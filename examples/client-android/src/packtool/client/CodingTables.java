package packtool.client;

import java.math.BigInteger;

/** The tables of docs/formats.md, "Probabilities", and those that the aligned coder adds. */
final class CodingTables {
    /** {@code squash(x)} at x + 3072. */
    static final int[] SQUASH = new int[6144];
    /** {@code stretch(p)} at p >> 4. */
    static final short[] STRETCH = new short[4096];
    /** The same within 2,047 of zero, for the inputs of sets. */
    static final short[] INPUT = new short[4096];
    /** How far a counter moves after n bits: of 22 bits, and short ones. */
    static final int[] RATE = new int[1024];
    static final int[] SHORT_RATE = new int[16];

    static {
        BigInteger e = BigInteger.ONE.shiftLeft(62);
        BigInteger factor = BigInteger.valueOf(4_593_706_758_521_714_574L);
        for (int x = 0; x <= 3072; x++) {
            BigInteger divisor = BigInteger.ONE.shiftLeft(32).add(e.shiftRight(30));
            int value = BigInteger.ONE.shiftLeft(48).divide(divisor).intValue();
            if (x < 3072) {
                SQUASH[3072 + x] = Math.min(65_535, value);
            }
            if (x > 0) {
                SQUASH[3072 - x] = Math.max(1, 65_536 - value);
            }
            e = e.multiply(factor).shiftRight(62);
        }
        int x = -3072;
        for (int p = 0; p < 4096; p++) {
            while (x < 3071 && SQUASH[x + 1 + 3072] <= 16 * p + 8) {
                x++;
            }
            STRETCH[p] = (short) x;
            INPUT[p] = (short) Math.max(-2047, Math.min(2047, x));
        }
        for (int n = 0; n < RATE.length; n++) {
            RATE[n] = 655_360 / (10 * n + 16);
        }
        for (int n = 0; n < SHORT_RATE.length; n++) {
            SHORT_RATE[n] = 655_360 / (10 * n + 13);
        }
    }

    private CodingTables() {}

    /** A counter of 32 bits after a bit. */
    static int updated(int counter, int bit, int limit) {
        int probability = counter >>> 10;
        int n = counter & 1023;
        int distance = ((bit << 22) - probability) >> 3;
        probability += (int) ((long) distance * RATE[n] >> 13);
        probability = Math.min(probability, (1 << 22) - 1);
        return probability << 10 | (n < limit ? n + 1 : n);
    }

    /** The count of a short counter after another bit, with the limits 10 and 15. */
    static final int[] COUNT_TO_10 = counts(10);
    static final int[] COUNT_TO_15 = counts(15);

    private static int[] counts(int limit) {
        int[] counts = new int[16];
        for (int n = 0; n < counts.length; n++) {
            counts[n] = n < limit ? n + 1 : n;
        }
        return counts;
    }

    // The next five methods have at most 35 bytes of code: then also the simple compilers of Java
    // runtimes inline them.

    /**
     * A short counter after a bit.
     *
     * @param distance the counter, then its distance from the end
     * @param end 0xFFF0 for a 1, 0 for a 0
     * @param counts the next count for each
     */
    static int shortUpdated(int distance, int end, int[] counts) {
        int n = distance & 15;
        distance = (distance ^ end) - n;
        return (distance - (distance * SHORT_RATE[n] >>> 16) & 0xFFF0 ^ end) | counts[n];
    }

    /** The end towards which a bit moves a short counter. */
    static int end(int bit) {
        return -bit & 0xFFF0;
    }

    /** A sum within the range of {@code squash}. */
    static int clamped(int value) {
        return Math.max(Math.min(value, 3071), -3071);
    }

    /** The step of the weights after a bit that was predicted as {@code mixed}. */
    static int step(int bit, int mixed, int rate) {
        int step = ((bit << 16) - SQUASH[mixed + 3072]) * rate >> 4;
        return Math.max(Math.min(step, 32_767), -32_767);
    }

    /** A weight after a step. */
    static int weight(int weight, int input, int step) {
        return Math.max(Math.min(weight + (input * step + 0x8000 >> 16), 31_743), -31_743);
    }
}
