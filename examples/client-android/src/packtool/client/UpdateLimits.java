package packtool.client;

/** What an update may use. A route that needs more is not taken. */
public final class UpdateLimits {
    static final long MEMORY = 512L << 20;

    /** The most bytes to fetch for a release. */
    public long bytes = Long.MAX_VALUE;
    /** The free space to leave, in bytes. */
    public long spaceToLeave;
    /** The most memory for applying a delta, in bytes. */
    public long memory = MEMORY;
    /** The most time for applying deltas, in seconds. */
    public double seconds = Double.POSITIVE_INFINITY;
}
