package packtool.client;

/** How an update ended. In each case, the running release stays until the next start. */
public final class PackUpdate {
    /** The kinds of ends. */
    public enum Result {
        /** A release was installed, and runs at the next start. */
        INSTALLED,
        /** The installed release is the offered one. */
        UP_TO_DATE,
        /** No update now, which is no error: see {@link PackUpdate#reason}. */
        HELD,
        /** The update failed: see {@link PackUpdate#error}. */
        FAILED
    }

    /** Why there is no update now. */
    public enum Reason {
        /** The last update was less than the interval ago. */
        NOT_DUE,
        /** Another process updates. */
        BUSY,
        /** The channel is paused. */
        PAUSED,
        /** The channel asks apps to load the https pages. */
        BYPASSED,
        /** The pointer has expired. */
        EXPIRED,
        /** The channel has ended. */
        CLOSED,
        /** The channel offers this device nothing. */
        NOT_OFFERED,
        /** The offered release did not become ready here. */
        FAILED_HERE,
        /** Each route needs more than the limits allow. */
        LIMITS
    }

    /** The kind of end. */
    public final Result result;
    /** The reason, if it is {@link Result#HELD}; else null. */
    public final Reason reason;
    /** The installed release, if there is one. */
    public final PackRelease release;
    /** The error, if it is {@link Result#FAILED}; else null. */
    public final PackError error;

    private PackUpdate(Result result, Reason reason, PackRelease release, PackError error) {
        this.result = result;
        this.reason = reason;
        this.release = release;
        this.error = error;
    }

    static PackUpdate held(Reason reason) {
        return new PackUpdate(Result.HELD, reason, null, null);
    }

    static PackUpdate failed(PackError error) {
        Reason reason = reason(error.code);
        return reason == null ? new PackUpdate(Result.FAILED, null, null, error) : held(reason);
    }

    static PackUpdate of(String outcome, PackRelease release) {
        switch (outcome) {
            case "unchanged":
                return new PackUpdate(Result.UP_TO_DATE, null, release, null);
            case "kept":
                return held(Reason.NOT_OFFERED);
            case "closed":
                return held(Reason.CLOSED);
            case "failed":
                return held(Reason.FAILED_HERE);
            default:
                return new PackUpdate(Result.INSTALLED, null, release, null);
        }
    }

    private static Reason reason(String code) {
        switch (code) {
            case "install.busy":
                return Reason.BUSY;
            case "install.disabled":
                return Reason.PAUSED;
            case "install.bypassed":
                return Reason.BYPASSED;
            case "install.expired":
                return Reason.EXPIRED;
            case "install.closed":
                return Reason.CLOSED;
            case "install.not-offered":
                return Reason.NOT_OFFERED;
            case "install.over-limit":
                return Reason.LIMITS;
            default:
                return null;
        }
    }
}
