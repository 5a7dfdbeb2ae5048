package packtool.client;

/** "Renames" of docs/formats.md: what became of tokens in this file. */
final class Renames {
    private static final int MOST = 7;

    private final TextTables text;
    private final int[] hashes = new int[1 << 14];
    private final int[] files = new int[1 << 14];
    private final int[] positions = new int[1 << 14];
    private final int[] lengths = new int[1 << 14];
    private final int[] oldLengths = new int[1 << 14];
    private final int[] confidences = new int[1 << 14];
    private final boolean[] unchanged = new boolean[1 << 14];
    private int file;

    Renames(TextTables text) {
        this.text = text;
    }

    /** Entries count in the file in which they were noted. */
    void beginFile() {
        file++;
    }

    /** The entry that counts for a hash and a length; -1 for none. */
    int find(int hash, int oldLength) {
        int entry = hash >>> 18;
        boolean counts = hashes[entry] == hash && files[entry] == file
            && oldLengths[entry] == oldLength;
        return counts ? entry : -1;
    }

    boolean isUnchanged(int entry) {
        return unchanged[entry];
    }

    int position(int entry) {
        return positions[entry];
    }

    int length(int entry) {
        return lengths[entry];
    }

    int confidence(int entry) {
        return confidences[entry];
    }

    /** Notes that an old token became some text. */
    void note(int hash, int old, int oldLength, int position, int length) {
        int entry = hash >>> 18;
        int confidence = 0;
        if (find(hash, oldLength) >= 0 && lengths[entry] == length
            && text.isSame(positions[entry], position, length)) {
            confidence = confidences[entry] + 1;
            if (confidence > MOST) {
                return;
            }
        }
        hashes[entry] = hash;
        files[entry] = file;
        positions[entry] = position;
        lengths[entry] = length;
        oldLengths[entry] = oldLength;
        confidences[entry] = confidence;
        unchanged[entry] = oldLength == length && text.isSame(old, position, length);
    }
}
