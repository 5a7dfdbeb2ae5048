package packtool.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

/** A tree on disk, every file hashed once, and the source of unchanged files for a new tree. */
final class Scan {
    /** What a file was when it was hashed. */
    private static final class Stamp {
        final Object key;
        final long size;
        final FileTime time;

        Stamp(BasicFileAttributes attributes) {
            key = attributes.fileKey();
            size = attributes.size();
            time = attributes.lastModifiedTime();
        }

        boolean isSame(BasicFileAttributes attributes) {
            return key != null && key.equals(attributes.fileKey()) && size == attributes.size()
                && time.equals(attributes.lastModifiedTime());
        }
    }

    final Path tree;
    final Listing listing = new Listing();
    /** CRC-32 of each file, by path. */
    final Map<String, Long> checksums = new HashMap<>();
    /** Whether the tree has nothing but files that a release can have. */
    boolean isClean = true;
    private final Map<String, Stamp> stamps = new HashMap<>();
    /** Whether files can be linked; Android's rules for apps forbid it. */
    private boolean canLink;

    private Scan(Path tree, boolean canLink) {
        this.tree = tree;
        this.canLink = canLink;
    }

    /**
     * Hashes a tree.
     *
     * @param canLink whether its files may be linked: never those of the app itself
     */
    static Scan of(Path tree, boolean canLink) throws IOException {
        Scan scan = new Scan(tree, canLink);
        byte[] piece = new byte[Disk.PIECE];
        Files.walkFileTree(tree, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                scan.isClean &= folder.equals(tree) || !isJunk(folder);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
                if (!attributes.isRegularFile() || isJunk(file)) {
                    scan.isClean = false;
                    return FileVisitResult.CONTINUE;
                }
                scan.hash(file, attributes, piece);
                return FileVisitResult.CONTINUE;
            }
        });
        return scan;
    }

    private static boolean isJunk(Path path) {
        return Names.isJunk(path.getFileName().toString());
    }

    private void hash(Path file, BasicFileAttributes attributes, byte[] piece) throws IOException {
        MessageDigest hash = Bytes.sha256();
        CRC32 checksum = new CRC32();
        long size = 0;
        try (FileChannel channel = FileChannel.open(
            file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            java.nio.ByteBuffer buffer = java.nio.ByteBuffer.wrap(piece);
            while (channel.read(buffer) >= 0) {
                hash.update(piece, 0, buffer.position());
                checksum.update(piece, 0, buffer.position());
                size += buffer.position();
                ((java.nio.Buffer) buffer).clear();
            }
        }
        String path = tree.relativize(file).toString();
        listing.add(path, new Listing.Content(Bytes.hex(hash.digest()), size));
        checksums.put(path, checksum.getValue());
        stamps.put(path, new Stamp(attributes));
    }

    /** Makes a file of a new tree from an unchanged one: a link if possible, else a copy. */
    void provide(String path, Path target) throws IOException, PackError {
        Path source = Disk.below(tree, path);
        if (canLink && link(path, source, target)) {
            return;
        }
        Listing.Content content = listing.get(path);
        MessageDigest hash = Bytes.sha256();
        byte[] piece = new byte[Disk.PIECE];
        try (FileChannel in =
                FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            FileChannel out = Disk.create(target)) {
            java.nio.ByteBuffer buffer = java.nio.ByteBuffer.wrap(piece);
            while (in.read(buffer) >= 0) {
                hash.update(piece, 0, buffer.position());
                Disk.write(out, piece, 0, buffer.position());
                ((java.nio.Buffer) buffer).clear();
            }
        }
        if (!Bytes.hex(hash.digest()).equals(content.sha256)) {
            throw new PackError("build.changed-while-read",
                "'" + source + "' changed during the update", "try again");
        }
        seal(target);
    }

    private boolean link(String path, Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
        } catch (IOException | UnsupportedOperationException | SecurityException error) {
            // Another file system, too many links, another owner, or a system without links.
            canLink = !(error instanceof UnsupportedOperationException)
                && !(error instanceof java.nio.file.AccessDeniedException);
            return false;
        }
        BasicFileAttributes linked = Files.readAttributes(
            target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (stamps.get(path).isSame(linked)) {
            return true;
        }
        Files.delete(target);
        return false;
    }

    /** Makes a file of an installation read-only. */
    static void seal(Path file) {
        // The mode is no part of a release: a system without it does no harm.
        file.toFile().setReadOnly();
    }
}
