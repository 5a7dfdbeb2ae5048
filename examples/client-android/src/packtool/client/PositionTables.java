package packtool.client;

/** "Positions" of docs/formats.md: where the last 6 and 4 bytes ended last. */
final class PositionTables {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int FIRST = 88;
    private static final int BLOCK = 10;

    private final TextTables text;
    private final int indexShift;
    private final int smallShift;
    /** The bits of an entry that are the position; the check is above them. */
    private final int positionMask;
    private final int[] six;
    private final int[] four;
    private final boolean[] isRecorded;
    private int lastBlock = -1;

    PositionTables(TextTables text, int indexBits) {
        this.text = text;
        int smallBits = Math.min(indexBits, 18);
        indexShift = 64 - indexBits;
        smallShift = 32 - smallBits;
        int bits = 32 - Integer.numberOfLeadingZeros(text.text.length);
        positionMask = (1 << bits) - 1;
        six = new int[1 << indexBits];
        four = new int[1 << smallBits];
        isRecorded = new boolean[(text.out >> BLOCK) + 3];
    }

    private long hashOfSix(int position) {
        return (text.eight(position - 8) >>> 16) * MIX;
    }

    /** The check of a hash, at its place above the position. */
    private int check(long hash) {
        return (int) (hash >>> 8) & ~positionMask;
    }

    private int placeOfFour(int position) {
        return text.four(position - 4) * (int) 2_654_435_761L >>> smallShift;
    }

    void insert(int position) {
        long hash = hashOfSix(position);
        six[(int) (hash >>> indexShift)] = check(hash) | position;
        four[placeOfFour(position)] = position;
    }

    /** Where the six bytes before a position ended last; 0 for none. */
    int lastOfSix(int position) {
        long hash = hashOfSix(position);
        int entry = six[(int) (hash >>> indexShift)];
        return (entry & ~positionMask) == check(hash) ? entry & positionMask : 0;
    }

    int lastOfFour(int position) {
        return four[placeOfFour(position)];
    }

    /** Records the old positions around an aligned one, unless that was done. */
    void recordAround(int aligned) {
        int block = aligned >> BLOCK;
        if (block == lastBlock) {
            return;
        }
        lastBlock = block;
        for (int one = Math.max(block - 1, 0); one <= block + 1; one++) {
            if (!isRecorded[one]) {
                isRecorded[one] = true;
                int start = Math.max(one << BLOCK, FIRST);
                int end = Math.min(text.out, (one << BLOCK) + (1 << BLOCK) - 1);
                for (int position = start; position <= end; position += 2) {
                    insert(position);
                }
            }
        }
    }
}
