package packtool.client;

import java.io.IOException;
import java.nio.file.Path;

/** Reads the files of an origin by their paths. */
interface Origin {
    /** A pointer, and what a server needs to confirm it later, if it gave a tag. */
    final class PointerFile {
        final byte[] bytes;
        final ChannelState.Answer answer;
        /** Whether the server confirmed a stored answer. */
        final boolean isConfirmed;

        PointerFile(byte[] bytes, ChannelState.Answer answer, boolean isConfirmed) {
            this.bytes = bytes;
            this.answer = answer;
            this.isConfirmed = isConfirmed;
        }
    }

    /** The address, for messages. */
    String address();

    /** Whether files come over a network. */
    boolean isRemote();

    /** The same origin past all caches; null if there are none. */
    Origin pastCaches();

    /**
     * A pointer; null if the origin has none.
     *
     * @param known an answer that the server may confirm; null for none
     * @param now the time, in seconds
     */
    PointerFile pointer(String path, ChannelState.Answer known, long now)
        throws IOException, PackError;

    /** A file of at most some bytes, whose hash is unknown; null if it is missing. */
    byte[] read(String path, int limit) throws IOException, PackError;

    /** Fetches a file with a known hash; when it returns, the file is whole. */
    void fetch(String path, FileReference file, Path target) throws IOException, PackError;

    /** The error for a file that a pointer names and the origin lacks. */
    static PackError missing(String path) {
        return PackError.origin("origin.missing", "'" + path + "' is missing");
    }

    /** The error for a file with other bytes than its pointer names. */
    static PackError differs(String path, String problem) {
        return PackError.origin("origin.differs", "'" + path + "' " + problem);
    }
}
