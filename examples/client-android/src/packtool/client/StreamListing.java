package packtool.client;

import java.util.ArrayList;
import java.util.List;

/** The header and listing of one stream of a delta. */
final class StreamListing {
    private static final int SEGMENTS = 400_000;
    private static final int FILES = 200_000;

    /** A piece of an old file in the dictionary. */
    static final class Segment {
        final int file;
        final long offset;
        final long length;

        Segment(int file, long offset, long length) {
            this.file = file;
            this.offset = offset;
            this.length = length;
        }
    }

    /** A file that the stream makes, or a copy. */
    static final class Output {
        String path;
        /** The index of the base in the old listing; -1 for none. */
        int base = -1;
        boolean keepsBase;
        boolean isContinued;
        long size;
        /** An edit of the base's path: the removed bytes, and where the new ones are in the path. */
        byte[] removed;
        int addedAt;
        int addedLength;
    }

    int method;
    int literalBits;
    int indexBits;
    long coded;
    int properties;
    long lzmaOutput;
    /** The content of the aligned coder, then that of LZMA. */
    int contentStart;
    int alignedEnd;
    final List<Segment> segments = new ArrayList<>();
    final List<Output> files = new ArrayList<>();
    final List<Output> copies = new ArrayList<>();
    private boolean hasCopies;
    private int listingStart;

    boolean isAligned() {
        return method != 1;
    }

    boolean isLZMA() {
        return method != 0;
    }

    long dictionary() {
        long size = 0;
        for (Segment segment : segments) {
            size += segment.length;
        }
        return size;
    }

    long output() {
        long size = 0;
        for (Output file : files) {
            size += file.size;
        }
        return size;
    }

    /** Reads the header of a stream. */
    void readHeader(byte[] data) throws PackError {
        Reader reader = new Reader(data);
        int first = reader.one();
        hasCopies = (first & 2) != 0;
        method = first & ~2;
        if (method != 0 && method != 1 && method != 4) {
            throw DeltaFile.invalid("a stream has an unknown method");
        }
        if (isAligned()) {
            literalBits = reader.one();
            indexBits = reader.one();
            if (literalBits < 4 || literalBits > 15 || indexBits < 8 || indexBits > 20) {
                throw DeltaFile.invalid("a stream has tables of another size");
            }
            coded = reader.number();
        }
        if (isLZMA()) {
            properties = reader.one();
        }
        long alignedContent = 0;
        if (method == 4) {
            lzmaOutput = reader.number();
            alignedContent = reader.number();
        }
        long length = reader.number();
        if (length > data.length - reader.at) {
            throw DeltaFile.invalid("a stream ends within its listing");
        }
        listingStart = reader.at;
        contentStart = reader.at + (int) length;
        if (alignedContent > data.length - contentStart) {
            throw DeltaFile.invalid("a stream ends within its content");
        }
        alignedEnd = method == 4 ? contentStart + (int) alignedContent
            : method == 0 ? data.length : contentStart;
    }

    /** Bytes, and numbers in the shortest form of LEB128. */
    private static final class Reader {
        private final byte[] data;
        private int at;

        Reader(byte[] data) {
            this.data = data;
        }

        int one() throws PackError {
            if (at >= data.length) {
                throw DeltaFile.invalid("a stream ends within its header");
            }
            return data[at++] & 0xFF;
        }

        long number() throws PackError {
            long value = 0;
            for (int index = 0; index < 5; index++) {
                int next = one();
                value |= (long) (next & 127) << 7 * index;
                if (next < 128) {
                    if (next == 0 && index > 0) {
                        break;
                    }
                    return value;
                }
            }
            throw DeltaFile.invalid("a number in a stream has another form");
        }
    }

    private final ArithmeticDecoder.Kind segmentCount = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind segmentFile = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind offset = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind length = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind fileCount = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind base = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind sizeWithBase = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind size = new ArithmeticDecoder.Kind();
    private final ArithmeticDecoder.Kind copyCount = new ArithmeticDecoder.Kind();
    private final int[] isWhole = ArithmeticDecoder.counters(1);
    private final int[] continues = ArithmeticDecoder.counters(1);
    private final int[] hasBase = ArithmeticDecoder.counters(1);
    private final int[] hasBasePath = ArithmeticDecoder.counters(1);
    private final int[] keepsBase = ArithmeticDecoder.counters(1);

    /**
     * Reads the listing.
     *
     * @param old the files of the old release
     * @param names the known pieces of names, which continue from stream to stream
     * @param before the last file of the stream before; null for none
     */
    void readListing(byte[] data, OldFiles old, KnownNames names, Output before)
        throws PackError {
        ArithmeticDecoder coder = new ArithmeticDecoder(data, listingStart, contentStart);
        names.begin();
        readSegments(coder, old);
        long count = coder.number(fileCount);
        if (count > FILES) {
            throw DeltaFile.invalid("a stream makes too many files");
        }
        long expected = 0;
        byte[] path = new byte[0];
        for (long index = 0; index < count; index++) {
            Output file = new Output();
            file.isContinued = flag(coder, continues);
            byte[] basePath = null;
            if (flag(coder, hasBase)) {
                file.base = old.index(expected + coder.signed(base));
                expected = file.base + 1L;
                basePath = old.path(file.base);
            }
            boolean isSame = basePath != null && flag(coder, hasBasePath);
            path = isSame ? basePath : names.read(coder, basePath, path, file);
            if (basePath != null && !isSame) {
                file.keepsBase = flag(coder, keepsBase);
            }
            file.size = basePath == null ? coder.number(size)
                : old.size(file.base) + coder.signed(sizeWithBase);
            if (file.size < 0 || file.size > Integer.MAX_VALUE) {
                throw DeltaFile.invalid("a file has an impossible size");
            }
            file.path = text(path);
            boolean isAllowed = !file.isContinued
                || index == 0 && before != null && before.path.equals(file.path);
            if (!isAllowed) {
                throw DeltaFile.invalid("a stream continues another file");
            }
            files.add(file);
        }
        if (hasCopies) {
            readCopies(coder, old, names);
        }
        coder.finish();
    }

    private static boolean flag(ArithmeticDecoder coder, int[] counter) {
        return coder.code(counter, 0, ArithmeticDecoder.LIMIT) == 1;
    }

    private static String text(byte[] path) throws PackError {
        String text = Bytes.text(path);
        if (text == null) {
            throw DeltaFile.invalid("a path is not valid UTF-8");
        }
        return text;
    }

    private void readSegments(ArithmeticDecoder coder, OldFiles old) throws PackError {
        long count = coder.number(segmentCount);
        if (count > SEGMENTS) {
            throw DeltaFile.invalid("a stream has too many segments");
        }
        long file = -1;
        for (long index = 0; index < count; index++) {
            long step = coder.number(segmentFile);
            if (index > 0 && step == 0) {
                throw DeltaFile.invalid("the segments of a stream are not in order");
            }
            file = old.index(file + step);
            long from = 0;
            long size = old.size((int) file);
            if (!flag(coder, isWhole)) {
                from = coder.number(offset);
                long wanted = coder.number(length);
                if (from > size || wanted > size - from) {
                    throw DeltaFile.invalid("a segment is not within its file");
                }
                size = wanted;
            }
            segments.add(new Segment((int) file, from, size));
        }
    }

    private void readCopies(ArithmeticDecoder coder, OldFiles old, KnownNames names)
        throws PackError {
        long count = coder.number(copyCount);
        if (count >= FILES) {
            throw DeltaFile.invalid("a stream makes too many copies");
        }
        long expected = 0;
        for (long index = 0; index <= count; index++) {
            Output copy = new Output();
            copy.base = old.index(expected + coder.signed(base));
            expected = copy.base + 1L;
            byte[] basePath = old.path(copy.base);
            byte[] path = names.read(coder, basePath, null, copy);
            if (java.util.Arrays.equals(path, basePath)) {
                throw DeltaFile.invalid("a copy has the path of its base");
            }
            copy.keepsBase = flag(coder, keepsBase);
            copy.path = text(path);
            copy.size = old.size(copy.base);
            copies.add(copy);
        }
    }
}
