package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Installs or updates from an origin, by docs/formats.md, "Writing a client".
 *
 * <p>If it is killed, either the old or the new release is complete; the next run removes leftover
 * files.
 */
final class Installer {
    /** How often a newer pointer may begin a run again. */
    private static final int LOOKS = 3;

    private Installer() {}

    static PackError expired(Pointer pointer) {
        return PackError.origin("install.expired",
            "the pointer has expired at " + Timestamp.text(pointer.expires));
    }

    static PackError replayed(Pointer pointer, long seen) {
        return new PackError("install.replayed", "the origin offers sequence " + pointer.sequence
            + ", but " + seen + " was seen or is the lowest valid one", "report it");
    }

    static PackError splitView(Pointer pointer) {
        return new PackError("install.split-view",
            "two pointers have the sequence " + pointer.sequence, "report it");
    }

    /** Installs the current release, a second time past all caches if an old file could be why. */
    static InstallReport install(InstallRequest request, Origin origin)
        throws IOException, PackError {
        Path made = firstMissing(request.directory);
        try {
            return installOnce(request, origin);
        } catch (PackError error) {
            Origin fresh = mayBeStale(error) ? origin.pastCaches() : null;
            if (fresh == null) {
                throw error;
            }
            return installOnce(request, fresh);
        } finally {
            removeUnused(request.directory, made);
        }
    }

    private static Path firstMissing(Path directory) {
        Path missing = null;
        for (Path path = directory.toAbsolutePath(); path != null && !Files.exists(path);
            path = path.getParent()) {
            missing = path;
        }
        return missing;
    }

    /** Removes directories that this run made and left empty. */
    private static void removeUnused(Path directory, Path made) throws IOException {
        Path path = directory.toAbsolutePath();
        while (made != null && path.startsWith(made) && Files.isDirectory(path)
            && Disk.names(path).isEmpty()) {
            Files.delete(path);
            path = path.getParent();
        }
    }

    private static boolean mayBeStale(PackError error) {
        switch (error.code) {
            case "origin.missing":
            case "origin.differs":
            case "origin.nothing-published":
            case "origin.invalid-pointer":
            case "install.replayed":
            case "install.expired":
            case "trust.root-missing":
            case "trust.root-expired":
            case "trust.no-role":
            case "trust.unsigned":
            case "trust.bad-signature":
                return true;
            default:
                return false;
        }
    }

    private static InstallReport installOnce(InstallRequest request, Origin origin)
        throws IOException, PackError {
        Path directory = request.directory;
        Files.createDirectories(directory);
        if (!Installation.isUsable(directory)) {
            throw Installation.notAnInstallation(directory);
        }
        DirectoryLock lock = DirectoryLock.take(directory, Installation.LOCK);
        if (lock == null) {
            throw Installation.busy(directory);
        }
        try {
            Installation.mark(directory, lock);
            Installation installation = Installation.open(directory);
            boolean isDone = false;
            try {
                InstallReport report = begin(request, origin, installation);
                isDone = true;
                return report;
            } finally {
                end(installation, isDone);
            }
        } finally {
            lock.close();
        }
    }

    private static void end(Installation installation, boolean isDone) throws IOException {
        try {
            if (isDone) {
                Disk.remove(installation.parts);
            }
            installation.clean();
            if (!isDone) {
                installation.withdraw();
            }
        } catch (IOException | PackError error) {
            // The next run removes the rest.
        }
    }

    private static InstallReport begin(
        InstallRequest request, Origin origin, Installation installation)
        throws IOException, PackError {
        InstallState state = installation.stateFile.read();
        if (state != null && request.app != null && !request.app.equals(state.app)) {
            throw EmbeddedRelease.otherApp(state.app, request.app);
        }
        if (state != null && state.device == null) {
            installation.removeEmbeddedManifest();
        }
        installation.removeTrees(state);
        if (request.embedded != null) {
            if (state == null) {
                state = request.embedded.state();
            } else {
                state.include(request.embedded);
            }
        }
        String channel = request.channel != null ? request.channel
            : state != null ? state.channel() : "production";
        forgetTrees(state, installation);
        PointerIntake.Offer offer =
            new PointerIntake(request, origin, installation, channel, state).take();
        String found = state == null ? intact(installation) : null;
        Acceptance acceptance = new Acceptance(request, installation, channel, state, found);
        return new InstallRun(request, origin, installation, acceptance).run(offer, LOOKS);
    }

    static void forgetTrees(InstallState state, Installation installation) {
        if (state != null) {
            for (Copy tree : new ArrayList<>(state.trees)) {
                if (!Installation.hasTree(installation.directory, tree.version)) {
                    state.forgetTree(tree.version);
                }
            }
        }
    }

    /** The package hash of the tree that {@code current} links to, if it is intact. */
    private static String intact(Installation installation) throws IOException {
        String linked = Installation.linked(installation.directory);
        if (linked == null) {
            return null;
        }
        Scan scan = Scan.of(installation.tree(linked), true);
        String hash = scan.listing.packageHash();
        return hash.startsWith(linked) ? hash : null;
    }
}
