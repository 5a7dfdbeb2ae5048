package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The route by single files: those of a release that no release on the device has. */
final class FileRoute {
    /** The manifest must be smaller than this part of the package to be read for a look. */
    private static final long MANIFEST_SHARE = 10;
    /** What a request costs, in bytes. */
    private static final long REQUEST = 2 << 10;

    /** A file of a release on the device. */
    private static final class Source {
        final Scan scan;
        final String path;

        Source(Scan scan, String path) {
            this.scan = scan;
            this.path = path;
        }
    }

    private final InstallRun run;
    private final Entry entry;
    private final Listing wanted;
    /** The files on the device by their hash. */
    private final Map<String, Source> known = new HashMap<>();

    /** Fetches the manifest, and checks that it is that of the pointer. */
    FileRoute(InstallRun run, Entry entry, String app) throws IOException, PackError {
        this.run = run;
        this.entry = entry;
        if (entry.info.size > Manifest.LIMIT) {
            throw PackError.origin("manifest.too-large", "a manifest is larger than 64 MiB");
        }
        Path file = run.installation.staging.resolve("info.json");
        run.origin.fetch(entry.infoPath(), entry.info, file);
        byte[] bytes = Disk.read(file, Manifest.LIMIT);
        Files.delete(file);
        wanted = Manifest.read(bytes, entry, app).listing;
    }

    /** Whether the manifest is worth reading for a look. */
    static boolean isPossible(Entry entry) {
        return entry.info.size < entry.archive.size / MANIFEST_SHARE;
    }

    /** Takes unchanged files from a release on the device. */
    void use(Scan scan) {
        for (Map.Entry<String, Listing.Content> file : scan.listing.entries()) {
            String hash = file.getValue().sha256;
            if (!known.containsKey(hash)) {
                known.put(hash, new Source(scan, file.getKey()));
            }
        }
    }

    /** The bytes of the manifest and of the files to fetch, with the cost of the requests. */
    long cost() {
        long cost = entry.info.size;
        for (Map.Entry<String, Listing.Content> file : wanted.entries()) {
            if (!known.containsKey(file.getValue().sha256)) {
                cost = Bytes.plus(cost, Bytes.plus(file.getValue().size, REQUEST));
            }
        }
        return cost;
    }

    /** Makes all files in an empty directory. */
    void take(Path tree) throws IOException, PackError {
        for (Map.Entry<String, Listing.Content> file : wanted.entries()) {
            Path target = Disk.below(tree, file.getKey());
            Files.createDirectories(target.getParent());
            String hash = file.getValue().sha256;
            long size = file.getValue().size;
            Source source = known.get(hash);
            if (source != null) {
                source.scan.provide(source.path, target);
                continue;
            }
            String name = file.getKey().substring(file.getKey().lastIndexOf('/') + 1);
            run.request.downloads.begin(size);
            run.origin.fetch("objects/" + hash + "/" + Percent.encoded(name),
                new FileReference("", hash, size), target);
            Scan.seal(target);
        }
    }
}
