package packtool.client;

import android.net.Uri;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import packtool.client.android.PackPathHandler;
import packtool.client.android.PackWebViewClient;

/** Tests of what no comparison with packtool shows: tables, the public classes, the adapter. */
public final class UnitTests {
    private static int checks;

    private UnitTests() {}

    /** Runs the tests; the argument is an empty directory, then an origin. */
    public static void main(String[] arguments) throws Exception {
        Path work = java.nio.file.Paths.get(arguments[0]);
        buckets();
        times();
        versions();
        ranges();
        probabilities();
        names();
        json();
        client(work, arguments[1]);
        System.out.println(checks + " unit checks");
    }

    private static void check(String name, Object expected, Object found) {
        checks++;
        if (expected == null ? found != null : !expected.equals(found)) {
            throw new AssertionError(name + ": " + found + " instead of " + expected);
        }
    }

    private static void buckets() {
        String zeros = "00000000-0000-4000-8000-000000000000";
        String salt = "4320573858a8fa3567a1" + new String(new char[44]).replace('\0', '0');
        check("bucket", 9242, Pointer.bucket("shop", "production", salt, zeros));
        check("bucket", 9982, Pointer.bucket("shop", "beta", salt, zeros));
        check("bucket", 6327, Pointer.bucket("shop", "production", "ring-1", zeros));
        check("bucket", 534, Pointer.bucket("shop", "production", salt, "device-\u00E9"));
        check("bucket", 8983, Pointer.bucket("a", "b", "c", "d"));
    }

    private static void times() {
        check("time", 1_795_248_000L, Timestamp.parse("2026-11-21T08:00:00Z"));
        check("time", 0L, Timestamp.parse("1970-01-01T00:00:00Z"));
        for (String wrong : new String[] {"2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T08:00:60Z", "2026-11-21 08:00:00Z", "", "2026"}) {
            check(wrong, null, Timestamp.parse(wrong));
        }
        for (String right : new String[] {"0000-02-29T00:00:00Z", "9999-12-31T23:59:59Z",
            "2000-02-29T12:34:56Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"}) {
            check(right, right, Timestamp.text(Timestamp.parse(right)));
        }
    }

    private static void versions() {
        check("3.10", false, NativeVersion.parse("3.10").isBelow(NativeVersion.parse("3.2")));
        check("3.2", false, NativeVersion.parse("3.2").isBelow(NativeVersion.parse("3.2.0")));
        check("3.4.9", false, NativeVersion.parse("3.4.9").isAbove(NativeVersion.parse("3.4")));
        check("3.5", true, NativeVersion.parse("3.5").isAbove(NativeVersion.parse("3.4")));
        for (String wrong : new String[] {"", ".", "1.", "1.2.3.4.5", "1234567890", "-1", "1a"}) {
            check(wrong, null, NativeVersion.parse(wrong));
        }
    }

    private static void range(String header, long size, String expected) {
        ByteRange range = ByteRange.of(header, size);
        check(header, expected, range.isWhole ? "whole"
            : range.isUnsatisfiable ? "none" : range.offset + "+" + range.length);
    }

    private static void ranges() {
        range(null, 10, "whole");
        range("bytes=0-", 10, "0+10");
        range("bytes=2-4", 10, "2+3");
        range("Bytes = 2-4", 10, "whole");
        range("bytes=2-99999999999999999999", 10, "2+8");
        range("bytes=-3", 10, "7+3");
        range("bytes=-0", 10, "none");
        range("bytes=10-", 10, "none");
        range("bytes=4-2", 10, "whole");
        range("bytes=0-1,3-4", 10, "whole");
        range("bytes=20-,30-", 10, "none");
        range("lines=0-1", 10, "whole");
    }

    private static void probabilities() {
        check("squash(0)", 32_768, CodingTables.SQUASH[3072]);
        check("squash(3071)", 65_535, CodingTables.SQUASH[6143]);
        check("stretch(half)", (short) 0, CodingTables.STRETCH[2048]);
    }

    private static void names() throws PackError {
        for (String right : new String[] {"a", "a/b.c", "\u00E9", "x/\uD83D\uDE00", ".x"}) {
            check(right, null, Names.problem(right));
        }
        for (String wrong : new String[] {"", "/a", "a/", "a//b", "../a", "a/./b", "a\\b", "a:b",
            "a\u0000", "a.", "a ", "con", "x/Aux.txt", "e\u0301", ".DS_Store", "x~", "a/._b",
            "#x#", ".a.swp", "\u0085"}) {
            check(wrong, true, Names.problem(wrong) != null);
        }
        for (String[] pair : new String[][] {{"A", "a"}, {"a/b", "A/c"}, {"a", "a/b"},
            {"stra\u00DFe", "STRASSE"}, {"\u03C3", "\u03C2"}, {"a/B/x", "a/b/y"}}) {
            boolean isRefused = false;
            try {
                Names.check(java.util.Arrays.asList(pair), Collections.emptyList(), "x.y");
            } catch (PackError error) {
                isRefused = true;
            }
            check(pair[0] + " " + pair[1], true, isRefused);
        }
        Names.check(java.util.Arrays.asList("a/b", "a/c", "b", "\u0131", "i"),
            Collections.emptyList(), "x.y");
    }

    private static void json() {
        for (String wrong : new String[] {"", "[]", "1", "{", "{\"a\":1,}", "{\"a\":1}x", "{a:1}",
            "{\"a\":01}", "{\"a\":+1}", "{\"a\":9007199254740992}", "{\"a\":1,\"a\":2}",
            "\uFEFF{}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\u0001\"}", "{\"a\":nul}", "{\"a\":.5}",
            "{\"a\":\"\\x\"}", "{\"\u00E9\":1,\"e\u0301\":2}", "{\"a\":1e}", "{\"a\":-}"}) {
            String code = null;
            try {
                Json.parse(wrong.getBytes(StandardCharsets.UTF_8), "x.y");
            } catch (PackError error) {
                code = error.code;
            }
            check(wrong, "x.y", code);
        }
        StringBuilder deep = new StringBuilder("{\"a\":");
        for (int level = 0; level < 100_000; level++) {
            deep.append('[');
        }
        try {
            Json.parse(Bytes.utf8(deep.toString()), "x.y");
            throw new AssertionError("deep JSON");
        } catch (PackError error) {
            checks++;
        }
    }

    private static final class Request implements WebResourceRequest {
        private final String url;
        private final String method;
        private final Map<String, String> headers;

        Request(String url, String method, Map<String, String> headers) {
            this.url = url;
            this.method = method;
            this.headers = headers;
        }

        @Override
        public Uri getUrl() {
            return Uri.parse(url);
        }

        @Override
        public boolean isForMainFrame() {
            return url.endsWith(".html");
        }

        @Override
        public String getMethod() {
            return method;
        }

        @Override
        public Map<String, String> getRequestHeaders() {
            return headers;
        }
    }

    private static byte[] all(InputStream in) throws IOException {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        for (int one = in.read(); one >= 0; one = in.read()) {
            out.write(one);
        }
        in.close();
        return out.toByteArray();
    }

    private static void client(Path work, String origin) throws Exception {
        PackConfiguration configuration = new PackConfiguration(
            origin, "shop", work.resolve("offline").toFile());
        configuration.nativeVersion = "3.2";
        check("platform", "android", configuration.platform);
        PackClient client = new PackClient(configuration);
        check("first start", PackStart.Choice.NOTHING, client.start().choice);
        PackUpdate update = client.update(new UpdateOptions());
        check("update", PackUpdate.Result.INSTALLED, update.result);
        check("again", PackUpdate.Reason.NOT_DUE, client.update(new UpdateOptions()).reason);
        check("no files before the start", null, client.files());
        PackStart start = client.start();
        check("start", PackStart.Choice.RELEASE, start.choice);
        check("agent", "packtool-client/1 shop/" + start.release.label + " native/3.2",
            client.agent());
        PackWebViewClient pages = new PackWebViewClient(client, "shop.example", "/app/");
        String url = pages.launchUrl(start.release.launch);
        check("launch URL", "https://shop.example/app/index.html", url);
        WebResourceResponse page =
            pages.shouldInterceptRequest(null, new Request(url, "GET", Collections.emptyMap()));
        check("page", 200, page.getStatusCode());
        check("type", "text/html", page.getMimeType());
        byte[] content = Files.readAllBytes(start.release.directory.toPath().resolve("index.html"));
        check("content", true, java.util.Arrays.equals(content, all(page.getData())));
        WebResourceResponse part = pages.shouldInterceptRequest(null, new Request(
            "https://shop.example/app/app.js", "GET",
            Collections.singletonMap("Range", "bytes=10-19")));
        check("part", 206, part.getStatusCode());
        check("range", true,
            part.getResponseHeaders().get("Content-Range").startsWith("bytes 10-19/"));
        check("the whole file for a range", true, java.util.Arrays.equals(
            Files.readAllBytes(start.release.directory.toPath().resolve("app.js")),
            all(part.getData())));
        check("length", null, part.getResponseHeaders().get("Content-Length"));
        String[] missing = {"missing.js", "", "assets", "assets/", "../state.json",
            "%2e%2e/%2e%2e/state.json", "index.html/", "%ff", "a%00b", "..%2f..%2fstate.json"};
        for (String path : missing) {
            check(path, 404, pages.shouldInterceptRequest(null, new Request(
                "https://shop.example/app/" + path, "GET", Collections.emptyMap()))
                .getStatusCode());
        }
        check("other host", null, pages.shouldInterceptRequest(null, new Request(
            "https://other.example/app/index.html", "GET", Collections.emptyMap())));
        check("post", 405, pages.shouldInterceptRequest(null, new Request(
            "https://shop.example/app/app.js", "POST", Collections.emptyMap())).getStatusCode());
        check("tag", 404, pages.shouldInterceptRequest(null, new Request(url, "GET",
            Collections.singletonMap("if-none-match", "\"" + start.release.version + "\"")))
            .getStatusCode());
        check("loader", 200, new PackPathHandler(client).handle("index.html").getStatusCode());
        client.markReady();
        client.reset();
        check("after reset", PackStart.Choice.NOTHING, new PackClient(configuration).start().choice);
        try {
            new PackClient(new PackConfiguration("ftp://x", "shop", work.toFile()));
        } catch (PackError error) {
            check("configuration", "usage.invalid-argument", error.code);
        }
        Files.write(work.resolve("file"), new byte[1]);
        update = new PackClient(new PackConfiguration(origin, "shop", work.toFile()))
            .update(new UpdateOptions());
        check("foreign directory", "install.not-an-installation", update.error.code);
    }
}
