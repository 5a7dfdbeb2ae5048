package packtool.client;

import java.util.HashMap;
import java.util.Map;

/** The media types that packtool writes, by the text after the last dot of a file name. */
final class MediaTypes {
    private static final String OTHER = "application/octet-stream";
    private static final Map<String, String> TYPES = new HashMap<>();

    static {
        String[] rows = {"text/html html htm", "application/xhtml+xml xhtml",
            "text/javascript js mjs cjs", "text/css css", "application/json json map",
            "application/manifest+json webmanifest", "application/xml xml", "text/plain txt",
            "text/markdown md", "text/csv csv", "text/calendar ics", "text/vtt vtt",
            "application/wasm wasm", "application/pdf pdf", "application/zip zip",
            "application/gzip gz", "image/svg+xml svg", "image/png png", "image/apng apng",
            "image/jpeg jpg jpeg", "image/gif gif", "image/webp webp", "image/avif avif",
            "image/heic heic", "image/vnd.microsoft.icon ico", "image/bmp bmp", "font/woff woff",
            "font/woff2 woff2", "font/ttf ttf", "font/otf otf",
            "application/vnd.ms-fontobject eot", "audio/mpeg mp3", "audio/mp4 m4a",
            "audio/aac aac", "audio/ogg ogg oga", "audio/wav wav", "audio/flac flac",
            "video/mp4 mp4 m4v", "video/webm webm", "video/quicktime mov",
            "application/vnd.apple.mpegurl m3u8", "video/mp2t ts", "model/gltf-binary glb",
            "model/gltf+json gltf"};
        for (String row : rows) {
            String[] words = row.split(" ");
            for (int index = 1; index < words.length; index++) {
                TYPES.put(words[index], words[0]);
            }
        }
    }

    private MediaTypes() {}

    /** The type of a file by its path. */
    static String of(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        String type =
            dot < 0 ? null : TYPES.get(name.substring(dot + 1).toLowerCase(java.util.Locale.ROOT));
        return type == null ? OTHER : type;
    }
}
