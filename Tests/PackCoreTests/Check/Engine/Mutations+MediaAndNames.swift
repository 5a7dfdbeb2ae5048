import PackCheck
import PackGround
import PackProfile

/// Mutations of media types, sizes and names.
extension MutationTests {
    private static let strict = Profile.pathStrict.with { $0.hosts = ["shop.example.com"] }

    private static func refused(_ rule: String, _ name: String, _ problem: NameProblem) -> Mutation
    {
        Mutation(
            rule, "", "", in: name,
            Setting(refused: [RefusedName(name: name, problem: problem)]))
    }

    private static let deployedLogo = Example.deployed(["icons/icon-192.png"])
    private static let deployedScript = Example.deployed(["assets/main.WMSKDKTG.js"])

    static let mediaAndNames: [Mutation] = [
        Mutation(
            "media-range", "<body>", "<body><video src=\"↓./assets/kiln.3F9C2A71.mp4\"></video>",
            adding: ["assets/kiln.3F9C2A71.mp4": "film"]),
        Mutation("mime-unknown", adding: "assets/kiln.3F9C2A71.mjs", "export {}"),
        Mutation(
            "type-refused", "<body>",
            "<body><script type=\"module\">import \"↓./kiln.txt\"</script>",
            adding: ["kiln.txt": "export {}"]),
        Mutation("mime-content-mismatch", adding: "kiln.css", "<!DOCTYPE html><title>404</title>"),
        Mutation(
            "precompressed-in-package", adding: "assets/main.WMSKDKTG.js.gz", "x"),
        Mutation("extension-uppercase", adding: "assets/kiln.3F9C2A71.TXT", "x"),
        Mutation("zero-byte-file", adding: "assets/kiln.3F9C2A71.json", ""),
        Mutation(
            "duplicate-content", "", "", in: "b.txt",
            adding: [
                "a.txt": String(repeating: "0123456789abcdef", count: 500),
                "b.txt": String(repeating: "0123456789abcdef", count: 500),
            ]),
        Mutation(
            "large-file", adding: "kiln.txt", String(repeating: "x", count: 200_000),
            Setting(options: CheckOptions(budgets: .init(file: 150_000)))),
        Mutation(
            "large-image", adding: "kiln.bmp", "BM" + String(repeating: "x", count: 50_000),
            Setting(options: CheckOptions(budgets: .init(file: 150_000)))),
        Mutation(
            "package-too-large", "", "", in: ".",
            adding: ["kiln.txt": String(repeating: "x", count: 1_000_000)],
            Setting(options: CheckOptions(budgets: .init(package: 900_000)))),
        Mutation(
            "too-many-files", "", "", in: ".", adding: ["kiln.txt": "x"],
            Setting(options: CheckOptions(budgets: .init(files: 51)))),
        Mutation(
            "unhashed-mutable", "", "", in: "icons/icon-192.png", Setting(previous: deployedLogo)),
        Mutation(
            "hash-not-content", "", "", in: "assets/main.WMSKDKTG.js",
            Setting(previous: deployedScript)),
        Mutation(
            "entry-missing", "", "", in: ".",
            Setting(profile: profile.with { $0.launch = "start.html" })),
        Mutation(
            "manifest-entry", adding: "info.json",
            "{\"version\": \"1\", \"files\": [\"/x.js\"]}"),
        Mutation("os-junk", "", "", in: ".DS_Store", Setting(junk: [".DS_Store"])),
        Mutation("dotfile", adding: ".htaccess", "x"),
        Mutation("sensitive-file", adding: ".env.production", "A=1"),
        Mutation("windows-illegal-name", adding: "aux.txt", "x"),
        refused("symlink", "link.js", .symbolicLink),
        refused("path-escape", "..\\x.js", .backslash),
        refused("control-char-name", "a\u{1}.js", .controlCharacter),
        refused("name-too-long", "long.js", .componentTooLong),
        Mutation(
            "case-collision", "", "", in: "robots.txt", adding: ["ROBOTS.txt": "x"],
            Setting(profile: strict)),
    ]
}
