package packtool.client;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** The extra fields of a zip header. */
final class ZipExtra {
    private static final long FULL = 0xFFFF_FFFFL;

    private ZipExtra() {}

    /**
     * Checks the fields, and replaces full sizes by those of the zip64 field.
     *
     * @param sizes size, packed size and offset
     */
    static void read(ByteBuffer buffer, int start, int length, long[] sizes) throws PackError {
        boolean needsLarge = sizes[0] == FULL || sizes[1] == FULL || sizes[2] == FULL;
        Set<Integer> seen = new HashSet<>();
        int end = start + length;
        for (int at = start; at < end;) {
            if (at + 4 > end) {
                throw ZipReader.refused("malformed-extra", "extra fields are malformed");
            }
            int id = buffer.getShort(at) & 0xFFFF;
            int size = buffer.getShort(at + 2) & 0xFFFF;
            if (at + 4 + size > end || !seen.add(id)) {
                throw ZipReader.refused("malformed-extra", "extra fields are malformed");
            }
            if (id == 1) {
                readLarge(buffer, at + 4, size, sizes, needsLarge);
            } else if (id != 0x5455 && id != 0x7855 && id != 0x7875 && id != 0x5855
                && id != 0x000A) {
                throw ZipReader.refused("extra-field", "an entry has an unknown extra field");
            }
            at += 4 + size;
        }
        if (needsLarge && !seen.contains(1)) {
            throw ZipReader.refused("zip64-mismatch", "a field is full, and has no zip64 field");
        }
    }

    private static void readLarge(
        ByteBuffer buffer, int start, int length, long[] sizes, boolean isNeeded)
        throws PackError {
        if (!isNeeded) {
            throw ZipReader.refused("zip64-not-needed", "it has zip64 fields without need");
        }
        int at = start;
        for (int index = 0; index < 3; index++) {
            if (sizes[index] == FULL) {
                if (at + 8 > start + length) {
                    throw ZipReader.refused("zip64-mismatch", "a zip64 field is too short");
                }
                sizes[index] = buffer.getLong(at);
                if (sizes[index] < FULL) {
                    throw ZipReader.refused("zip64-mismatch", "a zip64 field is not needed");
                }
                at += 8;
            }
        }
        if (at != start + length) {
            throw ZipReader.refused("zip64-mismatch", "a zip64 field is too long");
        }
    }
}
