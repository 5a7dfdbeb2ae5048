package packtool.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The text of one stream: padding, dictionary, names, output, zeros. */
final class DeltaText {
    static final int PADDING = 64;
    private static final int ZEROS = 192;
    private static final int EDITS = 65_536;

    private final StreamListing stream;
    private final byte[] names;
    private final List<NameSeeds.Seed> edits = new ArrayList<>();
    /** Where the segments of each old file start in the text. */
    private final Map<Integer, Integer> starts = new HashMap<>();
    private final Map<Integer, Integer> lengths = new HashMap<>();
    final int out;
    final int outEnd;
    final byte[] text;

    /**
     * Lays the text out.
     *
     * @param streams all streams of the delta
     * @param stated the memory that the stream states
     * @param packed the length of the stream
     */
    DeltaText(StreamListing stream, List<StreamListing> streams, long stated, long packed)
        throws PackError {
        this.stream = stream;
        long at = PADDING;
        for (StreamListing.Segment segment : stream.segments) {
            starts.put(segment.file, (int) at);
            lengths.put(segment.file, (int) segment.length);
            at += segment.length;
            if (at > Integer.MAX_VALUE / 2) {
                throw tooMuch();
            }
        }
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        List<int[]> pairs = new ArrayList<>();
        addNames(stream, written, pairs);
        for (StreamListing other : streams) {
            if (other != stream) {
                addNames(other, written, pairs);
            }
        }
        names = written.toByteArray();
        for (int[] pair : pairs) {
            edits.add(new NameSeeds.Seed((int) at + pair[0], pair[1], (int) at + pair[2], pair[3]));
        }
        long size = at + names.length + stream.output() + ZEROS;
        if (size + packed + fixedMemory() > stated || size > Integer.MAX_VALUE / 2) {
            throw tooMuch();
        }
        out = (int) at + names.length;
        outEnd = out + (int) stream.output();
        text = new byte[(int) size];
    }

    static PackError tooMuch() {
        return PackError.origin(
            "delta.too-much-memory", "a stream takes more memory than it states");
    }

    private static void addNames(
        StreamListing stream, ByteArrayOutputStream names, List<int[]> pairs) {
        for (List<StreamListing.Output> outputs : java.util.Arrays.asList(
            stream.files, stream.copies)) {
            for (StreamListing.Output output : outputs) {
                if (output.removed != null && pairs.size() < EDITS) {
                    int old = names.size();
                    names.write(output.removed, 0, output.removed.length);
                    names.write('\n');
                    pairs.add(new int[] {old, output.removed.length,
                        names.size() + output.addedAt, output.addedLength});
                }
                byte[] path = Bytes.utf8(output.path);
                names.write(path, 0, path.length);
                names.write('\n');
            }
        }
    }

    /** The length of the dictionary and the names, which the sum of work counts. */
    long known() {
        return out - PADDING;
    }

    /** The memory of the decoders' tables. */
    private long fixedMemory() {
        long size = stream.isLZMA() ? 1 << 16 : 0;
        if (stream.isAligned()) {
            size += 6L * 32 << stream.literalBits;
            size += 6 * 2 * (1 << 16) + (4L << stream.indexBits)
                + (4L << Math.min(stream.indexBits, 18)) + 3 * (1 << 20);
        }
        return size;
    }

    /** The length of a file's base in this text. */
    static long baseLength(StreamListing stream, StreamListing.Output file) {
        long length = 0;
        for (StreamListing.Segment segment : stream.segments) {
            length = segment.file == file.base ? segment.length : length;
        }
        return length;
    }

    private void fill(Path tree, OldFiles old) throws IOException, PackError {
        int at = PADDING;
        for (StreamListing.Segment segment : stream.segments) {
            ByteBuffer piece = ByteBuffer.wrap(text, at, (int) segment.length);
            try (FileChannel file = FileChannel.open(
                Disk.below(tree, old.name(segment.file)), StandardOpenOption.READ)) {
                long from = segment.offset;
                while (piece.hasRemaining()) {
                    int count = file.read(piece, from);
                    if (count < 0) {
                        throw new PackError("build.changed-while-read",
                            "a file changed during the update", "try again");
                    }
                    from += count;
                }
            }
            at += (int) segment.length;
        }
        System.arraycopy(names, 0, text, at, names.length);
    }

    /** Makes the output from the stream's bytes. */
    void decode(byte[] data, Path tree, OldFiles old, long stated) throws IOException, PackError {
        fill(tree, old);
        int made = out;
        if (stream.isAligned()) {
            TextTables tables = new TextTables(text, out, outEnd);
            AlignedDecoder decoder = new AlignedDecoder(tables,
                new ArithmeticDecoder(data, stream.contentStart, stream.alignedEnd),
                stream.literalBits, stream.indexBits, stream.coded, edits);
            made = decoder.decode(parts());
            long fields = Math.max(0, decoder.mostFields() - (1 << 18));
            if (text.length + data.length + fixedMemory() + 16 * fields > stated) {
                throw tooMuch();
            }
        }
        if (stream.method == 4 && outEnd - made != stream.lzmaOutput
            || stream.method == 4 && stream.lzmaOutput == 0) {
            throw DeltaFile.invalid("the two parts of a stream do not fit together");
        }
        if (stream.isLZMA()) {
            // Predicted names were written behind the output; LZMA reads only what is before it.
            LzmaDecoder.decode(
                text, made, outEnd, data, stream.alignedEnd, data.length, stream.properties);
        } else if (made != outEnd) {
            throw DeltaFile.invalid("a stream codes more bytes than it states");
        }
    }

    private List<AlignedDecoder.Part> parts() {
        List<AlignedDecoder.Part> parts = new ArrayList<>();
        for (StreamListing.Output file : stream.files) {
            Integer start = starts.get(file.base);
            parts.add(new AlignedDecoder.Part((int) file.size, start == null ? 0 : start,
                start == null ? 0 : lengths.get(file.base), file.path.endsWith(".map")));
        }
        return parts;
    }
}
