package packtool.client;

import java.util.Arrays;

/** "Source maps" of docs/formats.md: the numbers of names, which shift. */
final class MapNumbers {
    private static final byte[] START = Bytes.utf8("\"mappings\":\"");
    private static final String DIGITS =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int[] VALUES = new int[256];
    private static final int LIMIT = 1 << 24;
    private static final int PAGE = 12;
    private static final int COUNTED = 4;

    static {
        Arrays.fill(VALUES, -1);
        for (int value = 0; value < DIGITS.length(); value++) {
            VALUES[DIGITS.charAt(value)] = value;
        }
    }

    /** One number in base64 VLQ after the other. */
    private static final class Fields {
        long number;
        int field;
        private long value;
        private int shift;

        /** Whether the next digit begins a field. */
        boolean isAtStart() {
            return shift == 0;
        }

        void restart() {
            field = 0;
            shift = 0;
        }

        /** Takes a byte; true if it ended a counted field. */
        boolean take(int digit) {
            if (digit < 0) {
                restart();
                return false;
            }
            if (shift == 0) {
                value = 0;
            }
            if (shift < 50) {
                value |= (long) (digit & 31) << shift;
            }
            shift = Math.min(60, shift + 5);
            if ((digit & 32) != 0) {
                return false;
            }
            shift = 0;
            if (field++ != COUNTED) {
                return false;
            }
            number += (value & 1) == 1 ? -(value >> 1) : value >> 1;
            return true;
        }
    }

    private final TextTables text;
    private final int fileStart;
    /** The range M of the base; both 0 if it has no mappings. */
    private int start;
    private int end;
    /** The counted fields of the base: where each starts, its number, and its digits. */
    private int[] starts = new int[1024];
    private int[] numbers = new int[1024];
    private int[] sizes = new int[1024];
    private int count;
    private int cursor;
    private final int[][] became = new int[LIMIT >> PAGE][];
    private long change;
    private boolean isInside;
    private final Fields output = new Fields();
    private int pending = -1;

    /** The numbers of a file that starts at a position and has a base. */
    MapNumbers(TextTables text, int fileStart, int base, int baseLength) {
        this.text = text;
        this.fileStart = fileStart;
        int baseEnd = base + baseLength;
        for (int at = base + START.length + 1; at <= baseEnd && start == 0; at++) {
            start = isStart(at, base) ? at : 0;
        }
        if (start == 0) {
            return;
        }
        end = start;
        while (end < baseEnd && text.text[end] != '"') {
            end++;
        }
        Fields old = new Fields();
        int first = start;
        for (int at = start; at < end; at++) {
            if (old.isAtStart()) {
                first = at;
            }
            if (old.take(VALUES[text.at(at)])) {
                if (old.number < 0 || old.number >= LIMIT) {
                    end = at + 1;
                    break;
                }
                add(first, (int) old.number, at + 1 - first);
            }
        }
    }

    private boolean isStart(int at, int least) {
        if (at - START.length - 1 < least || text.text[at - 1] != '"') {
            return false;
        }
        byte front = text.text[at - START.length - 1];
        for (int index = 0; index < START.length; index++) {
            if (text.text[at - START.length + index] != START[index]) {
                return false;
            }
        }
        return front == '{' || front == ',';
    }

    private void add(int first, int number, int size) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            numbers = Arrays.copyOf(numbers, 2 * count);
            sizes = Arrays.copyOf(sizes, 2 * count);
        }
        starts[count] = first;
        numbers[count] = number;
        sizes[count++] = size;
    }

    int countedFields() {
        return count;
    }

    /** Whether an old position is in the mappings. */
    boolean contains(int position) {
        return position >= start && position < end;
    }

    /** Whether the new text is in its mappings. */
    boolean isInside() {
        return isInside;
    }

    /** The index of the counted field that starts at a position; -1 for none. */
    private int find(int position) {
        // Positions mostly ascend by single steps.
        for (int steps = 0; steps < 16; steps++) {
            if (cursor < count && starts[cursor] < position) {
                cursor++;
            } else if (cursor > 0 && starts[cursor - 1] >= position) {
                cursor--;
            } else {
                return cursor < count && starts[cursor] == position ? cursor : -1;
            }
        }
        int found = Arrays.binarySearch(starts, 0, count, position);
        cursor = found < 0 ? -found - 1 : found;
        return Math.max(found, -1);
    }

    boolean isFieldAt(int position) {
        return find(position) >= 0;
    }

    /** Counts the byte that was written at a position, expected at an old one (0 for none). */
    void count(int position, int old) {
        int one = text.at(position);
        if (!isInside) {
            if (one == '"' && isStart(position + 1, fileStart)) {
                isInside = true;
                output.restart();
                output.number = 0;
            }
            return;
        }
        if (one == '"') {
            isInside = false;
            return;
        }
        int digit = VALUES[one];
        if (digit >= 0 && output.field == COUNTED && output.isAtStart()) {
            int field = old == 0 ? -1 : find(old);
            pending = field < 0 ? -1 : numbers[field];
        }
        if (output.take(digit) && pending >= 0 && output.number >= 0 && output.number < LIMIT) {
            int page = pending >> PAGE;
            if (became[page] == null) {
                became[page] = new int[1 << PAGE];
                Arrays.fill(became[page], -1);
            }
            became[page][pending & (1 << PAGE) - 1] = (int) output.number;
            change = output.number - pending;
        }
    }

    /** The digits of the old field that starts at a position, at most 8. */
    int oldLength(int position) {
        return Math.min(8, sizes[find(position)]);
    }

    /** Writes the predicted number at the scratch position, and gives its length; 0 for none. */
    int predict(int position) {
        if (!isInside || output.field != COUNTED || !output.isAtStart()) {
            return 0;
        }
        int field = find(position);
        if (field < 0) {
            return 0;
        }
        int old = numbers[field];
        int[] page = became[old >> PAGE];
        int known = page == null ? -1 : page[old & (1 << PAGE) - 1];
        long difference = (known >= 0 ? known : old + change) - output.number;
        long value = difference < 0 ? -difference << 1 | 1 : difference << 1;
        Arrays.fill(text.text, text.scratch, text.scratch + 8, (byte) 0);
        int length = 0;
        do {
            int digit = (int) (value & 31);
            value >>>= 5;
            text.text[text.scratch + length++] =
                (byte) DIGITS.charAt(value == 0 ? digit : digit | 32);
        } while (value != 0 && length < 8);
        return length;
    }
}
