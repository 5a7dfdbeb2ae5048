package packtool.client;

import java.util.ArrayList;
import java.util.List;

/** A release that a pointer offers: the pointer's own, or a fallback. */
final class Entry {
    static final int ASSETS = 200_000;
    static final long TREE = 16L << 30;
    private static final int DELTAS = 100;

    /** A delta to this release, and the work of applying it. */
    static final class Delta {
        final String from;
        final String fromHash;
        final FileReference file;
        final long memory;
        final long coded;
        final long copied;

        private Delta(Members members) throws PackError {
            from = members.version("from");
            fromHash = members.digest("fromHash");
            file = FileReference.read(members);
            memory = members.integer("memory", 0);
            coded = members.isMissing("coded") ? 0 : members.integer("coded", 0);
            copied = members.isMissing("copied") ? 0 : members.integer("copied", 0);
        }
    }

    final String version;
    final String packageHash;
    /** The number of files, and their bytes. */
    final long assets;
    final long size;
    final String label;
    final String launch;
    final FileReference info;
    final FileReference archive;
    final List<Delta> deltas = new ArrayList<>();
    final int rollout;
    final String salt;
    private final NativeRange others;
    /** Null for those of clients that name no platform. */
    private final NativeRange ios;
    private final NativeRange android;

    private Entry(Members members) throws PackError {
        version = members.version("version");
        packageHash = members.digest("packageHash");
        if (!packageHash.startsWith(version)) {
            throw members.invalid("packageHash", "is not that of 'version'");
        }
        Members tree = members.object("tree");
        assets = tree.integer("assets", 0, ASSETS);
        size = tree.integer("size", 0);
        label = members.stringOrNull("label");
        launch = members.stringOrNull("launch");
        if (launch != null && Names.problemOfBuild(launch) != null) {
            throw members.invalid("launch", Names.problemOfBuild(launch));
        }
        info = FileReference.read(members.object("info"));
        archive = FileReference.read(members.object("package"));
        for (Members one : members.objects("deltas", DELTAS)) {
            deltas.add(new Delta(one));
        }
        rollout = (int) members.integer("rollout", 0, 100);
        salt = members.stringOrNull("rolloutSalt", 64);
        others = new NativeRange(members);
        Members platforms = members.objectOrNull("platforms");
        ios = range(platforms, "ios");
        android = range(platforms, "android");
    }

    private static NativeRange range(Members platforms, String name) throws PackError {
        Members range = platforms == null ? null : platforms.objectOrNull(name);
        return range == null ? null : new NativeRange(range);
    }

    /** The app versions that can run the release; a null platform is unnamed. */
    NativeRange range(String platform) {
        NativeRange own = "ios".equals(platform) ? ios : "android".equals(platform) ? android : null;
        return own == null ? others : own;
    }

    static Entry read(Members members) throws PackError {
        return new Entry(members);
    }

    /** The name of the release in messages. */
    String name() {
        return label == null ? "release " + version : "release " + Names.printable(label);
    }

    /** The path of the release's manifest at the origin. */
    String infoPath() {
        String last = info.url.substring(info.url.lastIndexOf('/') + 1);
        return "releases/" + version + "/" + last;
    }

    String packagePath() {
        return "releases/" + version + "/package.zip";
    }

    String deltaPath(Delta delta) {
        return "releases/" + version + "/delta-" + delta.from + ".zip";
    }

    /** Refuses URLs that are not the base URL and the paths of the origin. */
    void checkURLs() throws PackError {
        int cut = info.url.lastIndexOf("/releases/");
        String base = cut < 0 ? "" : info.url.substring(0, cut);
        String folder = base + "/releases/" + version + "/";
        boolean isInfo = info.url.equals(folder + "info.json")
            || info.url.equals(folder + "info-" + info.sha256.substring(0, 16) + ".json");
        boolean isRight = isBase(base) && isInfo && archive.url.equals(folder + "package.zip");
        for (Delta delta : deltas) {
            isRight &= delta.file.url.equals(folder + "delta-" + delta.from + ".zip");
        }
        if (!isRight) {
            throw PackError.origin("origin.url-elsewhere",
                "the URLs of " + name() + " are not the paths of its origin");
        }
    }

    /** Whether a text is a base URL. */
    static boolean isBase(String text) {
        int start = text.startsWith("https://") ? 8 : text.startsWith("http://") ? 7 : -1;
        if (start < 0) {
            return false;
        }
        String rest = text.substring(start);
        int slash = rest.indexOf('/');
        String host = slash < 0 ? rest : rest.substring(0, slash);
        if (host.isEmpty() || host.startsWith(":") || rest.indexOf('?') >= 0
            || rest.indexOf('#') >= 0 || host.indexOf('@') >= 0) {
            return false;
        }
        if (slash >= 0) {
            for (String part : rest.substring(slash + 1).split("/", -1)) {
                if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                    return false;
                }
            }
        }
        for (int index = 0; index < text.length(); index++) {
            if (text.charAt(index) <= 0x20 || text.charAt(index) >= 0x7F) {
                return false;
            }
        }
        return true;
    }
}
