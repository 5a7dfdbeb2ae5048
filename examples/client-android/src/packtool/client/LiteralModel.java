package packtool.client;

import java.util.Arrays;

/** "Literals" of docs/formats.md: a byte is a way through a binary tree. */
final class LiteralModel {
    private static final String DEPTHS = "aaaaabbbba7bbbbbbbbbbbcccccccccc"
        + "77789988567756677666666666788688" + "99888889989988888887899999978997"
        + "766664677677665677555678888777bb" + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
        + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
        + "bbbbbbbbbbbbbbbbbbbbbbbbbbbbcccc";
    private static final int RATE = 9;
    /** Seven weights in a set, and one place that is not used. */
    private static final int SET = 8;
    /** The children of inner node n at 2 n and 2 n + 1; a leaf is the complement of its byte. */
    private static final int[] CHILDREN = new int[512];
    /** The way to each byte: twice the inner node plus the bit, for each depth. */
    private static final short[][] WAYS = new short[256][];

    static {
        new TreeBuilder().build(0, new short[16]);
    }

    /** Numbers the inner nodes, each before its left subtree, and that before its right one. */
    private static final class TreeBuilder {
        private int nodes;
        private int leaves;

        int build(int depth, short[] way) {
            if (Character.digit(DEPTHS.charAt(leaves), 16) == depth) {
                WAYS[leaves] = Arrays.copyOf(way, depth);
                return ~leaves++;
            }
            int node = nodes++;
            for (int bit = 0; bit < 2; bit++) {
                way[depth] = (short) (2 * node + bit);
                CHILDREN[2 * node + bit] = build(depth + 1, way);
            }
            return node;
        }
    }

    private final TextTables text;
    private final ArithmeticDecoder coder;
    private final int mask;
    private final int contextSize;
    /** The counters of context 0, one for each inner node. */
    private final char[] plain = new char[256];
    /** Slots of a check and 15 counters, for contexts 1 to 6 one after the other. */
    private final char[] slots;
    private final int[] nodeWeights = new int[256 * SET];
    private final int[] kindWeights = new int[128 * SET];

    LiteralModel(TextTables text, ArithmeticDecoder coder, int literalBits) {
        this.text = text;
        this.coder = coder;
        contextSize = 1 << literalBits;
        mask = contextSize - 1;
        slots = new char[6 * 16 << literalBits];
        Arrays.fill(plain, (char) 0x8000);
        Arrays.fill(nodeWeights, 1500);
        Arrays.fill(kindWeights, 1500);
    }

    /** The position of the slot of a hash in a context from 1 to 6. */
    private int slot(int context, int hash) {
        int first = (hash >>> 16) & mask;
        int base = (context - 1) * contextSize;
        int one = base + first << 4;
        int check = hash & 0xFFFF | 1;
        if (slots[one] == check) {
            return one;
        }
        int other = base + (first ^ 1) << 4;
        if (slots[other] == check) {
            return other;
        }
        int taken = (slots[other + 1] & 15) < (slots[one + 1] & 15) ? other : one;
        slots[taken] = (char) check;
        Arrays.fill(slots, taken + 1, taken + 16, (char) 0x8000);
        return taken;
    }

    /** Decodes a byte whose contexts have these hashes; number 0 is not used. */
    int code(int h1, int h2, int h3, int h4, int h5, int h6, int last) {
        int kind = TextTables.KIND[last] * 8;
        int node = 0;
        int s1 = 0;
        int s2 = 0;
        int s3 = 0;
        int s4 = 0;
        int s5 = 0;
        int s6 = 0;
        int inner = 1;
        for (int depth = 0; node >= 0; depth++) {
            if ((depth & 3) == 0) {
                int change = node * 0x9E37_79B1 & 0x7F_FFFF;
                inner = 1;
                s1 = slot(1, h1 ^ change);
                s2 = slot(2, h2 ^ change);
                s3 = slot(3, h3 ^ change);
                s4 = slot(4, h4 ^ change);
                s5 = slot(5, h5 ^ change);
                s6 = slot(6, h6 ^ change);
            }
            int bit = bit(node, s1 + inner, s2 + inner, s3 + inner, s4 + inner, s5 + inner,
                s6 + inner, (kind + Math.min(depth, 7)) * SET);
            node = CHILDREN[2 * node + bit];
            inner = 2 * inner + bit;
        }
        return ~node;
    }

    private int bit(int node, int a1, int a2, int a3, int a4, int a5, int a6, int kindSet) {
        short[] input = CodingTables.INPUT;
        int[] w1 = nodeWeights;
        int[] w2 = kindWeights;
        int v = node * SET;
        int w = kindSet;
        int c0 = plain[node];
        int c1 = slots[a1];
        int c2 = slots[a2];
        int c3 = slots[a3];
        int c4 = slots[a4];
        int c5 = slots[a5];
        int c6 = slots[a6];
        int i0 = input[c0 >>> 4];
        int i1 = input[c1 >>> 4];
        int i2 = input[c2 >>> 4];
        int i3 = input[c3 >>> 4];
        int i4 = input[c4 >>> 4];
        int i5 = input[c5 >>> 4];
        int i6 = input[c6 >>> 4];
        int sum = (w1[v] + w2[w]) * i0 + (w1[v + 1] + w2[w + 1]) * i1
            + (w1[v + 2] + w2[w + 2]) * i2 + (w1[v + 3] + w2[w + 3]) * i3
            + (w1[v + 4] + w2[w + 4]) * i4 + (w1[v + 5] + w2[w + 5]) * i5
            + (w1[v + 6] + w2[w + 6]) * i6;
        int mixed = CodingTables.clamped(sum >> 14);
        int bit = coder.bit(CodingTables.SQUASH[mixed + 3072]);
        int step = CodingTables.step(bit, mixed, RATE);
        int end = CodingTables.end(bit);
        int[] counts = CodingTables.COUNT_TO_10;
        adjust(w1, v, i0, i1, i2, i3, i4, i5, i6, step);
        adjust(w2, w, i0, i1, i2, i3, i4, i5, i6, step);
        plain[node] = (char) CodingTables.shortUpdated(c0, end, counts);
        slots[a1] = (char) CodingTables.shortUpdated(c1, end, counts);
        slots[a2] = (char) CodingTables.shortUpdated(c2, end, counts);
        slots[a3] = (char) CodingTables.shortUpdated(c3, end, counts);
        slots[a4] = (char) CodingTables.shortUpdated(c4, end, counts);
        slots[a5] = (char) CodingTables.shortUpdated(c5, end, counts);
        slots[a6] = (char) CodingTables.shortUpdated(c6, end, counts);
        return bit;
    }

    private static void adjust(int[] weights, int at, int i0, int i1, int i2, int i3, int i4,
        int i5, int i6, int step) {
        weights[at] = CodingTables.weight(weights[at], i0, step);
        weights[at + 1] = CodingTables.weight(weights[at + 1], i1, step);
        weights[at + 2] = CodingTables.weight(weights[at + 2], i2, step);
        weights[at + 3] = CodingTables.weight(weights[at + 3], i3, step);
        weights[at + 4] = CodingTables.weight(weights[at + 4], i4, step);
        weights[at + 5] = CodingTables.weight(weights[at + 5], i5, step);
        weights[at + 6] = CodingTables.weight(weights[at + 6], i6, step);
    }

    /** Notes a byte of the text that was copied: contexts 2 and 3, without the weights. */
    void learn(int position) {
        int history = text.history(position);
        short[] way = WAYS[text.at(position)];
        int h2 = TextTables.hash(2, history & 0xFFFF, 0);
        int h3 = TextTables.hash(3, history & 0xFF_FFFF, 0);
        for (int depth = 0; depth < way.length; depth += 4) {
            int change = (way[depth] >> 1) * 0x9E37_79B1 & 0x7F_FFFF;
            learn(slot(2, h2 ^ change), way, depth);
            learn(slot(3, h3 ^ change), way, depth);
        }
    }

    private void learn(int slot, short[] way, int start) {
        int inner = 1;
        int end = Math.min(start + 4, way.length);
        for (int depth = start; depth < end; depth++) {
            int bit = way[depth] & 1;
            slots[slot + inner] =
                (char) CodingTables.shortUpdated(
                    slots[slot + inner], CodingTables.end(bit), CodingTables.COUNT_TO_10);
            inner = 2 * inner + bit;
        }
    }
}
