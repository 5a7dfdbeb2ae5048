package packtool.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Unpacks the content of one entry: exactly the declared size from exactly the declared bytes. */
final class ZipContent {
    /** Receives the content piece by piece. */
    interface Sink {
        void write(byte[] data, int start, int length) throws IOException;
    }

    private ZipContent() {}

    private static PackError unreadable(ZipReader.Entry entry, String problem) {
        return ZipReader.refused("unreadable",
            "'" + Names.printable(entry.path) + "' cannot be read: " + problem);
    }

    /** The whole content of an entry of at most some bytes. */
    static byte[] bytes(ZipReader zip, ZipReader.Entry entry, long limit)
        throws IOException, PackError {
        if (entry.size > limit) {
            throw ZipReader.refused(
                "too-large", "'" + Names.printable(entry.path) + "' is too large");
        }
        byte[] content = new byte[(int) entry.size];
        int[] at = {0};
        unpack(zip, entry, (data, start, length) -> {
            System.arraycopy(data, start, content, at[0], length);
            at[0] += length;
        });
        return content;
    }

    static void unpack(ZipReader zip, ZipReader.Entry entry, Sink sink)
        throws IOException, PackError {
        CRC32 checksum = new CRC32();
        if (entry.method == 0) {
            copy(zip, entry, checksum, sink);
        } else {
            inflate(zip, entry, checksum, sink);
        }
        if (checksum.getValue() != entry.checksum) {
            throw ZipReader.refused("checksum-differs",
                "the content of '" + Names.printable(entry.path) + "' has another CRC-32");
        }
    }

    private static int read(ZipReader zip, ZipReader.Entry entry, byte[] into, long done)
        throws IOException, PackError {
        ByteBuffer buffer =
            ByteBuffer.wrap(into, 0, (int) Math.min(into.length, entry.packedSize - done));
        int count = zip.file.read(buffer, entry.start + done);
        if (count <= 0) {
            throw unreadable(entry, "the file is cut off");
        }
        return count;
    }

    private static void copy(ZipReader zip, ZipReader.Entry entry, CRC32 checksum, Sink sink)
        throws IOException, PackError {
        byte[] piece = new byte[Disk.PIECE];
        for (long done = 0; done < entry.size;) {
            int count = read(zip, entry, piece, done);
            checksum.update(piece, 0, count);
            sink.write(piece, 0, count);
            done += count;
        }
    }

    private static void inflate(ZipReader zip, ZipReader.Entry entry, CRC32 checksum, Sink sink)
        throws IOException, PackError {
        byte[] packed = new byte[Disk.PIECE];
        byte[] piece = new byte[Disk.PIECE];
        long taken = 0;
        long made = 0;
        Inflater inflater = new Inflater(true);
        try {
            while (!inflater.finished()) {
                int count = inflater.inflate(piece);
                made += count;
                if (made > entry.size) {
                    throw unreadable(entry, "it inflates to more than its size");
                }
                if (count > 0) {
                    checksum.update(piece, 0, count);
                    sink.write(piece, 0, count);
                } else if (inflater.needsDictionary()) {
                    throw unreadable(entry, "it needs a dictionary");
                } else if (inflater.needsInput()) {
                    if (taken >= entry.packedSize) {
                        throw unreadable(entry, "it ends early");
                    }
                    int read = read(zip, entry, packed, taken);
                    inflater.setInput(packed, 0, read);
                    taken += read;
                }
            }
            if (inflater.getBytesRead() != entry.packedSize || made != entry.size) {
                throw unreadable(entry, "it has another size than its header states");
            }
        } catch (DataFormatException error) {
            throw unreadable(entry, "it is not deflated");
        } finally {
            inflater.end();
        }
    }
}
