package packtool.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sends requests with retries, redirects and limits, by docs/formats.md, "Requests". */
final class HttpRequests {
    private static final int REDIRECTS = 3;
    private static final int TRIES = 4;
    /** Fewer bytes in this time, in seconds, end a request. */
    private static final long WINDOW = 30;
    private static final long SLOWEST = 1024;

    /** Receives the content of an answer. */
    interface Sink {
        /** The number of bytes that are there already, which a request continues. */
        long offset() throws IOException;

        /** Begins, and gives the number of bytes that are there already. */
        long begin(boolean isContinued) throws IOException;

        /** Takes bytes; false to end the answer. */
        boolean write(byte[] data, int length) throws IOException;

        void end() throws IOException;
    }

    /** Told the number of bytes that arrive. */
    interface Counter {
        void count(long bytes);
    }

    /** The status and headers of an answer. */
    static final class Head {
        final int status;
        final String tag;
        private final String encoding;
        private final boolean isPage;
        private final boolean isTooLarge;

        private Head(PackTransport.Answer answer, boolean isTooLarge) {
            status = answer.status();
            tag = answer.header("ETag");
            encoding = answer.header("Content-Encoding");
            String type = answer.header("Content-Type");
            isPage = type != null && type.toLowerCase(Locale.ROOT).startsWith("text/html");
            this.isTooLarge = isTooLarge;
        }

        boolean isMissing() {
            return status == 403 || status == 404 || status == 410;
        }

        /** Whether a server or proxy changed the bytes. */
        boolean isTransformed() {
            return encoding != null && !encoding.equalsIgnoreCase("identity");
        }

        void checkStatus(String path) throws PackError {
            if (status != 200 && status != 206) {
                throw error("http.status", path, "is answered with status " + status);
            }
        }

        void checkSuccess(String path) throws PackError {
            checkStatus(path);
            if (isTransformed()) {
                throw error("http.transformed", path, "arrives with Content-Encoding '"
                    + Names.printable(encoding) + "'; turn compression off at the server");
            }
            if (isTooLarge) {
                throw error("http.too-large", path, "has more bytes than it may have");
            }
        }
    }

    private final PackTransport transport;
    private final String agent;
    private final Counter counter;
    long sent;

    HttpRequests(PackTransport transport, String agent, Counter counter) {
        this.transport = transport;
        this.agent = agent;
        this.counter = counter;
    }

    static PackError error(String code, String path, String problem) {
        return new PackError(code, "'" + path + "' " + problem, "try again later");
    }

    /**
     * Sends a request until it is answered.
     *
     * @param tag the tag of a known answer; null for none
     * @param limit the most bytes of the content
     * @param refusesPages whether an HTML page is an error: it comes from a portal
     */
    Head get(String url, String tag, long limit, boolean refusesPages, Sink sink)
        throws IOException, PackError {
        PackError failure = null;
        for (int tries = 0; tries < TRIES; tries++) {
            if (tries > 0) {
                pause(200L << tries);
            }
            try {
                Head head = follow(url, sink.offset(), tag, limit, sink);
                if (head.status >= 500 || head.status == 429) {
                    failure = error("http.status", url, "is answered with status " + head.status);
                    continue;
                }
                if (refusesPages && head.isPage && head.status == 200) {
                    throw error("http.page-for-file", url,
                        "is answered with a page; a network may want you to log in");
                }
                return head;
            } catch (java.io.InterruptedIOException error) {
                if (Thread.currentThread().isInterrupted()) {
                    throw error;
                }
                failure = error("http.too-slow", url, "is not answered in time");
            } catch (SinkError error) {
                throw (IOException) error.getCause();
            } catch (CutError error) {
                failure = error("http.interrupted", url, "was cut off: " + error.getCause());
            } catch (IOException error) {
                failure = error("http.unreachable", url, "cannot be read: " + error);
            } finally {
                sink.end();
            }
        }
        throw failure;
    }

    /** An error of the disk, which no other request can mend. */
    private static final class SinkError extends IOException {
        private static final long serialVersionUID = 1L;

        SinkError(IOException cause) {
            super(cause);
        }
    }

    /** An answer that ended within its content. */
    private static final class CutError extends IOException {
        private static final long serialVersionUID = 1L;

        CutError(IOException cause) {
            super(cause);
        }
    }

    private Head follow(String first, long offset, String tag, long limit, Sink sink)
        throws IOException, PackError {
        String url = first;
        for (int hops = 0; hops <= REDIRECTS; hops++) {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Accept-Encoding", "identity");
            headers.put("User-Agent", agent);
            if (tag != null) {
                headers.put("If-None-Match", tag);
            }
            if (offset > 0) {
                headers.put("Range", "bytes=" + offset + "-");
            }
            sent++;
            try (PackTransport.Answer answer = transport.get(url, headers)) {
                int status = answer.status();
                String target = answer.header("Location");
                if (status >= 300 && status < 400 && status != 304 && target != null) {
                    url = redirected(url, target);
                    continue;
                }
                boolean isWhole = true;
                if (status == 200 || status == 206) {
                    isWhole = receive(answer, offset, limit, sink);
                }
                return new Head(answer, !isWhole);
            }
        }
        throw error("http.redirect", first, "is redirected more than three times");
    }

    private static String redirected(String from, String target) throws PackError {
        try {
            URI next = new URI(from).resolve(new URI(target));
            String scheme = next.getScheme() == null ? "" : next.getScheme().toLowerCase(Locale.ROOT);
            boolean isAllowed = scheme.equals("https")
                || scheme.equals("http") && !from.toLowerCase(Locale.ROOT).startsWith("https:");
            if (isAllowed && next.getHost() != null) {
                return next.toString();
            }
        } catch (URISyntaxException | IllegalArgumentException error) {
            // Refused below.
        }
        throw error("http.redirect", from, "is redirected to an address that is not allowed");
    }

    /** Passes the content on; false if it has more bytes than the limit. */
    private boolean receive(PackTransport.Answer answer, long offset, long limit, Sink sink)
        throws IOException, PackError {
        String range = answer.header("Content-Range");
        boolean isContinued = answer.status() == 206 && offset > 0 && range != null
            && range.trim().startsWith("bytes " + offset + "-");
        long done = begin(sink, isContinued);
        String stated = answer.header("Content-Length");
        long received = 0;
        byte[] piece = new byte[Disk.PIECE];
        long windowStart = System.nanoTime();
        long windowBytes = 0;
        try (InputStream body = answer.body()) {
            for (int count = read(body, piece); count >= 0; count = read(body, piece)) {
                checkInterrupted();
                received += count;
                windowBytes += count;
                counter.count(count);
                if (done + received > limit) {
                    // One byte more is enough to know.
                    write(sink, piece, count);
                    return false;
                }
                if (!write(sink, piece, count)) {
                    return false;
                }
                long seconds = (System.nanoTime() - windowStart) / 1_000_000_000L;
                if (seconds >= WINDOW) {
                    if (windowBytes < SLOWEST * seconds) {
                        throw new java.io.InterruptedIOException("too slow");
                    }
                    windowStart = System.nanoTime();
                    windowBytes = 0;
                }
            }
        }
        if (stated != null && !stated.trim().equals(Long.toString(received))) {
            throw new CutError(new IOException("fewer bytes than stated"));
        }
        return true;
    }

    private static int read(InputStream body, byte[] piece) throws IOException {
        try {
            return body.read(piece);
        } catch (java.io.InterruptedIOException error) {
            throw error;
        } catch (IOException error) {
            throw new CutError(error);
        }
    }

    private static void checkInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new java.io.InterruptedIOException("interrupted");
        }
    }

    private static long begin(Sink sink, boolean isContinued) throws IOException {
        try {
            return sink.begin(isContinued);
        } catch (IOException error) {
            throw new SinkError(error);
        }
    }

    private static boolean write(Sink sink, byte[] data, int length) throws IOException {
        try {
            return sink.write(data, length);
        } catch (IOException error) {
            throw new SinkError(error);
        }
    }

    private static void pause(long milliseconds) throws IOException {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted");
        }
    }
}
