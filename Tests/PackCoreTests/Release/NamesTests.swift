import PackGround
import PackRelease
import TestSupport
import Testing

struct NamesTests {
    private static let appNamesThatAreTakenTable: [String] = [
        "shop", "a", "0", "My.App_2-x", "a.b", "a-", "a_", "9lives",
        String(repeating: "a", count: 64),
    ]

    @Test(arguments: appNamesThatAreTakenTable) func appNamesThatAreTaken(_ text: String) throws {
        #expect(try AppName(text).description == text)
    }

    private static let namesThatAreRefusedTable: [String] = [
        "", ".", "..", ".a", "-a", "_a", "a.", "a b", "a/b", "a\\b", "ü", "a\u{0}", "a\n", "a:b",
        "a%b",
        String(repeating: "a", count: 65), "日本", "a@b", "a\u{301}",
    ]

    @Test(arguments: namesThatAreRefusedTable) func namesThatAreRefused(_ text: String) {
        expectFailure(of: "usage") { try AppName(text) }
        expectFailure(of: "usage") { try Channel(text) }
    }

    @Test func channelsHaveNoCapitals() throws {
        #expect(try Channel("beta-2.x_y").description == "beta-2.x_y")
        #expect(try Channel("production") == .production)
        #expect(
            throws: Failure.invalidArgument(
                kind: "channel", word: "Beta", problem: "contains a capital letter", example: "beta"
            )
        ) { try Channel("Beta") }
    }

    @Test func theErrorSaysWhatToDo() {
        let error = #expect(throws: Failure.self) { try AppName("my app") }
        #expect(
            error?.description
                == "the app name 'my app' may contain only letters, digits, '.', '_' and '-', and must "
                + "start with a letter or digit")
        #expect(error?["example"] == "shop")
        #expect(error?.code.name == "usage.app-name")
        #expect(error?.exitCode == .usage)
    }
}

struct MediaTypeTests {
    private static let byEndingTable: [(String, String)] = [
        ("index.html", "text/html"), ("a/b.HTM", "text/html"), ("main.c609.js", "text/javascript"),
        ("m.mjs", "text/javascript"), ("m.cjs", "text/javascript"), ("s.css", "text/css"),
        ("a.json", "application/json"), ("a.js.map", "application/json"),
        ("l.svg", "image/svg+xml"),
        ("i.png", "image/png"), ("i.JPG", "image/jpeg"), ("i.jpeg", "image/jpeg"),
        ("i.webp", "image/webp"), ("i.avif", "image/avif"), ("f.woff2", "font/woff2"),
        ("m.wasm", "application/wasm"), ("site.webmanifest", "application/manifest+json"),
        ("favicon.ico", "image/vnd.microsoft.icon"), ("robots.txt", "text/plain"),
        ("noending", "application/octet-stream"), ("dir.html/file", "application/octet-stream"),
        ("a.", "application/octet-stream"), ("a.unknown", "application/octet-stream"),
        (".html", "text/html"), ("a.html.gz", "application/gzip"), ("v.mp4", "video/mp4"),
        ("a.ｈtml", "application/octet-stream"),
    ]

    @Test(arguments: byEndingTable) func byEnding(_ path: String, _ type: String) throws {
        #expect(MediaType.of(try AssetPath(path)) == type)
    }
}
