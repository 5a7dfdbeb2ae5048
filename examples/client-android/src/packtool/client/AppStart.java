package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A start of the app: decides what runs, by docs/formats.md, "What starts", without a network. */
final class AppStart {
    /** What runs. */
    enum Choice { RELEASE, WEB, NOTHING }

    Choice choice = Choice.NOTHING;
    /** The place, the release and the directory of its files, if one runs. */
    String place;
    Copy running;
    Path path;
    boolean mustUpdate;
    /** Why the state could not be read, or the start not be counted. */
    PackError problem;

    private AppStart() {}

    /** What the decision needs to know. */
    static final class Request {
        Path directory;
        EmbeddedRelease embedded;
        NativeVersion nativeVersion;
        /** The app; null for any. */
        String app;
        long now;
    }

    /** Decides what runs, and stores that it was started. */
    static AppStart start(Request request) {
        try {
            return counted(request);
        } catch (PackError error) {
            return uncounted(request, error);
        } catch (IOException error) {
            return uncounted(request, PackError.disk(error));
        }
    }

    /** What would start now; nothing is stored. */
    static AppStart preview(Request request) throws IOException, PackError {
        InstallState state = Files.isDirectory(request.directory)
            ? known(new StateFile(request.directory).read(), request) : known(null, request);
        return state == null ? new AppStart() : decide(state, request);
    }

    private static AppStart counted(Request request) throws IOException, PackError {
        Path directory = request.directory;
        if (!Files.isDirectory(directory)) {
            if (request.embedded == null) {
                return new AppStart();
            }
            Files.createDirectories(directory);
        }
        if (!Installation.isUsable(directory)) {
            throw Installation.notAnInstallation(directory);
        }
        StateFile file = new StateFile(directory);
        if (file.read() == null) {
            if (request.embedded == null) {
                return new AppStart();
            }
            DirectoryLock lock = DirectoryLock.take(directory, Installation.LOCK);
            if (lock != null) {
                try {
                    Installation.mark(directory, lock);
                } finally {
                    lock.close();
                }
            }
        }
        AppStart[] start = new AppStart[1];
        file.change(stored -> {
            InstallState state = known(stored, request);
            if (state == null) {
                throw Installation.notAnInstallation(directory);
            }
            start[0] = decide(state, request);
            return state;
        });
        return start[0];
    }

    /** What runs if starts cannot be counted: no release that could fail at each start. */
    private static AppStart uncounted(Request request, PackError problem) {
        AppStart start = new AppStart();
        try {
            InstallState state = known(new StateFile(request.directory).read(), request);
            if (state != null) {
                state.trees.removeIf(tree -> !tree.isConfirmed);
                start = decide(state, request);
            }
        } catch (IOException | PackError error) {
            if (request.embedded != null) {
                start.choice = Choice.RELEASE;
                start.place = InstallState.EMBEDDED;
                start.running = request.embedded.copy;
                start.path = request.embedded.path;
            }
        }
        start.problem = problem;
        return start;
    }

    /** The stored state with the release in the app, without trees that cannot start. */
    private static InstallState known(InstallState stored, Request request)
        throws IOException, PackError {
        InstallState state = stored;
        if (state == null && request.embedded != null) {
            state = request.embedded.state();
        }
        if (state == null) {
            return null;
        }
        if (request.app != null && !request.app.equals(state.app)) {
            throw EmbeddedRelease.otherApp(state.app, request.app);
        }
        if (request.embedded == null) {
            state.embedded = null;
        } else {
            state.include(request.embedded);
        }
        for (Copy tree : new ArrayList<>(state.trees)) {
            Path path = Installation.tree(request.directory, tree.version);
            boolean isThere = Disk.isDirectory(path)
                && (tree.launch == null || Disk.isFile(Disk.below(path, tree.launch)));
            if (!isThere) {
                state.forgetTree(tree.version);
            }
        }
        return state;
    }

    private static AppStart decide(InstallState state, Request request) {
        AppStart start = new AppStart();
        start.place = choose(state, request.nativeVersion);
        if (state.seen().bypasses) {
            start.choice = Choice.WEB;
        } else if (start.place != null) {
            start.choice = Choice.RELEASE;
            start.running = state.at(start.place).copy();
            start.path = start.place.equals(InstallState.EMBEDDED)
                ? request.embedded.path : Installation.tree(request.directory, start.place);
            start.mustUpdate = state.mustUpdate(start.running, request.now);
        }
        return start;
    }

    /** The place of the release that runs, noted in the state; {@code null} for none. */
    private static String choose(InstallState state, NativeVersion app) {
        state.started = null;
        if (state.seen().bypasses) {
            return null;
        }
        if (!InstallState.sameText(app, state.nativeVersion)) {
            state.nativeVersion = app;
            state.failed.clear();
            state.tried.clear();
            for (Copy tree : state.trees) {
                tree.attempts = tree.isConfirmed ? tree.attempts : 0;
            }
            if (state.embedded != null && !state.embedded.isConfirmed) {
                state.embedded.attempts = 0;
            }
        }
        List<String> added = new ArrayList<>();
        String place = best(state, app, added);
        while (place != null) {
            Copy copy = state.at(place);
            if (copy.isConfirmed || copy.attempts < Copy.ATTEMPTS) {
                break;
            }
            added.add(copy.version);
            place = best(state, app, added);
        }
        added.sort(null);
        state.failed.addAll(added);
        if (place != null) {
            Copy copy = state.at(place);
            copy.attempts += copy.isConfirmed ? 0 : 1;
            state.started = place;
            state.current = place;
        }
        return place;
    }

    /** The candidate that comes first. */
    private static String best(InstallState state, NativeVersion app, List<String> added) {
        String best = null;
        for (Copy tree : state.trees) {
            boolean hasFailed = !tree.isConfirmed
                && (state.failed.contains(tree.version) || added.contains(tree.version));
            if (!hasFailed && NativeVersion.fits(app, tree.least, tree.most)
                && (best == null || comesBefore(tree, state.at(best), state.channel()))) {
                best = tree.version;
            }
        }
        Copy embedded = state.embedded;
        if (embedded != null && (embedded.isConfirmed
            || !state.failed.contains(embedded.version) && !added.contains(embedded.version))
            && (best == null || comesBefore(embedded, state.at(best), state.channel()))) {
            best = InstallState.EMBEDDED;
        }
        return best;
    }

    private static boolean comesBefore(Copy one, Copy other, String channel) {
        boolean isOfChannel = one.channel.equals(channel);
        if (isOfChannel != other.channel.equals(channel)) {
            return isOfChannel;
        }
        return other.isBefore(one.epoch == null ? 0 : one.epoch, one.sequence);
    }

    /**
     * Stores that the release which was started last has become ready.
     *
     * @param place the release; null for the one that was started or installed last
     * @param used further releases whose trees stay
     * @return the release; null if it is not on the device any more
     */
    static Copy confirm(Path directory, String place, Set<String> used)
        throws IOException, PackError {
        Copy[] confirmed = new Copy[1];
        new StateFile(directory).change(state -> {
            if (state == null) {
                throw Installation.notAnInstallation(directory);
            }
            String chosen = place != null ? place
                : state.at(state.started) != null ? state.started : state.current;
            Copy copy = state.at(chosen);
            if (copy != null) {
                copy.isConfirmed = true;
                copy.attempts = 0;
                state.trim(used);
                confirmed[0] = copy;
            }
            return state;
        });
        return confirmed[0];
    }
}
