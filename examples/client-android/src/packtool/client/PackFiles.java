package packtool.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Answers the requests of pages from the files of one release, by the profile {@code path-strict}.
 *
 * <p>A page keeps the release it was loaded from: use one value for one page.
 */
public final class PackFiles {
    /** The version of the release. */
    public final String version;
    private final Path tree;

    PackFiles(Path tree, String version) {
        this.tree = tree;
        this.version = version;
    }

    /** The answer to a request. */
    public static final class Answer {
        /** 200, 206, 304, 404, 405 or 416. */
        public final int status;
        /** The words for the status. */
        public final String reason;
        /** The media type, without an encoding: the page declares it. */
        public final String type;
        /** The headers, also those of the type and the length. */
        public final Map<String, String> headers = new LinkedHashMap<>();
        /** The first byte and the number of bytes of the file that are sent. */
        public final long offset;
        /** The number of bytes that are sent. */
        public final long length;
        private final Path file;

        private Answer(int status, String reason, String type, Path file, long offset,
            long length) {
            this.status = status;
            this.reason = reason;
            this.type = type;
            this.file = file;
            this.offset = offset;
            this.length = length;
        }

        /** The whole file, of which {@link #offset} and {@link #length} are sent; null for none. */
        public InputStream openFile() throws IOException {
            // Its available() is exact, by which a web view knows the size.
            return file == null ? null : new java.io.FileInputStream(file.toFile());
        }
    }

    /**
     * Answers a request.
     *
     * @param method the method, in capitals
     * @param path the path of the URL below that of the release, percent-encoded, without query
     * @param headers the headers of the request
     */
    public Answer answer(String method, String path, Map<String, String> headers) {
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return finish(new Answer(405, "Method Not Allowed", "text/plain", null, 0, 0));
        }
        Path file = find(path);
        if (file == null) {
            return finish(new Answer(404, "Not Found", "text/plain", null, 0, 0));
        }
        long size;
        try {
            size = Files.size(file);
        } catch (IOException error) {
            return finish(new Answer(500, "Internal Server Error", "text/plain", null, 0, 0));
        }
        String type = MediaTypes.of(path);
        String known = header(headers, "If-None-Match");
        if (known != null && lists(known)) {
            return finish(new Answer(304, "Not Modified", type, null, 0, 0));
        }
        String condition = header(headers, "If-Range");
        boolean hasRange =
            method.equals("GET") && (condition == null || condition.equals(tag()));
        ByteRange range = ByteRange.of(hasRange ? header(headers, "Range") : null, size);
        Answer answer;
        if (range.isUnsatisfiable) {
            answer = new Answer(416, "Range Not Satisfiable", type, null, 0, 0);
            answer.headers.put("Content-Range", "bytes */" + size);
        } else if (range.isWhole) {
            answer = new Answer(
                200, "OK", type, method.equals("HEAD") ? null : file, 0, size);
        } else {
            answer = new Answer(
                206, "Partial Content", type, file, range.offset, range.length);
            answer.headers.put("Content-Range", "bytes " + range.offset + "-"
                + (range.offset + range.length - 1) + "/" + size);
        }
        return finish(answer);
    }

    private String tag() {
        return '"' + version + '"';
    }

    private Answer finish(Answer answer) {
        if (answer.status < 400) {
            answer.headers.put("Content-Type", answer.type);
            answer.headers.put("Accept-Ranges", "bytes");
            answer.headers.put("ETag", tag());
            answer.headers.put("Cache-Control", "no-cache");
        }
        if (answer.status == 200 || answer.status == 206) {
            answer.headers.put("Content-Length", Long.toString(answer.length));
        }
        answer.headers.put("Access-Control-Allow-Origin", "*");
        answer.headers.put("Access-Control-Expose-Headers", "Accept-Ranges, Content-Range, ETag");
        return answer;
    }

    private boolean lists(String header) {
        if (header.equals("*")) {
            return true;
        }
        for (String part : header.split(",")) {
            String one = part.trim();
            if ((one.startsWith("W/") ? one.substring(2) : one).equals(tag())) {
                return true;
            }
        }
        return false;
    }

    private static String header(Map<String, String> headers, String name) {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            if (header.getKey().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                return header.getValue();
            }
        }
        return null;
    }

    /** The file of a path; null if there is none. Symbolic links are not followed. */
    private Path find(String encoded) {
        String path = Bytes.text(Manifest.decoded(encoded));
        if (path == null || Names.problemOfBuild(path) != null) {
            return null;
        }
        try {
            Path file = tree;
            String[] parts = path.split("/", -1);
            for (int index = 0; index < parts.length; index++) {
                file = Disk.below(file, parts[index]);
                boolean isRight = index == parts.length - 1
                    ? Disk.isFile(file) : Disk.isDirectory(file);
                if (!isRight) {
                    return null;
                }
            }
            return file;
        } catch (IOException error) {
            return null;
        }
    }
}
