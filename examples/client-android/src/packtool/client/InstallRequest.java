package packtool.client;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;

/** What one run of the installer needs to know. */
final class InstallRequest {
    /** A clock that is never set back, in seconds. */
    interface Seconds {
        double now();
    }

    /** Told before a download begins, with its bytes. */
    interface Downloads {
        void begin(long bytes);
    }

    Path directory;
    /** Null for the channel of the installation, else production. */
    String channel;
    String app;
    EmbeddedRelease embedded;
    NativeVersion nativeVersion;
    /** {@code ios} or {@code android}; null for none. */
    String platform;
    String device;
    /** The root of trust in the app, or its hash and version. */
    TrustRoot pin;
    String pinHash;
    long pinVersion;
    long now;
    boolean isMetered;
    /** Whether the files of the installed release are hashed although there is no news. */
    boolean isTreeChecked;
    UpdateLimits limits = new UpdateLimits();
    Seconds seconds = () -> System.nanoTime() / 1e9;
    Downloads downloads = bytes -> { };
    /** The releases whose files are in use. */
    Set<String> inUse = Collections.emptySet();
}
