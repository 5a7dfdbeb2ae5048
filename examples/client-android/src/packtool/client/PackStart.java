package packtool.client;

/** What a start of the app runs. */
public final class PackStart {
    /** The kinds of starts. */
    public enum Choice {
        /** A release: load its first page. */
        RELEASE,
        /** The publisher has switched packages off: load the https pages. */
        WEB,
        /** No release: the app shows its https pages, or an error. */
        NOTHING
    }

    /** What runs. */
    public final Choice choice;
    /** The release; null if none runs. */
    public final PackRelease release;
    /** Whether the release must be replaced before it continues: update, and start again. */
    public final boolean mustUpdate;
    /** Why the state could not be read or stored; the release runs nevertheless. */
    public final PackError problem;

    PackStart(AppStart start, PackError problem) {
        choice = start.choice == AppStart.Choice.RELEASE ? Choice.RELEASE
            : start.choice == AppStart.Choice.WEB ? Choice.WEB : Choice.NOTHING;
        release = start.running == null ? null : new PackRelease(
            start.running, start.path, start.place.equals(InstallState.EMBEDDED));
        mustUpdate = start.mustUpdate;
        this.problem = start.problem != null ? start.problem : problem;
    }
}
