package packtool.client;

/** How one update works. */
public final class UpdateOptions {
    /** Whether to look for a release although the interval has not passed. */
    public boolean isForced;
    /** Whether the network is metered: the route with the fewest bytes is taken. */
    public boolean isMetered;
    /** Whether to hash the installed release, and to repair damaged files, without news. */
    public boolean checksFiles;
    /** What the update may use. */
    public UpdateLimits limits = new UpdateLimits();
    /** Told the bytes that have arrived, and those that are expected; null for nobody. */
    public Progress progress;

    /** Receives the progress of a download, on the thread of the update. */
    public interface Progress {
        /** Some bytes of all expected ones have arrived. */
        void downloading(long bytes, long of);
    }
}
