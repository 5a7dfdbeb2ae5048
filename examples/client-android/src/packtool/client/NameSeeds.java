package packtool.client;

import java.util.ArrayList;
import java.util.List;

/** "Seeds" of docs/formats.md: old pieces of names, and what became of them. */
final class NameSeeds {
    /** A pair of pieces, both in the names part of the text. */
    static final class Seed {
        final int old;
        final int oldLength;
        final int position;
        final int length;

        Seed(int old, int oldLength, int position, int length) {
            this.old = old;
            this.oldLength = oldLength;
            this.position = position;
            this.length = length;
        }
    }

    private final TextTables text;
    /** The seeds whose old pieces have one mark of the first four bytes, the longest first. */
    private final Seed[][] seeds = new Seed[1 << 16][];

    NameSeeds(TextTables text, List<Seed> pairs) {
        this.text = text;
        List<List<Seed>> lists = new ArrayList<>();
        int[] listAt = new int[1 << 16];
        for (Seed pair : pairs) {
            int mark = mark(text.four(pair.old));
            if (listAt[mark] == 0) {
                lists.add(new ArrayList<>());
                listAt[mark] = lists.size();
            }
            List<Seed> same = lists.get(listAt[mark] - 1);
            boolean isKnown = false;
            for (Seed other : same) {
                isKnown |= other.oldLength == pair.oldLength
                    && text.isSame(other.old, pair.old, pair.oldLength);
            }
            if (!isKnown) {
                same.add(pair);
            }
        }
        for (int mark = 0; mark < listAt.length; mark++) {
            if (listAt[mark] > 0) {
                List<Seed> same = lists.get(listAt[mark] - 1);
                same.sort((one, other) -> other.oldLength - one.oldLength);
                seeds[mark] = same.toArray(new Seed[0]);
            }
        }
    }

    private static int mark(int start) {
        return start * 0x9E37_79B1 >>> 16;
    }

    /** The seed at a position behind a separator, within the text before {@code i}; null for none. */
    Seed at(int position, int i) {
        Seed[] same = seeds[mark(text.four(position))];
        if (same == null) {
            return null;
        }
        int end = position < text.out ? text.out : i;
        for (Seed seed : same) {
            if (seed.oldLength <= end - position
                && text.isSame(seed.old, position, seed.oldLength)) {
                return seed;
            }
        }
        return null;
    }
}
