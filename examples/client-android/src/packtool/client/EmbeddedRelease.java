package packtool.client;

import java.io.IOException;
import java.nio.file.Path;

/** The release in the app: a directory that {@code packtool embed} wrote. */
final class EmbeddedRelease {
    final String app;
    /** The directory of its files. */
    final Path path;
    final Copy copy;
    final ChannelState seen;
    final TrustRoot root;

    private EmbeddedRelease(String app, Path path, Copy copy, ChannelState seen, TrustRoot root) {
        this.app = app;
        this.path = path;
        this.copy = copy;
        this.seen = seen;
        this.root = root;
    }

    static PackError otherApp(String installed, String offered) {
        return new PackError("install.other-app",
            "the release is of app '" + offered + "', not '" + installed + "'",
            "correct the configuration");
    }

    private static PackError incomplete(Path directory, String problem) {
        return new PackError("install.not-embedded", "'" + directory + "' " + problem,
            "add the whole output of 'packtool embed' to the app");
    }

    /** Reads what identifies the release; its files are read when they are used. */
    static EmbeddedRelease read(Path directory) throws IOException, PackError {
        InstallState state = new StateFile(directory).read();
        if (state == null) {
            throw incomplete(directory, "has no " + StateFile.NAME);
        }
        if (state.trees.isEmpty()) {
            throw incomplete(directory, "has no release");
        }
        Copy copy = state.trees.get(0).copy();
        Path path = Installation.tree(directory, copy.version);
        if (!Disk.isDirectory(path)) {
            throw incomplete(directory, "does not have the files of its release");
        }
        if (copy.launch != null && !Disk.isFile(Disk.below(path, copy.launch))) {
            throw incomplete(directory, "has no '" + copy.launch + "', its first page");
        }
        TrustRoot root = Installation.storedRoot(directory);
        if (state.trust != null && root == null) {
            throw incomplete(directory, "has no trust root, but a signed release");
        }
        copy.isConfirmed = false;
        copy.attempts = 0;
        return new EmbeddedRelease(state.app, path, copy, state.seen(), root);
    }

    /** The state of a device that has only this release. */
    InstallState state() {
        InstallState state = new InstallState(app, seen.copy());
        state.embedded = copy.copy();
        state.current = InstallState.EMBEDDED;
        return state;
    }
}
