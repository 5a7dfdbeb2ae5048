package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The file {@code state.json} of an installation.
 *
 * <p>An update holds its lock for minutes, and the app may start during it. So each change of the
 * state has a short lock of its own, under which the file is read again.
 */
final class StateFile {
    static final String NAME = "state.json";
    static final String LOCK = ".state.lock";
    private static final int LIMIT = 512 << 10;
    private static final int TRIES = 500;
    private static final long PAUSE = 10;

    private final Path directory;

    StateFile(Path directory) {
        this.directory = directory;
    }

    /** A change of the state, which may be null before the first one. */
    interface Change {
        InstallState apply(InstallState state) throws PackError, IOException;
    }

    /** Reads the state; {@code null} if there is none yet. */
    InstallState read() throws IOException, PackError {
        Path path = directory.resolve(NAME);
        if (!Disk.exists(path)) {
            return null;
        }
        byte[] bytes = Disk.read(path, LIMIT);
        try {
            return StateCoding.decode(bytes);
        } catch (PackError error) {
            throw new PackError("install.damaged-state",
                "'" + path + "' is damaged, or a newer client wrote it: " + error.getMessage(),
                "call reset() to start over");
        }
    }

    /** Whether the directory has the state of an installation, also a damaged one. */
    boolean isThere() {
        try {
            return StateCoding.isState(Disk.read(directory.resolve(NAME), LIMIT));
        } catch (IOException error) {
            return false;
        }
    }

    /** Changes the state durably, and makes {@code current} link to its release. */
    InstallState change(Change change) throws IOException, PackError {
        for (int tries = 0; tries < TRIES; tries++) {
            DirectoryLock lock = DirectoryLock.take(directory, LOCK);
            if (lock == null) {
                pause();
                continue;
            }
            try {
                InstallState old = read();
                byte[] before = old == null ? new byte[0] : StateCoding.encode(old);
                InstallState state = change.apply(old);
                byte[] after = StateCoding.encode(state);
                if (!Arrays.equals(before, after)) {
                    Disk.replace(
                        directory.resolve(".state.json"), directory.resolve(NAME), after);
                }
                Installation.link(directory, state.current);
                return state;
            } finally {
                lock.close();
            }
        }
        throw Installation.busy(directory);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while waiting for a lock");
        }
    }

    /** Removes the lock file, unless another process has the lock. */
    void removeLock() throws IOException {
        if (!Disk.exists(directory.resolve(LOCK))) {
            return;
        }
        DirectoryLock lock = DirectoryLock.take(directory, LOCK);
        if (lock != null) {
            Files.deleteIfExists(directory.resolve(LOCK));
            lock.close();
        }
    }
}
