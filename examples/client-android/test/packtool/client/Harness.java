package packtool.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * Runs the client for tests: one command a line on standard input, one JSON document a line as the
 * answer. The words of a command are separated by tabs.
 */
public final class Harness {
    private Harness() {}

    /** Runs the command of the arguments, or those of standard input. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            System.out.println(run(arguments));
            return;
        }
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        java.io.PrintStream out = new java.io.PrintStream(System.out, true, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(run(line.split("\t", -1)));
        }
    }

    private static String run(String[] words) {
        JsonWriter json = new JsonWriter();
        json.begin("{");
        try {
            switch (words[0]) {
                case "install":
                    install(json, options(words, 1));
                    break;
                case "start":
                case "preview":
                    start(json, words[0].equals("preview"), options(words, 1));
                    break;
                case "ready":
                    Copy copy = AppStart.confirm(
                        Paths.get(words[1]), null, Collections.emptySet());
                    json.string("version", copy == null ? null : copy.version);
                    break;
                case "apply":
                    apply(json, words);
                    break;
                case "fold":
                    json.string("folded", CaseFolding.folded(words[1]));
                    json.bool("isKnown", Character.isDefined(words[1].codePointAt(0)));
                    break;
                case "bucket":
                    json.number("bucket",
                        (long) Pointer.bucket(words[1], words[2], words[3], words[4]));
                    break;
                case "verify":
                    json.bool("verifies", PublicKeys.verifies(words[1], Bytes.base64(words[2]),
                        Bytes.base64(words[3]), Bytes.base64(words[4])));
                    json.string("problem", PublicKeys.problem(words[1], Bytes.base64(words[2])));
                    break;
                case "zip":
                    zip(json, Paths.get(words[1]));
                    break;
                default:
                    throw new IllegalArgumentException(words[0]);
            }
        } catch (PackError error) {
            json.string("refused", error.code);
            json.string("message", error.getMessage());
        } catch (IOException error) {
            json.string("refused", "file-system.failed");
            json.string("message", error.toString());
        } catch (Throwable error) {
            StringBuilder trace = new StringBuilder(error.toString());
            for (StackTraceElement one : error.getStackTrace()) {
                trace.append(" at ").append(one);
            }
            json.string("crash", trace.toString());
        }
        json.end("}");
        return json.toString();
    }

    private static Map<String, String> options(String[] words, int start) {
        Map<String, String> options = new HashMap<>();
        for (int index = start; index + 1 < words.length; index += 2) {
            options.put(words[index], words[index + 1]);
        }
        return options;
    }

    private static NativeVersion nativeVersion(Map<String, String> options) {
        String text = options.get("native");
        return text == null ? null : NativeVersion.parse(text);
    }

    private static EmbeddedRelease embedded(Map<String, String> options)
        throws IOException, PackError {
        String path = options.get("embedded");
        return path == null ? null : EmbeddedRelease.read(Paths.get(path));
    }

    private static void install(JsonWriter json, Map<String, String> options)
        throws IOException, PackError {
        InstallRequest request = new InstallRequest();
        request.directory = Paths.get(options.get("into"));
        request.channel = options.get("channel");
        request.app = options.get("app");
        request.nativeVersion = nativeVersion(options);
        request.platform = options.get("platform");
        request.device = options.get("device");
        request.embedded = embedded(options);
        request.isTreeChecked = !"no".equals(options.get("checks"));
        request.now = options.containsKey("now") ? Timestamp.parse(options.get("now"))
            : System.currentTimeMillis() / 1000;
        String trust = options.get("trust");
        if (trust != null && trust.startsWith("sha256:")) {
            String[] parts = trust.substring(7).split("@");
            request.pinHash = parts[0];
            request.pinVersion = parts.length > 1 ? Long.parseLong(parts[1]) : 1;
        } else if (trust != null) {
            request.pin = TrustRoot.standing(Files.readAllBytes(Paths.get(trust)));
        }
        String address = options.get("origin");
        long[] received = {0};
        HttpRequests requests = new HttpRequests(
            new UrlTransport(), "packtool-client/1 test", bytes -> received[0] += bytes);
        Origin origin = address.startsWith("http")
            ? new HttpOrigin(java.util.Arrays.asList(address.split(",")), requests,
                request.directory.resolve(".parts"))
            : new DirectoryOrigin(Paths.get(address));
        try {
            InstallReport report = Installer.install(request, origin);
            json.string("outcome", report.outcome);
            json.string("version", report.installed.version);
            json.string("packageHash", report.installed.packageHash);
            json.number("sequence", report.state.seen().sequence);
            json.string("label", report.installed.label);
            json.string("channel", report.state.channel());
            json.string("route", report.installed.route);
            json.string("previous", report.previous);
            json.number("files", report.files);
            json.number("bytes", report.bytes);
            json.bool("damaged", report.isDamaged);
            json.string("notes", String.join("; ", report.notes));
        } finally {
            json.number("received", received[0]);
            json.number("requests", requests.sent);
        }
    }

    private static void start(JsonWriter json, boolean isPreview, Map<String, String> options)
        throws IOException, PackError {
        AppStart.Request request = new AppStart.Request();
        request.directory = Paths.get(options.get("into"));
        request.embedded = embedded(options);
        request.nativeVersion = nativeVersion(options);
        request.now = options.containsKey("now") ? Timestamp.parse(options.get("now"))
            : System.currentTimeMillis() / 1000;
        AppStart start = isPreview ? AppStart.preview(request) : AppStart.start(request);
        boolean isTree =
            start.place != null && !start.place.equals(InstallState.EMBEDDED);
        json.string("starts", start.choice == AppStart.Choice.WEB ? "web"
            : start.choice == AppStart.Choice.NOTHING ? "nothing" : isTree ? "tree" : "embedded");
        json.string("version", start.running == null ? null : start.running.version);
        json.string("launch", start.running == null ? null : start.running.launch);
        json.bool("mustUpdate", start.mustUpdate);
        json.string("problem", start.problem == null ? null : start.problem.code);
    }

    private static void zip(JsonWriter json, Path path) throws IOException, PackError {
        try (ZipReader zip = new ZipReader(path)) {
            for (ZipReader.Entry entry : zip.entries.values()) {
                ZipContent.unpack(zip, entry, (data, start, length) -> { });
            }
            json.number("files", (long) zip.entries.size());
        }
    }

    /** apply BASE DELTA OUT [TIMES]: the times are those of this thread's processor. */
    private static void apply(JsonWriter json, String[] words) throws IOException, PackError {
        int times = words.length > 4 ? Integer.parseInt(words[4]) : 1;
        for (int index = 1; index <= times; index++) {
            long begun = processor();
            Scan base = Scan.of(Paths.get(words[1]), false);
            long hashed = processor();
            try (DeltaFile delta = new DeltaFile(Paths.get(words[2]), UpdateLimits.MEMORY)) {
                Path out = Paths.get(words[3]);
                Disk.remove(out);
                Files.createDirectories(out);
                Listing listing =
                    new DeltaApplier(delta, base, out).apply(null, Long.MAX_VALUE);
                if (index == times) {
                    json.string("packageHash", listing.packageHash());
                    json.number("files", (long) listing.count());
                }
            }
            json.number("hashing " + index, hashed - begun);
            json.number("applying " + index, processor() - hashed);
        }
    }

    /** The processor time of this thread, in milliseconds. */
    private static long processor() {
        return java.lang.management.ManagementFactory.getThreadMXBean()
            .getCurrentThreadCpuTime() / 1_000_000;
    }
}
