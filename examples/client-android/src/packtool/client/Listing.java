package packtool.client;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files of a release, in byte order of their paths. */
final class Listing {
    /** The content of a file. */
    static final class Content {
        final String sha256;
        final long size;

        Content(String sha256, long size) {
            this.sha256 = sha256;
            this.size = size;
        }
    }

    private final SortedMap<String, Content> files = new TreeMap<>(Bytes.ORDER);
    private long size;

    void add(String path, Content content) {
        if (files.put(path, content) == null) {
            size = Bytes.plus(size, content.size);
        }
    }

    Content get(String path) {
        return files.get(path);
    }

    boolean has(String path) {
        return files.containsKey(path);
    }

    Collection<String> paths() {
        return Collections.unmodifiableCollection(files.keySet());
    }

    Collection<Map.Entry<String, Content>> entries() {
        return Collections.unmodifiableCollection(files.entrySet());
    }

    int count() {
        return files.size();
    }

    /** The bytes of all files. */
    long size() {
        return size;
    }

    boolean fits(Entry entry) {
        return count() == entry.assets && size == entry.size;
    }

    String packageHash() {
        java.security.MessageDigest hash = Bytes.sha256();
        for (Map.Entry<String, Content> file : files.entrySet()) {
            hash.update(Bytes.utf8(file.getValue().sha256 + "  " + file.getKey() + "\n"));
        }
        return Bytes.hex(hash.digest());
    }
}
