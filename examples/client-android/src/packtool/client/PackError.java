package packtool.client;

/**
 * A reason why an update, a start or a value of the configuration was refused.
 *
 * <p>The installed release is unaffected. {@link #code} is stable and has the words of the Swift
 * client; the message says what happened and what to do about it.
 */
public final class PackError extends Exception {
    private static final long serialVersionUID = 1L;

    /** The stable code, such as {@code install.replayed}. */
    public final String code;

    /** Makes an error from its code, the fact, and the advice. */
    public PackError(String code, String fact, String advice) {
        super(advice.isEmpty() ? fact : fact + "; " + advice);
        this.code = code;
    }

    /** An error of the origin's files: the publisher has to look at them. */
    static PackError origin(String code, String fact) {
        return new PackError(code, fact, "try again later, or run 'packtool verify' on the origin");
    }

    /** An error of this device's disk. */
    static PackError disk(java.io.IOException error) {
        return new PackError("file-system.failed", "a file could not be read or written: " + error,
            "free some space and check the permissions of the directory");
    }

    /** Whether the code belongs to an area, such as {@code http}. */
    boolean isOf(String area) {
        return code.startsWith(area + ".");
    }

    @Override
    public String toString() {
        return code + ": " + getMessage();
    }
}
