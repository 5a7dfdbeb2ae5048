package packtool.client;

import java.util.Arrays;

/** "Flags" of docs/formats.md: six contexts, shared by all kinds of flags. */
final class FlagModel {
    private static final int RATE = 5;
    private static final int SET = 8;

    private final ArithmeticDecoder coder;
    private final char[] counters = new char[6 << 16];
    private final int[] weights = new int[64 * SET];

    FlagModel(ArithmeticDecoder coder) {
        this.coder = coder;
        Arrays.fill(counters, (char) 0x8000);
        Arrays.fill(weights, 1700);
    }

    /** Decodes a flag whose contexts have these hashes, with a set of weights. */
    boolean code(int h0, int h1, int h2, int h3, int h4, int h5, int set) {
        short[] input = CodingTables.INPUT;
        int[] w = weights;
        int v = set * SET;
        int a0 = h0 >>> 16;
        int a1 = 1 << 16 | h1 >>> 16;
        int a2 = 2 << 16 | h2 >>> 16;
        int a3 = 3 << 16 | h3 >>> 16;
        int a4 = 4 << 16 | h4 >>> 16;
        int a5 = 5 << 16 | h5 >>> 16;
        int c0 = counters[a0];
        int c1 = counters[a1];
        int c2 = counters[a2];
        int c3 = counters[a3];
        int c4 = counters[a4];
        int c5 = counters[a5];
        int i0 = input[c0 >>> 4];
        int i1 = input[c1 >>> 4];
        int i2 = input[c2 >>> 4];
        int i3 = input[c3 >>> 4];
        int i4 = input[c4 >>> 4];
        int i5 = input[c5 >>> 4];
        int sum = w[v] * i0 + w[v + 1] * i1 + w[v + 2] * i2 + w[v + 3] * i3 + w[v + 4] * i4
            + w[v + 5] * i5;
        int mixed = CodingTables.clamped(sum >> 13);
        int bit = coder.bit(CodingTables.SQUASH[mixed + 3072]);
        int step = CodingTables.step(bit, mixed, RATE);
        int end = CodingTables.end(bit);
        int[] counts = CodingTables.COUNT_TO_15;
        w[v] = CodingTables.weight(w[v], i0, step);
        w[v + 1] = CodingTables.weight(w[v + 1], i1, step);
        w[v + 2] = CodingTables.weight(w[v + 2], i2, step);
        w[v + 3] = CodingTables.weight(w[v + 3], i3, step);
        w[v + 4] = CodingTables.weight(w[v + 4], i4, step);
        w[v + 5] = CodingTables.weight(w[v + 5], i5, step);
        counters[a0] = (char) CodingTables.shortUpdated(c0, end, counts);
        counters[a1] = (char) CodingTables.shortUpdated(c1, end, counts);
        counters[a2] = (char) CodingTables.shortUpdated(c2, end, counts);
        counters[a3] = (char) CodingTables.shortUpdated(c3, end, counts);
        counters[a4] = (char) CodingTables.shortUpdated(c4, end, counts);
        counters[a5] = (char) CodingTables.shortUpdated(c5, end, counts);
        return bit == 1;
    }
}
