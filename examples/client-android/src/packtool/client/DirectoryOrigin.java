package packtool.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/** An origin in a directory, for tests. */
final class DirectoryOrigin implements Origin {
    private final Path directory;

    DirectoryOrigin(Path directory) {
        this.directory = directory;
    }

    @Override
    public String address() {
        return directory.toString();
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    public Origin pastCaches() {
        return null;
    }

    @Override
    public PointerFile pointer(String path, ChannelState.Answer known, long now)
        throws IOException, PackError {
        byte[] bytes = read(path, Envelope.SIZE);
        return bytes == null ? null : new PointerFile(bytes, null, false);
    }

    @Override
    public byte[] read(String path, int limit) throws IOException, PackError {
        Path file = Disk.below(directory, path);
        return Disk.isFile(file) ? Disk.read(file, limit) : null;
    }

    @Override
    public void fetch(String path, FileReference wanted, Path target)
        throws IOException, PackError {
        Path source = Disk.below(directory, path);
        if (!Disk.isFile(source)) {
            throw Origin.missing(path);
        }
        MessageDigest hash = Bytes.sha256();
        byte[] piece = new byte[Disk.PIECE];
        long size = 0;
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ);
            FileChannel out = Disk.create(target)) {
            ByteBuffer buffer = ByteBuffer.wrap(piece);
            while (size <= wanted.size && in.read(buffer) >= 0) {
                hash.update(piece, 0, buffer.position());
                Disk.write(out, piece, 0, buffer.position());
                size += buffer.position();
                ((java.nio.Buffer) buffer).clear();
            }
        }
        if (size != wanted.size || !Bytes.hex(hash.digest()).equals(wanted.sha256)) {
            throw Origin.differs(path, "does not match its pointer");
        }
    }
}
