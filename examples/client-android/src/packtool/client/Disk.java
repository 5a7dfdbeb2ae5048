package packtool.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Durable writes, and reads that follow no symbolic links. */
final class Disk {
    static final int PIECE = 64 << 10;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Disk() {}

    /** 32 random hexadecimal digits. */
    static String uniqueName() {
        byte[] data = new byte[16];
        RANDOM.nextBytes(data);
        return Bytes.hex(data);
    }

    /** A path below a directory; names that this system cannot have are refused. */
    static Path below(Path directory, String path) throws IOException {
        try {
            return directory.resolve(path);
        } catch (InvalidPathException error) {
            throw new IOException("this system has no file name " + Names.printable(path), error);
        }
    }

    static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isFile(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** The bytes of a file; a larger one is refused. */
    static byte[] read(Path path, int limit) throws IOException {
        try (FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long size = file.size();
            if (size > limit) {
                throw new IOException(path + " is larger than " + limit + " bytes");
            }
            ByteBuffer data = ByteBuffer.allocate((int) size);
            while (data.hasRemaining() && file.read(data) >= 0) {
                continue;
            }
            byte[] bytes = new byte[data.position()];
            System.arraycopy(data.array(), 0, bytes, 0, bytes.length);
            return bytes;
        }
    }

    static FileChannel create(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    static void write(FileChannel file, byte[] data, int start, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(data, start, length);
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    /** Replaces a file in one step, durably. */
    static void replace(Path draft, Path path, byte[] data) throws IOException {
        Files.deleteIfExists(draft);
        try (FileChannel file = create(draft)) {
            write(file, data, 0, data.length);
            file.force(true);
        }
        try {
            move(draft, path);
        } catch (IOException error) {
            Files.deleteIfExists(draft);
            throw error;
        }
        sync(path.getParent());
    }

    static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Makes the names in a directory durable, or the content of a file. */
    static void sync(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            file.force(true);
        }
    }

    /** Makes a tree durable, with the names of all its directories. */
    static void syncTree(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
                sync(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException error)
                throws IOException {
                sync(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Removes a file or a directory with its content, if it exists. */
    static void remove(Path path) throws IOException {
        if (!exists(path)) {
            return;
        }
        Files.walkFileTree(path, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException error)
                throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static void makeDirectory(Path path) throws IOException {
        if (!isDirectory(path)) {
            Files.createDirectory(path);
        }
    }

    /** The names in a directory. */
    static List<String> names(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path path : stream) {
                names.add(path.getFileName().toString());
            }
        } catch (java.nio.file.DirectoryIteratorException error) {
            throw error.getCause();
        }
        return names;
    }
}
