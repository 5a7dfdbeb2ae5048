package packtool.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The files of the old release by their index in its listing. */
final class OldFiles {
    private final List<String> paths = new ArrayList<>();
    private final List<byte[]> bytes = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();

    OldFiles(Listing listing) {
        for (Map.Entry<String, Listing.Content> file : listing.entries()) {
            paths.add(file.getKey());
            bytes.add(Bytes.utf8(file.getKey()));
            sizes.add(file.getValue().size);
        }
    }

    /** An index as it is coded, if the listing has it. */
    int index(long index) throws PackError {
        if (index < 0 || index >= paths.size()) {
            throw DeltaFile.invalid("a stream names a file that the old release does not have");
        }
        return (int) index;
    }

    String name(int index) {
        return paths.get(index);
    }

    byte[] path(int index) {
        return bytes.get(index);
    }

    long size(int index) {
        return sizes.get(index);
    }
}
