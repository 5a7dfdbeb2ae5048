package packtool.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A route to a release by one delta, or two in a row. */
final class DeltaRoute {
    /** The most log entries to read for a first step; each is a request. */
    private static final int ENTRIES = 3;

    /** The deltas, in order, and the release that each makes. */
    final List<Entry.Delta> deltas = new ArrayList<>();
    final List<Entry> targets = new ArrayList<>();

    private void add(Entry.Delta delta, Entry target) {
        deltas.add(delta);
        targets.add(target);
    }

    String from() {
        return deltas.get(0).from;
    }

    long size() {
        long size = 0;
        for (Entry.Delta delta : deltas) {
            size = Bytes.plus(size, delta.file.size);
        }
        return size;
    }

    /**
     * The cheapest route from a release on the device; null if none is cheaper than the package.
     *
     * @param bases the versions on the device; two deltas lead from the first one only
     * @param root accepts log entries as it accepts pointers; null without one
     */
    static DeltaRoute find(List<String> bases, Pointer pointer, Entry target, Origin origin,
        TrustRoot root) throws IOException {
        if (bases.isEmpty()) {
            return null;
        }
        DeltaRoute best = null;
        long smallest = Long.MAX_VALUE;
        for (Entry.Delta delta : target.deltas) {
            boolean isPossible = delta.memory <= UpdateLimits.MEMORY;
            if (isPossible) {
                smallest = Math.min(smallest, delta.file.size);
            }
            if (isPossible && bases.contains(delta.from) && delta.file.size < target.archive.size
                && (best == null || delta.file.size < best.size())) {
                best = new DeltaRoute();
                best.add(delta, target);
            }
        }
        if (best != null || smallest == Long.MAX_VALUE) {
            return best;
        }
        for (Entry.Delta delta : target.deltas) {
            if (delta.from.equals(bases.get(0))) {
                return null;
            }
        }
        return inTwo(bases.get(0), pointer, target, smallest, origin, root);
    }

    private static DeltaRoute inTwo(String installed, Pointer pointer, Entry target,
        long smallest, Origin origin, TrustRoot root) throws IOException {
        long read = 0;
        Pointer earlier = pointer;
        for (int entries = 0;; entries++) {
            DeltaRoute best = null;
            for (Entry between : earlier.entries) {
                DeltaRoute route = over(between, installed, target);
                if (route != null && Bytes.plus(route.size(), read) < target.archive.size
                    && (best == null || route.size() < best.size())) {
                    best = route;
                }
            }
            long next = Bytes.plus(read, pointer.envelope.bytes.length);
            if (best != null || entries == ENTRIES || earlier.previous == null
                || Bytes.plus(next, smallest) >= target.archive.size) {
                return best;
            }
            try {
                earlier = logEntry(earlier, origin, root);
            } catch (PackError error) {
                // Only the routes of this entry are lost.
                return null;
            }
            read = Bytes.plus(read, earlier.envelope.bytes.length);
        }
    }

    private static Pointer logEntry(Pointer pointer, Origin origin, TrustRoot root)
        throws IOException, PackError {
        String path = "channels/" + pointer.channel + "/log/" + pointer.previous + ".json";
        byte[] bytes = origin.read(path, Envelope.SIZE);
        if (bytes == null) {
            throw Origin.missing(path);
        }
        Envelope envelope = Envelope.read(bytes, Envelope.POINTER, Pointer.INVALID);
        if (root != null && !root.accepts(envelope, pointer.channel)) {
            throw PackError.origin("trust.bad-signature", "'" + path + "' is not signed");
        }
        Pointer earlier = Pointer.read(envelope, pointer.channel);
        if (earlier.sequence != pointer.previous || !earlier.app.equals(pointer.app)) {
            throw Origin.differs(path, "has another sequence or app");
        }
        return earlier;
    }

    private static DeltaRoute over(Entry between, String installed, Entry target) {
        for (Entry.Delta second : target.deltas) {
            if (second.memory > UpdateLimits.MEMORY || !second.from.equals(between.version)
                || !second.fromHash.equals(between.packageHash)) {
                continue;
            }
            for (Entry.Delta first : between.deltas) {
                if (first.from.equals(installed) && first.memory <= UpdateLimits.MEMORY) {
                    DeltaRoute route = new DeltaRoute();
                    route.add(first, between);
                    route.add(second, target);
                    return route;
                }
            }
        }
        return null;
    }
}
