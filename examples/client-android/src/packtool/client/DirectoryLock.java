package packtool.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A lock of an installation, for one owner in all processes.
 *
 * <p>A process loses such a lock if it closes another channel of the file. So this process opens
 * the file of a lock that it has only once.
 */
final class DirectoryLock implements AutoCloseable {
    private static final Set<Path> HELD = new HashSet<>();

    private final Path path;
    private final FileChannel file;

    private DirectoryLock(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /** Takes a lock; {@code null} if it has another owner. */
    static DirectoryLock take(Path directory, String name) throws IOException {
        Path path = directory.toRealPath().resolve(name);
        synchronized (HELD) {
            if (!HELD.add(path)) {
                return null;
            }
        }
        FileChannel file = null;
        boolean isTaken = false;
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE, java.nio.file.LinkOption.NOFOLLOW_LINKS);
            FileLock lock = file.tryLock();
            isTaken = lock != null;
        } catch (OverlappingFileLockException error) {
            isTaken = false;
        } finally {
            if (!isTaken) {
                release(path, file);
            }
        }
        return isTaken ? new DirectoryLock(path, file) : null;
    }

    /** The content of a lock's file; null if this process has the lock, and must not open it. */
    static byte[] read(Path directory, String name, int limit) throws IOException {
        Path path = directory.toRealPath().resolve(name);
        synchronized (HELD) {
            return HELD.contains(path) ? null : Disk.read(path, limit);
        }
    }

    /** Makes the lock's file have some content. */
    void fill(byte[] content) throws IOException {
        ByteBuffer known = ByteBuffer.allocate(content.length);
        file.read(known, 0);
        if (file.size() == content.length && java.util.Arrays.equals(known.array(), content)) {
            return;
        }
        file.truncate(0);
        file.write(ByteBuffer.wrap(content), 0);
        file.force(true);
    }

    private static void release(Path path, FileChannel file) throws IOException {
        try {
            if (file != null) {
                file.close();
            }
        } finally {
            synchronized (HELD) {
                HELD.remove(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        release(path, file);
    }
}
