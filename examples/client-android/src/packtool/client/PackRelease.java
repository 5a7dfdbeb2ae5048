package packtool.client;

import java.io.File;

/** A release on the device. */
public final class PackRelease {
    /** The content id, 20 hexadecimal digits. */
    public final String version;
    /** The name for people; null for none. */
    public final String label;
    /** The path of the first page; null if the release has none. */
    public final String launch;
    /** The directory of the files, which must not be changed. */
    public final File directory;
    /** Whether it is the release in the app. */
    public final boolean isEmbedded;

    PackRelease(Copy copy, java.nio.file.Path path, boolean isEmbedded) {
        version = copy.version;
        label = copy.label;
        launch = copy.launch;
        directory = path.toFile();
        this.isEmbedded = isEmbedded;
    }
}
