package packtool.client;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Downloads a release into {@code .staging/tree} by the first route that works: deltas, the files
 * that differ, the package, all files.
 */
final class Routes {
    private final InstallRun run;
    private final Pointer pointer;
    private final TrustRoot root;
    private final Entry entry;
    private final List<InstallRun.Base> bases;
    private final Map<InstallRun.Base, Scan> scans = new HashMap<>();
    private final Path staging;
    private final Path tree;
    /** The route that worked: {@code delta}, {@code files} or {@code package}. */
    String route;

    Routes(InstallRun run, PointerIntake.Offer offer, Entry entry, List<InstallRun.Base> bases) {
        this.run = run;
        this.pointer = offer.pointer;
        this.root = offer.root;
        this.entry = entry;
        this.bases = bases;
        staging = run.installation.staging;
        tree = staging.resolve("tree");
    }

    /** The files of the new tree, which are durable and verified. */
    Listing take() throws IOException, PackError {
        if (entry.size > Entry.TREE) {
            throw new PackError("install.over-limit",
                "the release has more than 16 GiB", "publish a smaller one");
        }
        Listing listing = byDeltas();
        if (listing == null) {
            listing = byMissingFiles();
        }
        if (listing == null) {
            route = "package";
            listing = byPackage();
        }
        return listing;
    }

    /** Whether another route could work after an error. */
    private static boolean isLocalOrTransient(PackError error) {
        return error.isOf("file-system") || error.code.equals("install.no-space")
            || error.code.equals("http.unreachable") || error.code.equals("http.too-slow");
    }

    private void clear() throws IOException {
        Disk.remove(staging);
        Files.createDirectory(staging);
    }

    private Scan scan(InstallRun.Base base) throws IOException {
        Scan scan = scans.get(base);
        if (scan == null) {
            scan = InstallRun.scan(base);
            scans.put(base, scan);
        }
        return scan;
    }

    private long freeBytes() {
        long free = run.installation.directory.toFile().getUsableSpace();
        return free - Math.min(free, run.request.limits.spaceToLeave);
    }

    private void checkSpace(long needed) throws PackError {
        if (freeBytes() < needed) {
            throw new PackError("install.no-space", "the update needs " + needed
                + " bytes, and " + freeBytes() + " are free", "free some space");
        }
    }

    private Listing byDeltas() throws IOException, PackError {
        List<String> versions = new ArrayList<>();
        for (InstallRun.Base base : bases) {
            versions.add(base.copy.version);
        }
        DeltaRoute found = DeltaRoute.find(versions, pointer, entry, run.origin, root);
        if (found == null || !isAllowed(found)) {
            return null;
        }
        InstallRun.Base base = bases.get(versions.indexOf(found.from()));
        try {
            double begun = run.request.seconds.now();
            run.request.downloads.begin(found.size());
            for (int index = 0; index < found.deltas.size(); index++) {
                Entry.Delta delta = found.deltas.get(index);
                run.origin.fetch(found.targets.get(index).deltaPath(delta), delta.file,
                    staging.resolve("delta-" + index + ".zip"));
            }
            double fetching = run.request.seconds.now() - begun;
            Scan scan = scan(base);
            if (!scan.isClean) {
                clear();
                return null;
            }
            if (!run.request.isMetered && run.origin.isRemote()
                && UpdateTime.prefersPackage(entry, found.deltas, fetching, run.speed)) {
                run.notes.add("the package is faster on this link than applying the delta");
                clear();
                return null;
            }
            Listing listing = apply(found, scan);
            route = "delta";
            return listing;
        } catch (PackError error) {
            if (isLocalOrTransient(error)) {
                throw error;
            }
            run.notes.add("the delta failed; installed without it: " + error);
            clear();
            return null;
        }
    }

    private boolean isAllowed(DeltaRoute found) {
        UpdateLimits limits = run.request.limits;
        for (Entry.Delta delta : found.deltas) {
            if (delta.memory > limits.memory) {
                return false;
            }
        }
        return found.size() <= limits.bytes
            && UpdateTime.applying(found.deltas, run.speed) <= limits.seconds;
    }

    private Listing apply(DeltaRoute found, Scan first) throws IOException, PackError {
        Scan scan = first;
        Listing listing = null;
        double begun = run.request.seconds.now();
        for (int index = 0; index < found.deltas.size(); index++) {
            boolean isLast = index == found.deltas.size() - 1;
            Path target = isLast ? tree : staging.resolve("between");
            Files.createDirectory(target);
            try (DeltaFile delta = new DeltaFile(
                staging.resolve("delta-" + index + ".zip"), found.deltas.get(index).memory)) {
                delta.checkOffer(found.deltas.get(index), found.targets.get(index));
                listing = new DeltaApplier(delta, scan, target)
                    .apply(found.targets.get(index), freeBytes());
            }
            if (!isLast) {
                scan = Scan.of(target, true);
            }
        }
        run.speed = UpdateTime.measured(run.speed, run.request.seconds.now() - begun,
            UpdateTime.applying(found.deltas, 100L));
        Disk.syncTree(tree);
        return listing;
    }

    /** Takes the files that no release on the device has, if they are smaller than the package. */
    private Listing byMissingFiles() throws IOException, PackError {
        if (bases.isEmpty() || !FileRoute.isPossible(entry)) {
            return null;
        }
        try {
            FileRoute files = files();
            for (InstallRun.Base base : bases) {
                files.use(scan(base));
            }
            long limit = Math.min(entry.archive.size, run.request.limits.bytes);
            if (files.cost() > limit) {
                return null;
            }
            route = "files";
            return byFiles(files);
        } catch (PackError error) {
            if (isLocalOrTransient(error)) {
                throw error;
            }
            run.notes.add("single files failed; installed from the package: " + error);
            clear();
            return null;
        }
    }

    private FileRoute files() throws IOException, PackError {
        return new FileRoute(run, entry, pointer.app);
    }

    private Listing byFiles(FileRoute files) throws IOException, PackError {
        checkSpace(Bytes.plus(entry.size, 1 << 20));
        Files.createDirectory(tree);
        files.take(tree);
        return complete();
    }

    /** Downloads and unpacks the package, or the single files. */
    private Listing byPackage() throws IOException, PackError {
        if (entry.archive.size > run.request.limits.bytes) {
            throw new PackError("install.over-limit", "the update needs " + entry.archive.size
                + " bytes, more than the limit", "update on another network");
        }
        checkSpace(Bytes.plus(Bytes.plus(entry.size, entry.archive.size), 1 << 20));
        run.request.downloads.begin(entry.archive.size);
        Path archive = staging.resolve("package.zip");
        try {
            run.origin.fetch(entry.packagePath(), entry.archive, archive);
        } catch (PackError error) {
            boolean concernsOneFile =
                error.isOf("origin") || error.isOf("http") && !isLocalOrTransient(error);
            if (!run.origin.isRemote() || !concernsOneFile) {
                throw error;
            }
            run.notes.add("the package failed; installed from single files: " + error);
            return byFiles(files());
        }
        Scan previous = bases.isEmpty() ? null : previous();
        try {
            return unpack(archive, previous);
        } catch (PackError error) {
            boolean meansOtherPrevious = error.code.equals("build.changed-while-read")
                || error.code.equals("install.tree-differs");
            if (previous == null || !meansOtherPrevious) {
                throw error;
            }
            Disk.remove(tree);
            return unpack(archive, null);
        }
    }

    private Scan previous() {
        try {
            return scan(bases.get(0));
        } catch (IOException error) {
            // A damaged tree has nothing to take from; the package has all files.
            return null;
        }
    }

    private Listing unpack(Path archive, Scan previous) throws IOException, PackError {
        try (ZipReader zip = new ZipReader(archive)) {
            if (zip.entries.size() != entry.assets || zip.size != entry.size) {
                throw Origin.differs(entry.packagePath(), "has another tree than its pointer");
            }
            Map<String, String> known = new HashMap<>();
            if (previous != null) {
                for (Map.Entry<String, Listing.Content> file : previous.listing.entries()) {
                    known.put(file.getValue().size + " " + previous.checksums.get(file.getKey()),
                        file.getKey());
                }
            }
            Map<String, String> kept = new LinkedHashMap<>();
            Files.createDirectory(tree);
            long unpacked = 0;
            double begun = run.request.seconds.now();
            for (ZipReader.Entry file : zip.entries.values()) {
                Path target = Disk.below(tree, file.path);
                Files.createDirectories(target.getParent());
                String source = known.get(file.size + " " + file.checksum);
                if (source != null) {
                    kept.put(file.path, source);
                    continue;
                }
                unpacked += file.size;
                try (FileChannel out = Disk.create(target)) {
                    ZipContent.unpack(zip, file,
                        (data, start, length) -> Disk.write(out, data, start, length));
                }
                Scan.seal(target);
            }
            run.speed = UpdateTime.measured(run.speed, run.request.seconds.now() - begun,
                UpdateTime.unpacking(unpacked, zip.entries.size() - kept.size(), 100L));
            for (Map.Entry<String, String> file : kept.entrySet()) {
                previous.provide(file.getValue(), Disk.below(tree, file.getKey()));
            }
            return complete();
        }
    }

    /** Verifies the tree on disk by its package hash, and makes it durable. */
    private Listing complete() throws IOException, PackError {
        Listing listing = Scan.of(tree, false).listing;
        if (!listing.fits(entry) || !listing.packageHash().equals(entry.packageHash)) {
            throw PackError.origin("install.tree-differs",
                "the files of version " + entry.version + " do not have its package hash");
        }
        Disk.syncTree(tree);
        return listing;
    }
}
