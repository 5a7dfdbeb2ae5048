package packtool.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A delta: its archive and its description, {@code delta.json}. */
final class DeltaFile implements AutoCloseable {
    private static final String INVALID = "delta.not-a-delta";
    private static final String DESCRIPTION = "delta.json";
    private static final int LIMIT = 64 << 20;
    private static final int MEMBERS = 1000;
    private static final int PATHS = 400_000;

    final ZipReader zip;
    final String fromHash;
    final String toHash;
    final Set<String> deleted = new HashSet<>();
    /** New paths, and the old ones with their content. */
    final Map<String, String> copies = new LinkedHashMap<>();
    final List<String> added = new ArrayList<>();
    /** The memory that each stream states. */
    final List<Long> streams = new ArrayList<>();
    /** The memory that the whole delta states, and the length of its description. */
    final long memory;
    final int descriptionLength;

    /** @param allowed the memory that the pointer states, or that may be used */
    DeltaFile(Path file, long allowed) throws IOException, PackError {
        zip = new ZipReader(file);
        boolean isRight = false;
        try {
            if (zip.entries.isEmpty()
                || !zip.entries.keySet().iterator().next().equals(DESCRIPTION)) {
                throw notADelta("its first member is not " + DESCRIPTION);
            }
            ZipReader.Entry description = zip.entries.get(DESCRIPTION);
            if (4 * Math.min(description.size, LIMIT) + (2 << 20) > allowed) {
                throw DeltaText.tooMuch();
            }
            byte[] bytes = ZipContent.bytes(zip, description, LIMIT);
            descriptionLength = bytes.length;
            Members root = Json.parse(bytes, INVALID);
            if (root.names().size() > MEMBERS) {
                throw notADelta("its description has too many members");
            }
            root.integer("schema", 1, 1);
            fromHash = hash(root, "from");
            toHash = hash(root, "to");
            if (!root.string("codec").equals("aligned/1")) {
                throw notADelta("its codec is not 'aligned/1'");
            }
            readLists(root);
            checkManifest(root);
            memory = readStreams(root);
            isRight = true;
        } finally {
            if (!isRight) {
                zip.close();
            }
        }
    }

    static PackError invalid(String problem) {
        return PackError.origin("delta.invalid-stream", problem);
    }

    static PackError notADelta(String problem) {
        return PackError.origin(INVALID, "a delta was refused: " + problem);
    }

    private static String hash(Members root, String name) throws PackError {
        String hash = root.digest(name + "Hash");
        if (!hash.startsWith(root.version(name))) {
            throw root.invalid(name, "is not that of the package hash");
        }
        return hash;
    }

    private void readLists(Members root) throws PackError {
        for (String path : root.strings("delete", PATHS)) {
            if (!deleted.add(path)) {
                throw root.invalid("delete", "has a path twice");
            }
        }
        Members copied = root.object("copy");
        for (String path : copied.names()) {
            copies.put(path, copied.string(path));
        }
        added.addAll(root.strings("add", PATHS));
    }

    /** The part of the new manifest: no update needs it, but a wrong one shows damage. */
    private static void checkManifest(Members root) throws PackError {
        Members info = root.objectOrNull("info");
        if (info == null) {
            return;
        }
        info.app("app");
        info.string("scheme");
        Members build = info.object("build");
        build.string("tool");
        build.stringOrNull("commit");
        String launch = info.stringOrNull("launch");
        if (launch != null && Names.problemOfBuild(launch) != null) {
            throw info.invalid("launch", "is not a path");
        }
        if (!Entry.isBase(info.string("baseURL"))) {
            throw info.invalid("baseURL", "is not a base URL");
        }
        Members archive = info.objectOrNull("package");
        if (archive != null) {
            archive.digest("sha256");
            archive.integer("size", 0);
        }
        Members types = info.objectOrNull("types");
        if (types != null && types.names().size() > MEMBERS) {
            throw info.invalid("types", "has more than " + MEMBERS + " members");
        }
        for (String ending : types == null ? new HashSet<String>() : types.names()) {
            types.string(ending);
        }
    }

    private long readStreams(Members root) throws PackError {
        Set<String> members = new HashSet<>();
        members.add(DESCRIPTION);
        for (String path : added) {
            members.add("files/" + path);
        }
        long largest = 0;
        for (Members stream : root.objects("patch", PATHS)) {
            String name = "patches/" + streams.size();
            if (!stream.string("stream").equals(name)) {
                throw stream.invalid("stream", "is not '" + name + "'");
            }
            long needed = stream.integer("memory", 0);
            largest = Math.max(largest, needed);
            streams.add(needed);
            members.add(name);
        }
        if (!zip.entries.keySet().equals(members)
            || members.size() != 1 + added.size() + streams.size()) {
            throw PackError.origin(
                "delta.unexpected-member", "a delta has other members than it describes");
        }
        long usual = largest + (4 << 20);
        return root.isMissing("memory") ? usual : Math.max(usual, root.integer("memory", 0));
    }

    /** The largest memory that a stream states. */
    long largestStream() {
        long largest = 0;
        for (long one : streams) {
            largest = Math.max(largest, one);
        }
        return largest;
    }

    /** Refuses a delta that is not the one of a pointer. */
    void checkOffer(Entry.Delta offer, Entry target) throws PackError {
        if (!fromHash.equals(offer.fromHash) || !toHash.equals(target.packageHash)
            || memory != offer.memory) {
            throw Origin.differs("delta-" + offer.from + ".zip", "is not that of the pointer");
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
