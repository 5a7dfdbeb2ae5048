package packtool.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Reads an archive by the strict zip profile of docs/formats.md; anything else is refused. */
final class ZipReader implements AutoCloseable {
    private static final int ENTRIES = 200_000;
    private static final long CONTENT = 16L << 30;
    private static final long FULL = 0xFFFF_FFFFL;
    private static final int RATIO = 1032;
    /** The largest central directory, which is read into memory. */
    private static final int DIRECTORY = 256 << 20;
    private static final int FLAGS = 0x0806;

    /** One file of the archive. */
    static final class Entry {
        String path;
        int method;
        long checksum;
        long packedSize;
        long size;
        /** The position of its content. */
        long start;
    }

    final FileChannel file;
    /** The files, in the order of the archive. */
    final Map<String, Entry> entries = new LinkedHashMap<>();
    /** The bytes of all files. */
    long size;
    private final Set<String> folders = new LinkedHashSet<>();
    private final long length;
    private long directoryStart;
    private long directorySize;
    private long count;

    ZipReader(Path path) throws IOException, PackError {
        file = FileChannel.open(path, StandardOpenOption.READ);
        length = file.size();
        boolean isRight = false;
        try {
            readEnd();
            readEntries();
            Names.check(entries.keySet(), folders, "archive.bad-name");
            isRight = true;
        } finally {
            if (!isRight) {
                file.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    static PackError refused(String rule, String problem) {
        return PackError.origin("archive." + rule, "an archive was refused: " + problem);
    }

    private ByteBuffer bytes(long position, int size) throws IOException, PackError {
        if (position < 0 || size < 0 || position > length - size) {
            throw refused("truncated-record", "a record is truncated");
        }
        ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, position + buffer.position()) < 0) {
                throw refused("truncated-record", "a record is truncated");
            }
        }
        ((java.nio.Buffer) buffer).flip();
        return buffer;
    }

    private static int two(ByteBuffer buffer, int at) {
        return buffer.getShort(at) & 0xFFFF;
    }

    private static long four(ByteBuffer buffer, int at) {
        return buffer.getInt(at) & FULL;
    }

    private void readEnd() throws IOException, PackError {
        if (length < 22) {
            throw refused("too-short", "it is too short to be a zip archive");
        }
        int tailSize = (int) Math.min(length, 22 + 0xFFFF);
        ByteBuffer tail = bytes(length - tailSize, tailSize);
        int end = -1;
        for (int at = tailSize - 22; at >= 0; at--) {
            if (tail.getInt(at) != 0x06054b50) {
                continue;
            }
            if (end < 0 && at + 22 + two(tail, at + 20) != tailSize) {
                throw refused("no-end-record", "it has no end record at its end");
            }
            if (end >= 0 && at + 22 + two(tail, at + 20) == tailSize) {
                throw refused("ambiguous-end-record", "it has more than one end record");
            }
            end = end < 0 ? at : end;
        }
        if (end < 0) {
            throw refused("no-end-record", "it has no end record");
        }
        count = two(tail, end + 10);
        directorySize = four(tail, end + 12);
        directoryStart = four(tail, end + 16);
        if (two(tail, end + 4) != 0 || two(tail, end + 6) != 0 || two(tail, end + 8) != count) {
            throw refused("multiple-disks", "it is one part of a multi-part archive");
        }
        long directoryEnd = length - tailSize + end;
        boolean isFull = count == 0xFFFF || directorySize == FULL || directoryStart == FULL;
        if (isFull) {
            directoryEnd = readLargeEnd(directoryEnd);
        }
        if (count > ENTRIES) {
            throw refused("too-many-entries", "it has more than 200,000 entries");
        }
        if (directorySize > DIRECTORY) {
            throw refused("too-large", "its central directory has more than 256 MiB");
        }
        if (directoryStart < 0 || directorySize < 0 || directoryStart > length
            || directoryStart + directorySize != directoryEnd) {
            throw refused("central-directory-mismatch",
                "its central directory is not where its end record says");
        }
    }

    /** Reads the zip64 end record before a locator, and gives its position. */
    private long readLargeEnd(long end) throws IOException, PackError {
        ByteBuffer locator = bytes(end - 20, 20);
        if (locator.getInt(0) != 0x07064b50) {
            // 65,535 entries can also be exactly that number.
            if (count == 0xFFFF && directorySize != FULL && directoryStart != FULL) {
                return end;
            }
            throw refused("zip64-mismatch", "a field is full, and it has no zip64 record");
        }
        long start = end - 76;
        if (four(locator, 4) != 0 || four(locator, 16) != 1 || locator.getLong(8) != start) {
            throw refused("zip64-mismatch", "its zip64 locator is wrong");
        }
        ByteBuffer large = bytes(start, 56);
        boolean isRight = large.getInt(0) == 0x06064b50 && large.getLong(4) == 44
            && four(large, 16) == 0 && four(large, 20) == 0
            && large.getLong(24) == large.getLong(32)
            && (count == 0xFFFF || count == large.getLong(32))
            && (directorySize == FULL || directorySize == large.getLong(40))
            && (directoryStart == FULL || directoryStart == large.getLong(48));
        if (!isRight) {
            throw refused("zip64-mismatch", "its zip64 record contradicts its end record");
        }
        count = large.getLong(32);
        directorySize = large.getLong(40);
        directoryStart = large.getLong(48);
        if (count < 0) {
            throw refused("zip64-mismatch", "its zip64 record is wrong");
        }
        return start;
    }

    private void readEntries() throws IOException, PackError {
        ByteBuffer directory = bytes(directoryStart, (int) directorySize);
        int at = 0;
        long next = 0;
        for (long index = 0; index < count; index++) {
            if (at + 46 > directorySize || directory.getInt(at) != 0x02014b50) {
                throw refused("count-mismatch", "its central directory is cut off");
            }
            int nameSize = two(directory, at + 28);
            int extraSize = two(directory, at + 30);
            if (at + 46L + nameSize + extraSize > directorySize) {
                throw refused("truncated-record", "a record is truncated");
            }
            next = readEntry(directory, at, nameSize, extraSize, next);
            at += 46 + nameSize + extraSize;
        }
        if (at != directorySize) {
            throw refused("count-mismatch", "its central directory has more than its entries");
        }
        if (next != directoryStart) {
            throw refused("gap-or-overlap", "there are bytes between the entries and the directory");
        }
    }

    /** Reads one entry of the central directory, and gives the end of its content. */
    private long readEntry(ByteBuffer directory, int at, int nameSize, int extraSize, long next)
        throws IOException, PackError {
        int flags = two(directory, at + 8);
        Entry entry = new Entry();
        entry.method = two(directory, at + 10);
        entry.checksum = four(directory, at + 16);
        if ((directory.get(at + 6) & 0xFF) > 45) {
            throw refused("unsupported-version", "an entry needs a newer version than 4.5");
        }
        if ((flags & ~FLAGS) != 0) {
            throw refused((flags & 1) != 0 ? "encrypted"
                : (flags & 8) != 0 ? "data-descriptor" : "unsupported-flags",
                "an entry has flags that are not allowed");
        }
        if (entry.method != 0 && entry.method != 8) {
            throw refused("unsupported-method", "an entry is neither stored nor deflated");
        }
        if (two(directory, at + 32) != 0) {
            throw refused("entry-comment", "an entry has a comment");
        }
        if (two(directory, at + 34) != 0) {
            throw refused("multiple-disks", "it is one part of a multi-part archive");
        }
        byte[] name = new byte[nameSize];
        ByteBuffer part = directory.duplicate();
        ((java.nio.Buffer) part).position(at + 46);
        part.get(name);
        long[] sizes = {four(directory, at + 24), four(directory, at + 20),
            four(directory, at + 42)};
        ZipExtra.read(directory, at + 46 + nameSize, extraSize, sizes);
        entry.size = sizes[0];
        entry.packedSize = sizes[1];
        String path = path(name, flags);
        boolean isFolder = path.endsWith("/");
        checkKind(four(directory, at + 38), isFolder, entry);
        if (sizes[2] != next) {
            throw refused(next == 0 ? "prefixed-bytes" : "gap-or-overlap",
                "its entries overlap or leave gaps");
        }
        entry.start = readLocal(next, name, flags, entry);
        if (entry.start > directoryStart - entry.packedSize) {
            throw refused("gap-or-overlap", "its entries overlap the central directory");
        }
        entry.path = isFolder ? path.substring(0, path.length() - 1) : path;
        size = Bytes.plus(size, entry.size);
        if (size > CONTENT) {
            throw refused("too-large", "it unpacks to more than 16 GiB");
        }
        boolean isNew = isFolder ? folders.add(entry.path) : entries.put(path, entry) == null;
        if (!isNew) {
            throw refused("bad-name", "a path occurs twice");
        }
        return entry.start + entry.packedSize;
    }

    private static void checkKind(long attributes, boolean isFolder, Entry entry)
        throws PackError {
        long kind = attributes >> 16 & 0xF000;
        boolean isRight = kind == 0 || kind == (isFolder ? 0x4000 : 0x8000);
        if (!isRight || !isFolder && (attributes & 0x10) != 0) {
            throw refused("not-regular-file", "an entry is a link or a device");
        }
        if (isFolder && (entry.size != 0 || entry.packedSize != 0)) {
            throw refused("directory-with-data", "a directory has content");
        }
        if (entry.method == 0 && entry.size != entry.packedSize) {
            throw refused("stored-size-differs", "a stored entry has two sizes");
        }
        if (entry.size / RATIO > entry.packedSize
            || entry.method == 8 && entry.size > entry.packedSize * RATIO) {
            throw refused("impossible-ratio", "an entry inflates more than deflate allows");
        }
    }

    /** Checks the local header of an entry, and gives the position of its content. */
    private long readLocal(long position, byte[] name, int flags, Entry entry)
        throws IOException, PackError {
        ByteBuffer head = bytes(position, 30);
        if (head.getInt(0) != 0x04034b50) {
            throw refused("bad-signature", "a local header has a wrong signature");
        }
        if ((head.get(4) & 0xFF) > 45) {
            throw refused("unsupported-version", "an entry needs a newer version than 4.5");
        }
        int nameSize = two(head, 26);
        int extraSize = two(head, 28);
        ByteBuffer rest = bytes(position + 30, nameSize + extraSize);
        byte[] localName = new byte[nameSize];
        rest.get(localName);
        long[] sizes = {four(head, 22), four(head, 18), 0};
        ZipExtra.read(rest, nameSize, extraSize, sizes);
        boolean isSame = Arrays.equals(name, localName) && two(head, 6) == flags
            && two(head, 8) == entry.method && four(head, 14) == entry.checksum
            && sizes[0] == entry.size && sizes[1] == entry.packedSize;
        if (!isSame) {
            throw refused("local-header-differs",
                "a local header contradicts the central directory");
        }
        return position + 30 + nameSize + extraSize;
    }

    private static String path(byte[] name, int flags) throws PackError {
        for (byte one : name) {
            if (one < 0 && (flags & 0x0800) == 0) {
                throw refused("name-not-flagged-utf8", "a name is not marked as UTF-8");
            }
        }
        String path = Bytes.text(name);
        if (path == null || path.isEmpty()) {
            throw refused("bad-name", "a name is empty or not valid UTF-8");
        }
        return path;
    }

}
