package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The directory of an installation.
 *
 * <p>{@code versions/<version>} has complete, verified trees, and {@code state.json} is the commit
 * point. A killed run leaves files only in {@code .staging} and {@code .parts}, and trees that the
 * state does not name.
 */
final class Installation {
    static final String LOCK = ".lock";
    private static final byte[] MARK = Bytes.utf8("packtool installation\n");
    private static final String VERSIONS = "versions";
    private static final String CURRENT = "current";

    final Path directory;
    final Path staging;
    final Path parts;
    final StateFile stateFile;

    private Installation(Path directory) {
        this.directory = directory;
        staging = directory.resolve(".staging");
        parts = directory.resolve(".parts");
        stateFile = new StateFile(directory);
    }

    /** Opens an installation for the owner of its lock, and removes what a killed run left. */
    static Installation open(Path directory) throws IOException {
        Installation installation = new Installation(directory);
        Disk.makeDirectory(directory.resolve(VERSIONS));
        Disk.sync(directory.resolve(VERSIONS));
        Disk.sync(directory);
        Disk.remove(installation.staging);
        Files.createDirectory(installation.staging);
        return installation;
    }

    static PackError notAnInstallation(Path directory) {
        return new PackError("install.not-an-installation",
            "'" + directory + "' has files that packtool did not write", "choose another directory");
    }

    static PackError busy(Path directory) {
        return new PackError("install.busy",
            "another process updates '" + directory + "'", "try again when it has ended");
    }

    /** Whether an installation may write to a directory: one without files, or one of ours. */
    static boolean isUsable(Path directory) throws IOException {
        return isUnused(directory) || isMarked(directory) || isUnused(directory);
    }

    private static boolean isUnused(Path directory) throws IOException {
        for (String name : Disk.names(directory)) {
            boolean isLock = name.equals(LOCK) || name.equals(StateFile.LOCK);
            if (!isLock || Files.size(directory.resolve(name)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isMarked(Path directory) {
        try {
            byte[] mark = DirectoryLock.read(directory, LOCK, MARK.length);
            if (mark == null || Arrays.equals(mark, MARK)) {
                return true;
            }
        } catch (IOException error) {
            // No such file, or another one: the state decides.
        }
        return new StateFile(directory).isThere();
    }

    /** Marks a directory before anything else is written to it. */
    static void mark(Path directory, DirectoryLock lock) throws IOException {
        lock.fill(MARK);
        Disk.sync(directory);
    }

    static Path tree(Path directory, String version) {
        return directory.resolve(VERSIONS).resolve(version);
    }

    Path tree(String version) {
        return tree(directory, version);
    }

    static boolean hasTree(Path directory, String version) {
        return Disk.isDirectory(tree(directory, version));
    }

    /** The version that {@code current} links to, if its tree exists. */
    static String linked(Path directory) {
        try {
            Path target = Files.readSymbolicLink(directory.resolve(CURRENT));
            String version = target.getFileName().toString();
            boolean isOurs = target.toString().equals(VERSIONS + "/" + version)
                && Bytes.isVersion(version) && hasTree(directory, version);
            return isOurs ? version : null;
        } catch (IOException | UnsupportedOperationException error) {
            return null;
        }
    }

    /** Makes {@code current} link to the current release, in one step. */
    static void link(Path directory, String place) throws IOException {
        if (place == null || place.equals(InstallState.EMBEDDED) || place.equals(linked(directory))
            || !hasTree(directory, place)) {
            return;
        }
        Path draft = directory.resolve(".current");
        Files.deleteIfExists(draft);
        try {
            Files.createSymbolicLink(draft, directory.getFileSystem().getPath(VERSIONS, place));
        } catch (UnsupportedOperationException error) {
            // Only people and scripts use the link.
            return;
        }
        Disk.move(draft, directory.resolve(CURRENT));
        Disk.sync(directory);
    }

    /** Moves a verified tree to the path of its version. A damaged one there makes way. */
    void move(Path tree, String version) throws IOException {
        Path target = tree(version);
        if (Disk.exists(target)) {
            Disk.move(target, staging.resolve(Disk.uniqueName()));
        }
        Disk.move(tree, target);
        Disk.sync(directory.resolve(VERSIONS));
    }

    /** Moves every tree that a state does not name to staging. */
    void removeTrees(InstallState state) throws IOException {
        String linked = state == null ? linked(directory) : null;
        for (String version : versions()) {
            if ((state == null || state.at(version) == null) && !version.equals(linked)) {
                Disk.move(tree(version), staging.resolve(Disk.uniqueName()));
            }
        }
    }

    private List<String> versions() throws IOException {
        List<String> names = Disk.names(directory.resolve(VERSIONS));
        names.removeIf(name -> !Bytes.isVersion(name));
        return names;
    }

    /** Removes the manifest that {@code packtool embed} wrote. */
    void removeEmbeddedManifest() throws IOException {
        Files.deleteIfExists(directory.resolve("info.json"));
    }

    /** Removes the staging, and the directory of partial files if it is empty. */
    void clean() throws IOException {
        Disk.remove(staging);
        if (Disk.isDirectory(parts) && Disk.names(parts).isEmpty()) {
            Files.delete(parts);
        }
    }

    /** Cleans a directory in which nothing is installed: the state and the trust root stay. */
    void withdraw() throws IOException, PackError {
        InstallState state = stateFile.read();
        if (state != null && !state.trees.isEmpty() || linked(directory) != null) {
            return;
        }
        for (String version : versions()) {
            Disk.remove(tree(version));
        }
        if (Disk.names(directory.resolve(VERSIONS)).isEmpty()) {
            Files.delete(directory.resolve(VERSIONS));
        }
        stateFile.removeLock();
        if (state != null || !Disk.exists(rootPath(directory).getParent())) {
            Files.deleteIfExists(directory.resolve(LOCK));
        }
    }

    static Path rootPath(Path directory) {
        return directory.resolve("trust").resolve("root.json");
    }

    /** The stored root; {@code null} if the installation never had one. A damaged one is refused. */
    static TrustRoot storedRoot(Path directory) throws IOException, PackError {
        Path path = rootPath(directory);
        return Disk.exists(path) ? TrustRoot.standing(Disk.read(path, Envelope.SIZE)) : null;
    }

    void store(TrustRoot root) throws IOException {
        Path path = rootPath(directory);
        if (!Disk.isDirectory(path.getParent())) {
            Files.createDirectory(path.getParent());
            Disk.sync(directory);
        }
        Disk.replace(staging.resolve(Disk.uniqueName()), path, root.bytes);
    }

    /** Removes everything but the trust root, for the owner of the lock. */
    void reset() throws IOException {
        Files.deleteIfExists(directory.resolve(CURRENT));
        Files.deleteIfExists(directory.resolve(StateFile.NAME));
        Disk.sync(directory);
        removeTrees(null);
        Disk.remove(parts);
        clean();
    }
}
