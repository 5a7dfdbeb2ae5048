package packtool.client;

import java.util.List;

/** The estimated time of an update, by docs/formats.md, "Delta or package". */
final class UpdateTime {
    private static final long USUAL = 30;
    /** The smallest delta whose transfer measures a link. */
    private static final long MEASURING = 64 << 10;

    private UpdateTime() {}

    private static double factor(Long speed) {
        return (speed == null ? USUAL : speed) / 100.0;
    }

    /** The seconds for applying deltas at a speed in percent; null for the usual one. */
    static double applying(List<Entry.Delta> deltas, Long speed) {
        double seconds = 0;
        for (Entry.Delta delta : deltas) {
            seconds += delta.coded * 0.8e-6 + delta.copied * 0.02e-6;
        }
        return seconds / factor(speed);
    }

    static double unpacking(long size, long assets, Long speed) {
        return (size * 0.03e-6 + assets * 40e-6) / factor(speed);
    }

    /** Whether the package is faster than deltas that were fetched in some seconds. */
    static boolean prefersPackage(
        Entry entry, List<Entry.Delta> deltas, double fetching, Long speed) {
        long bytes = 0;
        boolean isMeasured = false;
        for (Entry.Delta delta : deltas) {
            bytes += delta.file.size;
            isMeasured |= delta.file.size >= MEASURING;
        }
        double link = Math.max(bytes / Math.max(fetching, 1e-6), 1);
        return isMeasured && entry.archive.size / link
            + unpacking(entry.size, entry.assets, speed) < 0.75 * applying(deltas, speed);
    }

    /**
     * The speed after some work.
     *
     * @param reference the time of the work at speed 1; below 20 ms, the speed stays
     */
    static Long measured(Long old, double seconds, double reference) {
        if (reference < 0.02 || seconds <= 0) {
            return old;
        }
        long speed = (long) (Math.min(Math.max(reference / seconds, 0.01), 100) * 100);
        return Math.max(Math.max(speed, (old == null ? USUAL : old) / 2), 1);
    }
}
