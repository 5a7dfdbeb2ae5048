package packtool.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes a new tree from an old one and a delta, by docs/formats.md, "The delta". */
final class DeltaApplier {
    private static final int FILES = 200_000;
    private static final int SEGMENTS = 400_000;
    private static final long CODED = 8_000_000;
    private static final long BASE = 256 << 10;
    private static final long WORK = 4L << 30;
    private static final String MADE = "";

    private final DeltaFile delta;
    private final Scan base;
    private final Path tree;
    private final OldFiles old;
    private final List<StreamListing> streams = new ArrayList<>();
    /** Each new path, with the old path of an unchanged content, or {@link #MADE}. */
    private final Map<String, String> plan = new TreeMap<>(Bytes.ORDER);
    private final Map<String, Long> sizes = new TreeMap<>(Bytes.ORDER);
    private long outputs;

    /** @param tree an empty directory */
    DeltaApplier(DeltaFile delta, Scan base, Path tree) {
        this.delta = delta;
        this.base = base;
        this.tree = tree;
        old = new OldFiles(base.listing);
    }

    /**
     * Applies the delta.
     *
     * @param target the release that it must make; null for the one that it states
     * @param free the bytes that may be written
     * @return the files of the new tree, whose package hash was checked
     */
    Listing apply(Entry target, long free) throws IOException, PackError {
        if (!base.listing.packageHash().equals(delta.fromHash)) {
            throw PackError.origin("delta.wrong-base", "the delta is from another release");
        }
        readStreams();
        planNew();
        planOld();
        Names.check(plan.keySet(), java.util.Collections.emptyList(), "delta.other-tree");
        checkTree(target, free);
        checkWork();
        checkMemory();
        write();
        return verified();
    }

    private byte[] stream(int index) throws IOException, PackError {
        ZipReader.Entry entry = delta.zip.entries.get("patches/" + index);
        return ZipContent.bytes(delta.zip, entry,
            Math.min(delta.streams.get(index), UpdateLimits.MEMORY));
    }

    private void readStreams() throws IOException, PackError {
        KnownNames names = new KnownNames();
        StreamListing.Output last = null;
        long segments = 0;
        long coded = 0;
        for (int index = 0; index < delta.streams.size(); index++) {
            StreamListing stream = new StreamListing();
            byte[] data = stream(index);
            stream.readHeader(data);
            stream.readListing(data, old, names, last);
            last = stream.files.isEmpty() ? null : stream.files.get(stream.files.size() - 1);
            outputs += stream.files.size() + stream.copies.size();
            segments += stream.segments.size();
            coded += stream.coded;
            if (outputs > FILES || segments > SEGMENTS || coded > CODED) {
                throw PackError.origin("delta.too-much-work",
                    "a delta makes too many files, of too many pieces or bytes");
            }
            streams.add(stream);
        }
    }

    private void plan(String path, String source, long size) throws PackError {
        if (plan.put(path, source) != null) {
            throw DeltaFile.notADelta("it makes '" + Names.printable(path) + "' twice");
        }
        sizes.put(path, size);
    }

    private void planNew() throws PackError {
        for (String path : delta.added) {
            plan(path, MADE, delta.zip.entries.get("files/" + path).size);
        }
        for (Map.Entry<String, String> copy : delta.copies.entrySet()) {
            if (!base.listing.has(copy.getValue())) {
                throw DeltaFile.notADelta("it copies a file that the old release does not have");
            }
            plan(copy.getKey(), copy.getValue(), base.listing.get(copy.getValue()).size);
        }
        for (StreamListing stream : streams) {
            for (StreamListing.Output file : stream.files) {
                if (file.isContinued) {
                    sizes.put(file.path, Bytes.plus(sizes.get(file.path), file.size));
                } else {
                    plan(file.path, MADE, file.size);
                }
            }
            for (StreamListing.Output copy : stream.copies) {
                plan(copy.path, old.name(copy.base), copy.size);
            }
        }
    }

    /** Old files stay, unless they are made anew, deleted or renamed by a stream. */
    private void planOld() throws PackError {
        Set<String> gone = new HashSet<>(delta.deleted);
        for (StreamListing stream : streams) {
            for (List<StreamListing.Output> outputs : java.util.Arrays.asList(
                stream.files, stream.copies)) {
                for (StreamListing.Output output : outputs) {
                    if (output.base >= 0 && !output.keepsBase
                        && !old.name(output.base).equals(output.path)) {
                        gone.add(old.name(output.base));
                    }
                }
            }
        }
        for (String path : delta.deleted) {
            if (!base.listing.has(path)) {
                throw DeltaFile.notADelta("it deletes a file that the old release does not have");
            }
        }
        for (String path : base.listing.paths()) {
            if (!gone.contains(path) && !plan.containsKey(path)) {
                plan(path, path, base.listing.get(path).size);
            }
        }
    }

    private void checkTree(Entry target, long free) throws PackError {
        long size = 0;
        for (long one : sizes.values()) {
            size = Bytes.plus(size, one);
        }
        long files = plan.size();
        boolean isRight = target == null ? size <= Entry.TREE && files <= Entry.ASSETS
            : files == target.assets && size == target.size;
        if (!isRight) {
            throw PackError.origin("delta.other-tree",
                "the delta makes " + files + " files of " + size + " bytes, not the release");
        }
        if (size > free) {
            throw new PackError("install.no-space",
                "the new release needs " + size + " bytes, and " + free + " are free",
                "free some space");
        }
    }

    private void checkWork() throws PackError {
        long work = 256 * outputs;
        long made = 0;
        long names = namesLength();
        for (int index = 0; index < streams.size(); index++) {
            StreamListing stream = streams.get(index);
            made = Bytes.plus(made, stream.output());
            work = Bytes.plus(work, delta.streams.get(index) + 16_384L * stream.segments.size());
            work = Bytes.plus(work, 8 * (stream.dictionary() + names));
            Map<Integer, Long> lengths = new TreeMap<>();
            for (StreamListing.Segment segment : stream.segments) {
                lengths.put(segment.file, segment.length);
            }
            for (StreamListing.Output file : stream.files) {
                Long length = file.size == 0 ? null : lengths.get(file.base);
                if (length != null) {
                    work = Bytes.plus(work,
                        file.path.endsWith(".map") ? length : Math.min(length, BASE));
                }
            }
        }
        if (work > WORK + 64 * Bytes.plus(base.listing.size(), made)) {
            throw PackError.origin("delta.too-much-work", "the delta needs too much work");
        }
    }

    /** The length of the names in each text, which are those of all streams. */
    private long namesLength() {
        long length = 0;
        for (StreamListing stream : streams) {
            for (List<StreamListing.Output> outputs : java.util.Arrays.asList(
                stream.files, stream.copies)) {
                for (StreamListing.Output output : outputs) {
                    length += Bytes.utf8(output.path).length + 1
                        + (output.removed == null ? 0 : output.removed.length + 1);
                }
            }
        }
        return length;
    }

    private void checkMemory() throws PackError {
        long needed = delta.largestStream() + (2 << 20) + 4L * delta.descriptionLength;
        needed += pathMemory(base.listing.paths()) + pathMemory(plan.keySet());
        if (needed > delta.memory || delta.memory > UpdateLimits.MEMORY) {
            throw PackError.origin(
                "delta.too-much-memory", "the delta needs more memory than it states, or 512 MiB");
        }
    }

    private static long pathMemory(Iterable<String> paths) {
        long memory = 0;
        Set<String> folders = new HashSet<>();
        for (String path : paths) {
            memory += 320 + 4L * Bytes.utf8(path).length;
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                String folder = path.substring(0, slash);
                if (folders.add(folder)) {
                    memory += 320 + 4L * Bytes.utf8(folder).length;
                }
            }
        }
        return memory;
    }

    private Path target(String path) throws IOException {
        Path target = Disk.below(tree, path);
        Files.createDirectories(target.getParent());
        return target;
    }

    private void write() throws IOException, PackError {
        for (Map.Entry<String, String> file : plan.entrySet()) {
            if (!file.getValue().equals(MADE)) {
                base.provide(file.getValue(), target(file.getKey()));
            }
        }
        for (String path : delta.added) {
            try (FileChannel out = Disk.create(target(path))) {
                ZipContent.unpack(delta.zip, delta.zip.entries.get("files/" + path),
                    (data, start, length) -> Disk.write(out, data, start, length));
            }
        }
        for (int index = 0; index < streams.size(); index++) {
            StreamListing stream = streams.get(index);
            byte[] data = stream(index);
            long stated = delta.streams.get(index);
            DeltaText text = new DeltaText(stream, streams, stated, data.length);
            text.decode(data, base.tree, old, stated);
            int at = text.out;
            for (StreamListing.Output file : stream.files) {
                append(file, text.text, at);
                at += (int) file.size;
            }
        }
    }

    private void append(StreamListing.Output file, byte[] text, int start) throws IOException {
        Path target = target(file.path);
        try (FileChannel out = file.isContinued
            ? FileChannel.open(target, StandardOpenOption.APPEND) : Disk.create(target)) {
            Disk.write(out, text, start, (int) file.size);
        }
    }

    /** Hashes the files that were made, as they are on the disk. */
    private Listing verified() throws IOException, PackError {
        Listing listing = new Listing();
        byte[] piece = new byte[Disk.PIECE];
        for (Map.Entry<String, String> file : plan.entrySet()) {
            if (!file.getValue().equals(MADE)) {
                listing.add(file.getKey(), base.listing.get(file.getValue()));
                continue;
            }
            Path path = Disk.below(tree, file.getKey());
            MessageDigest hash = Bytes.sha256();
            long size = 0;
            try (FileChannel in = FileChannel.open(
                path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                java.nio.ByteBuffer buffer = java.nio.ByteBuffer.wrap(piece);
                while (in.read(buffer) >= 0) {
                    hash.update(piece, 0, buffer.position());
                    size += buffer.position();
                    ((java.nio.Buffer) buffer).clear();
                }
            }
            listing.add(file.getKey(), new Listing.Content(Bytes.hex(hash.digest()), size));
            Scan.seal(path);
        }
        if (!listing.packageHash().equals(delta.toHash)) {
            throw PackError.origin(
                "delta.wrong-result", "the delta makes another release than it states");
        }
        return listing;
    }
}
