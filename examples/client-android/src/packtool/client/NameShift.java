package packtool.client;

import java.util.Arrays;

/** "Name shift" of docs/formats.md: minified names are given in sequence. */
final class NameShift {
    private static final int RANGE = 256 << 10;
    private static final int LEAST_BASE = 5000;
    private static final int LEAST_LETTERS = 20;
    /** The words that are no names, as numbers of their bytes, in a table with open places. */
    private static final int[] WORDS = new int[256];

    static {
        String words = "if in do of as for new var let try get set NaN null"
            + " this void else case true from with";
        for (String word : words.split(" ")) {
            int number = 0;
            for (int index = 0; index < word.length(); index++) {
                number |= word.charAt(index) << 8 * index;
            }
            int place = number * 0x9E37_79B1 >>> 24;
            while (WORDS[place] != 0) {
                place = place + 1 & 255;
            }
            WORDS[place] = number;
        }
    }

    private final TextTables text;
    /** The place of a letter in the sequence; -1 for other bytes. */
    private final int[] order = new int[256];
    private final byte[] letters = new byte[128];
    private int count;
    private boolean hasLearnt;
    private int base;
    private int baseLength;
    /** Pairs of moves: the key (0 for none), the new text but its first byte, and the distance. */
    private final int[] keys = new int[2 << 12];
    private final int[] suffixes = new int[2 << 12];
    private final int[] distances = new int[2 << 12];

    NameShift(TextTables text) {
        this.text = text;
        Arrays.fill(order, -1);
    }

    void beginFile(int base, int baseLength) {
        this.base = base;
        this.baseLength = baseLength;
        count = 0;
        hasLearnt = false;
    }

    private boolean isName(int start, int length) {
        if (length < 2 || length > 4) {
            return false;
        }
        int before = text.at(start - 1);
        if (before == '.' || before == '-' || before == '#'
            || text.at(start + length) == ':' && before != '?') {
            return false;
        }
        int number = text.four(start) << 32 - 8 * length >>> 32 - 8 * length;
        int place = number * 0x9E37_79B1 >>> 24;
        while (WORDS[place] != 0) {
            if (WORDS[place] == number) {
                return false;
            }
            place = place + 1 & 255;
        }
        return true;
    }

    /** A length, and the bytes of a name but the first: of 2 to 4 bytes, so it is never 0. */
    private int suffixKey(int start, int length) {
        int key = length << 24;
        for (int index = 1; index < length; index++) {
            key |= text.at(start + index) << 8 * (index - 1);
        }
        return key;
    }

    private int pair(int key) {
        return (key * (int) 2_654_435_761L >>> 20) * 2;
    }

    /** Writes the predicted name at the scratch position, and gives its length; 0 for none. */
    int predict(int start, int length) {
        if (count == 0 || order[text.at(start)] < 0 || !isName(start, length)) {
            return 0;
        }
        int key = suffixKey(start, length);
        int first = pair(key);
        for (int move = first; move < first + 2; move++) {
            if (keys[move] != key) {
                continue;
            }
            int letter = order[text.at(start)] + distances[move];
            if (letter >= 0 && letter < count) {
                Arrays.fill(text.text, text.scratch, text.scratch + 8, (byte) 0);
                text.text[text.scratch] = letters[letter];
                int suffix = suffixes[move];
                int size = suffix >>> 24;
                for (int index = 1; index < size; index++) {
                    text.text[text.scratch + index] = (byte) (suffix >> 8 * (index - 1));
                }
                return size;
            }
        }
        return 0;
    }

    /** Notes that a name became another one. */
    void note(int start, int length, int newStart, int newLength) {
        if (newLength < 2 || newLength > 4 || !isName(start, length)) {
            return;
        }
        if (count == 0) {
            boolean isSame = length == newLength && text.isSame(start, newStart, length);
            if (isSame || hasLearnt) {
                return;
            }
            hasLearnt = true;
            learn();
            if (count == 0) {
                return;
            }
        }
        int from = order[text.at(start)];
        int to = order[text.at(newStart)];
        if (from < 0 || to < 0) {
            return;
        }
        int key = suffixKey(start, length);
        int suffix = suffixKey(newStart, newLength);
        int first = pair(key);
        if (keys[first] == key && suffixes[first] == suffix && distances[first] == to - from) {
            return;
        }
        // An equal second move changes places with the first one; else the second one is lost.
        keys[first + 1] = keys[first];
        suffixes[first + 1] = suffixes[first];
        distances[first + 1] = distances[first];
        keys[first] = key;
        suffixes[first] = suffix;
        distances[first] = to - from;
    }

    private void learn() {
        if (baseLength < LEAST_BASE) {
            return;
        }
        int[][] votes = votes();
        int[] next = new int[128];
        int[] before = new int[128];
        Arrays.fill(next, -1);
        Arrays.fill(before, -1);
        for (int round = 0; round < 64 && join(votes, next, before); round++) {
            continue;
        }
        int longest = 1;
        int start = -1;
        for (int letter = 36; letter < 128; letter++) {
            if (before[letter] >= 0) {
                continue;
            }
            int length = 1;
            for (int at = letter; next[at] >= 0; at = next[at]) {
                length++;
            }
            if (length > longest) {
                longest = length;
                start = letter;
            }
        }
        if (longest < LEAST_LETTERS) {
            return;
        }
        Arrays.fill(order, -1);
        Arrays.fill(keys, 0);
        for (int at = start; at >= 0; at = next[at]) {
            order[at] = count;
            letters[count++] = (byte) at;
        }
    }

    /** How often a first letter followed another one in names with one suffix. */
    private int[][] votes() {
        int end = base + Math.min(baseLength, RANGE);
        int[] seen = new int[1 << 15];
        int[] last = new int[1 << 14];
        int[][] votes = new int[128][128];
        int start = base;
        while (start < end) {
            int length = 0;
            while (start + length < end && text.isToken(start + length)) {
                length++;
            }
            int first = text.at(start);
            boolean isShort = (length == 2 || length == 3) && first < 0x80
                && TextTables.KIND[first] != 2 && isName(start, length);
            if (isShort) {
                int hash = 0;
                for (int index = 0; index < length; index++) {
                    hash = hash * 257 + text.at(start + index) + 1;
                }
                hash = hash * (int) 2_654_435_761L | 1;
                if (seen[hash >>> 17] != hash) {
                    seen[hash >>> 17] = hash;
                    int place = suffixKey(start, length) * (int) 2_654_435_761L >>> 18;
                    if (last[place] != 0) {
                        votes[last[place]][first]++;
                    }
                    last[place] = first;
                }
            }
            start += Math.max(length, 1);
        }
        return votes;
    }

    /** Joins the two letters with most votes; false if no two have enough. */
    private static boolean join(int[][] votes, int[] next, int[] before) {
        int most = 3;
        int one = -1;
        int other = -1;
        for (int a = 36; a < 128; a++) {
            for (int b = 36; b < 128 && next[a] < 0; b++) {
                if (a == b || before[b] >= 0 || votes[a][b] <= most) {
                    continue;
                }
                int end = b;
                while (next[end] >= 0) {
                    end = next[end];
                }
                if (end != a) {
                    most = votes[a][b];
                    one = a;
                    other = b;
                }
            }
        }
        if (one >= 0) {
            next[one] = other;
            before[other] = one;
        }
        return one >= 0;
    }
}
