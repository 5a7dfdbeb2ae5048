package packtool.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The content of {@code state.json}: the releases on the device, and the pointers seen.
 *
 * <p>A place is the version of a tree on disk, or {@link #EMBEDDED}.
 */
final class InstallState {
    static final String EMBEDDED = "embedded";
    static final int CHANNELS = 50;

    /** The last trusted root, its epoch, and the time of the last request for a newer one. */
    static final class Trust {
        final long root;
        final long epoch;
        final long checkedAt;

        Trust(long root, long epoch, long checkedAt) {
            this.root = root;
            this.epoch = epoch;
            this.checkedAt = checkedAt;
        }
    }

    final String app;
    String device;
    /** The channels used here, the current one first; never empty. */
    List<ChannelState> channels = new ArrayList<>();
    /** The downloaded releases, the last chosen one first. */
    List<Copy> trees = new ArrayList<>();
    Copy embedded;
    String current;
    String started;
    List<String> failed = new ArrayList<>();
    /** The starts of releases that were removed before they became ready. */
    Map<String, Integer> tried = new TreeMap<>();
    NativeVersion nativeVersion;
    Trust trust;
    /** The measured speed of applying deltas, in percent. */
    Long speed;

    InstallState(String app, ChannelState channel) {
        this.app = app;
        channels.add(channel);
    }

    InstallState copy() {
        InstallState other = new InstallState(app, channels.get(0));
        other.device = device;
        other.channels = new ArrayList<>();
        for (ChannelState one : channels) {
            other.channels.add(one.copy());
        }
        for (Copy tree : trees) {
            other.trees.add(tree.copy());
        }
        other.embedded = embedded == null ? null : embedded.copy();
        other.current = current;
        other.started = started;
        other.failed = new ArrayList<>(failed);
        other.tried = new TreeMap<>(tried);
        other.nativeVersion = nativeVersion;
        other.trust = trust;
        other.speed = speed;
        return other;
    }

    /** The state of the current channel. */
    ChannelState seen() {
        return channels.get(0);
    }

    String channel() {
        return seen().channel;
    }

    ChannelState seen(String channel) {
        for (ChannelState one : channels) {
            if (one.channel.equals(channel)) {
                return one;
            }
        }
        return null;
    }

    /** Stores the last pointer seen of a channel, which becomes the current one. */
    void see(ChannelState seen) {
        channels.removeIf(one -> one.channel.equals(seen.channel));
        for (ChannelState one : channels) {
            // Only the channel in use is asked for again.
            one.answer = null;
        }
        channels.add(0, seen);
        while (channels.size() > CHANNELS) {
            channels.remove(channels.size() - 1);
        }
    }

    /** The release at a place; {@code null} for none. */
    Copy at(String place) {
        if (place == null) {
            return null;
        }
        if (place.equals(EMBEDDED)) {
            return embedded;
        }
        for (Copy tree : trees) {
            if (tree.version.equals(place)) {
                return tree;
            }
        }
        return null;
    }

    /** The release that was installed or started last. */
    Copy installed() {
        return at(current);
    }

    void forgetTree(String version) {
        trees.removeIf(tree -> tree.version.equals(version));
        if (installed() == null) {
            current = null;
        }
    }

    /** Makes a downloaded release the current one. */
    void choose(Copy copy) {
        Integer earlier = tried.remove(copy.version);
        copy.attempts = Math.max(copy.attempts, earlier == null ? 0 : earlier);
        trees.removeIf(tree -> tree.version.equals(copy.version));
        trees.add(0, copy);
        current = copy.version;
    }

    /** Removes trees that nothing needs, by "Which trees stay" in docs/formats.md. */
    void trim(Set<String> used) {
        Set<String> kept = new HashSet<>(used);
        kept.add(current);
        kept.add(started);
        boolean hasConfirmed = false;
        for (Copy tree : trees) {
            hasConfirmed |= tree.isConfirmed;
        }
        for (int index = 0; index < 2 && index < channels.size(); index++) {
            for (Copy tree : trees) {
                if (tree.isConfirmed && tree.channel.equals(channels.get(index).channel)) {
                    kept.add(tree.version);
                    break;
                }
            }
        }
        if (!hasConfirmed) {
            for (Copy tree : trees) {
                if (!kept.contains(tree.version) && !failed.contains(tree.version)) {
                    kept.add(tree.version);
                    break;
                }
            }
        }
        for (Copy tree : trees) {
            if (!kept.contains(tree.version) && !tree.isConfirmed && tree.attempts > 0) {
                tried.put(tree.version, tree.attempts);
            }
        }
        trees.removeIf(tree -> !kept.contains(tree.version));
    }

    /** The releases that an update does not install, because they did not become ready here. */
    Set<String> excluded(NativeVersion app) {
        Set<String> excluded = new HashSet<>();
        if (!sameText(app, nativeVersion)) {
            return excluded;
        }
        excluded.addAll(failed);
        for (Map.Entry<String, Integer> one : tried.entrySet()) {
            if (one.getValue() >= Copy.ATTEMPTS) {
                excluded.add(one.getKey());
            }
        }
        for (Copy tree : trees) {
            if (tree.isConfirmed) {
                excluded.remove(tree.version);
            }
        }
        if (embedded != null && embedded.isConfirmed) {
            excluded.remove(embedded.version);
        }
        return excluded;
    }

    static boolean sameText(NativeVersion one, NativeVersion other) {
        return one == null ? other == null : other != null && one.text.equals(other.text);
    }

    /** Whether a release must be replaced before it continues. */
    boolean mustUpdate(Copy running, long now) {
        ChannelState seen = seen();
        if (seen.expires != null && seen.expires <= now) {
            return false;
        }
        return seen.offered != null && !seen.offered.equals(running.version)
            && running.channel.equals(seen.channel) && seen.mandatorySequence != null
            && !excluded(nativeVersion).contains(seen.offered)
            && running.isBefore(seen.epochOrZero(), seen.mandatorySequence);
    }

    /** Includes the release in the app, which may be a newer one since an update of the app. */
    void include(EmbeddedRelease release) throws PackError {
        if (!release.app.equals(app)) {
            throw EmbeddedRelease.otherApp(app, release.app);
        }
        ChannelState known = seen(release.seen.channel);
        if (known == null) {
            channels.add(release.seen.copy());
        } else if (known.isBefore(release.seen)) {
            channels.set(channels.indexOf(known), release.seen.copy());
        }
        Copy offered = release.copy;
        long epoch = offered.epoch == null ? 0 : offered.epoch;
        if (embedded == null || !embedded.version.equals(offered.version)) {
            embedded = offered.copy();
        } else if (embedded.channel.equals(offered.channel)
            && embedded.isBefore(epoch, offered.sequence)) {
            embedded.epoch = offered.epoch;
            embedded.sequence = offered.sequence;
        }
        Copy installed = installed();
        boolean isBehind = installed == null || offered.channel.equals(channel())
            && (!installed.channel.equals(channel()) || installed.isBefore(epoch, offered.sequence));
        if (isBehind) {
            current = EMBEDDED;
        }
    }
}
