package packtool.client;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A release's {@code info.json}: read for the route by single files. */
final class Manifest {
    private static final String INVALID = "manifest.invalid";
    static final int LIMIT = 64 << 20;

    /** The files, in byte order of their paths. */
    final Listing listing = new Listing();

    private Manifest() {}

    /** Reads the manifest that a pointer names, and checks that it is that of the entry. */
    static Manifest read(byte[] bytes, Entry entry, String app) throws PackError {
        Members root = Json.parse(bytes, INVALID);
        root.integer("schema", 1, 1);
        String packageHash = root.digest("packageHash");
        if (!packageHash.startsWith(root.version("version"))) {
            throw root.invalid("version", "is not that of 'packageHash'");
        }
        root.string("scheme");
        String launch = root.stringOrNull("launch");
        List<String> files = root.strings("files", Entry.ASSETS);
        List<Members> assets = root.objects("assets", Entry.ASSETS);
        if (files.size() != assets.size()) {
            throw root.invalid("files", "is not the list of the assets' URLs");
        }
        Manifest manifest = new Manifest();
        List<String> paths = new ArrayList<>();
        for (int index = 0; index < files.size(); index++) {
            manifest.add(assets.get(index), files.get(index), paths);
        }
        Names.check(paths, Collections.emptyList(), INVALID);
        if (launch != null && !manifest.listing.has(launch)) {
            throw root.invalid("launch", "is not one of the assets");
        }
        if (!manifest.listing.packageHash().equals(packageHash)) {
            throw root.invalid("packageHash", "is not that of the assets");
        }
        FileReference archive = FileReference.read(root.object("package"));
        boolean isOfEntry = packageHash.equals(entry.packageHash) && root.app("app").equals(app)
            && archive.sha256.equals(entry.archive.sha256) && archive.size == entry.archive.size
            && archive.url.equals(entry.archive.url) && manifest.listing.fits(entry);
        if (!isOfEntry) {
            throw Origin.differs(entry.infoPath(), "is not that of the pointer");
        }
        return manifest;
    }

    private void add(Members asset, String url, List<String> paths) throws PackError {
        String path = asset.string("path");
        asset.string("type");
        if (!asset.string("url").equals(url)) {
            throw asset.invalid("url", "is not the one in 'files'");
        }
        if (!paths.isEmpty() && Bytes.ORDER.compare(paths.get(paths.size() - 1), path) >= 0) {
            throw asset.invalid("path", "is not in ascending order");
        }
        String name = Bytes.text(decoded(url.substring(url.lastIndexOf('/') + 1)));
        if (!path.substring(path.lastIndexOf('/') + 1).equals(name)) {
            throw asset.invalid("url", "does not end with the name of the file");
        }
        paths.add(path);
        listing.add(path, new Listing.Content(asset.digest("sha256"), asset.integer("size", 0)));
    }

    /** The bytes of a percent-encoded text. */
    static byte[] decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] encoded = Bytes.utf8(text);
        for (int index = 0; index < encoded.length; index++) {
            int high = index + 2 < encoded.length ? Character.digit(encoded[index + 1], 16) : -1;
            int low = index + 2 < encoded.length ? Character.digit(encoded[index + 2], 16) : -1;
            if (encoded[index] == '%' && high >= 0 && low >= 0) {
                bytes.write(high * 16 + low);
                index += 2;
            } else {
                bytes.write(encoded[index]);
            }
        }
        return bytes.toByteArray();
    }
}
