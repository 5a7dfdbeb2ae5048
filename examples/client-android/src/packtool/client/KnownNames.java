package packtool.client;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The paths of listings: edits of other paths, and known pieces, which continue over streams. */
final class KnownNames {
    private static final int PIECES = 1024;
    /** A path has at most 1,024 bytes; a longer one is refused anyway. */
    private static final int LONGEST = 4096;

    /** Each piece, as text of its bytes, with its first replacement. */
    private final Map<String, byte[]> pieces = new HashMap<>();
    private ArithmeticDecoder.Kind end;
    private ArithmeticDecoder.Kind removed;
    private ArithmeticDecoder.Kind added;
    private int[] isKnown;
    private int[] firstByte;
    private int[] otherBytes;

    /** Begins a listing with counters of its own. */
    void begin() {
        end = new ArithmeticDecoder.Kind();
        removed = new ArithmeticDecoder.Kind();
        added = new ArithmeticDecoder.Kind();
        isKnown = ArithmeticDecoder.counters(1);
        firstByte = ArithmeticDecoder.counters(256);
        otherBytes = ArithmeticDecoder.counters(256);
    }

    private static String key(byte[] path, int start, int end) {
        return new String(path, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads a path.
     *
     * @param base the path of the base; null for none
     * @param before the path of the file before, for a file without base
     */
    byte[] read(ArithmeticDecoder coder, byte[] base, byte[] before,
        StreamListing.Output output) throws PackError {
        if (base != null) {
            int[] piece = known(base);
            if (piece != null && coder.code(isKnown, 0, ArithmeticDecoder.LIMIT) == 1) {
                byte[] text = pieces.get(key(base, piece[0], piece[1]));
                return edited(base, piece[0], piece[1], text, true, output);
            }
        }
        byte[] old = base == null ? before : base;
        long kept = coder.number(end);
        long gone = coder.number(removed);
        if (kept > old.length || gone > old.length - kept) {
            throw DeltaFile.invalid("the edit of a path is longer than the path");
        }
        long count = gone + coder.signed(added);
        if (count < 0 || count > LONGEST) {
            throw DeltaFile.invalid("the edit of a path has an impossible length");
        }
        byte[] text = new byte[(int) count];
        for (int index = 0; index < text.length; index++) {
            int node = 1;
            while (node < 256) {
                int[] tree = index == 0 ? firstByte : otherBytes;
                node = node << 1 | coder.code(tree, node, ArithmeticDecoder.LIMIT);
            }
            text[index] = (byte) node;
        }
        int editEnd = old.length - (int) kept;
        int editStart = editEnd - (int) gone;
        if (base != null && gone >= 4 && gone <= 64 && count > 0) {
            String piece = key(old, editStart, editEnd);
            if (pieces.size() < PIECES && !pieces.containsKey(piece)) {
                pieces.put(piece, text);
            }
        }
        return edited(old, editStart, editEnd, text, base != null, output);
    }

    private static byte[] edited(byte[] old, int start, int end, byte[] text, boolean isOfBase,
        StreamListing.Output output) {
        if (isOfBase && end - start >= 4 && text.length >= 1) {
            output.removed = Arrays.copyOfRange(old, start, end);
            output.addedAt = start;
            output.addedLength = text.length;
        }
        ByteArrayOutputStream path = new ByteArrayOutputStream();
        path.write(old, 0, start);
        path.write(text, 0, text.length);
        path.write(old, end, old.length - end);
        return path.toByteArray();
    }

    /** The start and end of the last known piece of a path; null for none. */
    private int[] known(byte[] path) {
        int[] last = null;
        for (int start = 0; start < path.length && !pieces.isEmpty(); start++) {
            if (start > 0 && "-._/".indexOf(path[start - 1]) < 0) {
                continue;
            }
            int end = start;
            while (end < path.length && path[end] != '.' && path[end] != '/') {
                end++;
            }
            if (pieces.containsKey(key(path, start, end))) {
                last = new int[] {start, end};
            }
        }
        return last;
    }
}
