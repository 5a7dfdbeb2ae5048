package packtool.client;

/** The app versions that can run a release. */
final class NativeRange {
    /** Null for no limit. */
    final NativeVersion least;
    final NativeVersion most;

    /** Reads the two members of an entry, or of one of its platforms. */
    NativeRange(Members members) throws PackError {
        least = members.nativeVersionOrNull("minNativeVersion");
        most = members.nativeVersionOrNull("maxNativeVersion");
        if (least != null && most != null && least.isAbove(most)) {
            throw members.invalid("maxNativeVersion", "leaves no version above the minimum");
        }
    }
}
