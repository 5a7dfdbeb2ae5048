import Foundation
import PackCheck
import PackGround
import TestSupport
import Testing

/// For many small builds: every finding in a rewritten build also occurs in the original, or in the
/// same build written for the app.
///
/// `PACKTOOL_SEED` and `PACKTOOL_ROUNDS` select other builds and their number.
struct RewritePropertyTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["PACKTOOL_SEED"].flatMap { UInt64($0) } ?? 18
    private static let rounds = environment["PACKTOOL_ROUNDS"].flatMap { Int($0) } ?? 60

    /// Spellings of a build's own URLs, and their equivalents in the app.
    private static let origins = [
        ("https://www.example.com", own), ("https://www.example.com:443", own),
        ("http://www.example.com:80", own), ("HTTPS://WWW.Example.com", own),
        ("//www.example.com", own), ("//www.example.com:443", own), ("https:", "https:"),
        ("https://me@www.example.com", "https://me@www.example.com"),
        ("https://www.example.com:8443", "https://www.example.com:8443"),
        ("http://www.example.com", own), ("https:\\\\www.example.com", own),
        ("https://cdn.example.net", "https://cdn.example.net"),
        ("//cdn.example.net", "https://cdn.example.net"), ("", ""), (".", "."),
    ]
    private static let own = "customscheme://www.example.com"

    private static let policies = [
        "default-src 'self'", "script-src https://www.example.com 'unsafe-inline'",
        "script-src https://www.example.com HASH", "script-src 'self' HASH; style-src 'self' HASH",
        "img-src https://www.example.com; style-src https://www.example.com 'unsafe-inline'",
        "script-src www.example.com 'nonce-a'; font-src https:",
        "default-src https://www.example.com 'unsafe-inline' data:",
    ]

    /// A build from its own generator.
    private struct Build {
        var noise: Noise
        /// Whether to write the equivalent URLs and no policy.
        let isMeant: Bool

        mutating func pick<T>(_ values: [T]) -> T? { values.randomElement(using: &noise) }

        mutating func url(_ path: String) -> String {
            let origin = pick(RewritePropertyTests.origins) ?? ("", "")
            return (isMeant ? origin.1 : origin.0) + "/" + path
                + (pick(["", "", "", "?v=1", "#x"]) ?? "")
        }

        mutating func code() -> String {
            switch Int.random(in: 0..<4, using: &noise) {
            case 0: "import \"\(url("m.js"))\""
            case 1: "import(\"\(url("m.js"))\")"
            case 2: "new Worker(\"\(url("m.js"))\")"
            default: "let a = 1"
            }
        }

        mutating func element() -> String {
            let hash = { (text: String) in
                SubresourceIntegrity.Algorithm.sha384.expression(of: Array(text.utf8))
            }
            switch Int.random(in: 0..<9, using: &noise) {
            case 0: return "<script src=\"\(url("a.js"))\"></script>"
            case 1: return "<script src=\"\(url("a.js"))\" integrity=\"\(hash("1"))\"></script>"
            case 2: return "<script type=\"module\">\(code())</script>"
            case 3: return "<script nonce=\"a\">\(code())</script>"
            case 4: return "<link rel=\"stylesheet\" href=\"\(url("a.css"))\">"
            case 5: return "<style>p { background: url(\(url("a.png"))) }</style>"
            case 6: return "<img src=\"\(url("a.png"))\" srcset=\"\(url("b.png")) 2x\">"
            case 7: return "<p style=\"background: url('\(url("a.png"))')\"></p>"
            default:
                return
                    "<script type=\"importmap\">{\"imports\": {\"m\": \"\(url("m.js"))\"}}</script>"
            }
        }

        mutating func page() -> String {
            let elements = (0..<Int.random(in: 1..<6, using: &noise)).map { _ in element() }
            guard var policy = pick(RewritePropertyTests.policies),
                pick([true, true, false]) == true,
                !isMeant
            else { return elements.joined(separator: "\n") }
            // The hashes of all inline code, as written by build tools.
            let inline = elements.compactMap { element -> String? in
                guard element.hasSuffix("</script>") || element.hasSuffix("</style>"),
                    let start = element.firstIndex(of: ">"), let end = element.lastIndex(of: "<")
                else { return nil }
                let text = element[element.index(after: start)..<end]
                return text.isEmpty
                    ? nil
                    : "'\(SubresourceIntegrity.Algorithm.sha256.expression(of: Array(text.utf8)))'"
            }
            policy = policy.replacingOccurrences(of: "HASH", with: inline.joined(separator: " "))
            return "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
                + elements.joined(separator: "\n")
        }

        mutating func files() -> [String: String] {
            [
                "index.html": "<!doctype html><meta charset=\"utf-8\"><title>x</title>\n" + page(),
                "a.js": "1", "m.js": pick(["export {}", "import \"\(url("a.js"))\""]) ?? "",
                "a.css": "@import \"\(url("b.css"))\"; p { background: url(\(url("b.png"))) }",
                "b.css": "p {}", "a.png": "1", "b.png": "2",
                "i.svg":
                    "<?xml-stylesheet href=\"\(url("a.css"))\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            ]
        }
    }

    @Test(arguments: [RewriteTarget.Form.custom, .protocolRelative])
    func nothingNewIsFound(_ form: RewriteTarget.Form) async throws {
        let target = try RewriterTests.target(form)
        for round in 0..<Self.rounds {
            let noise = Noise(seed: Self.seed &+ UInt64(round))
            var build = Build(noise: noise, isMeant: false)
            let files = build.files()
            var meant = Build(noise: noise, isMeant: true)
            let meantFiles = meant.files()
            try await TemporaryFolder.with { folder in
                let source = try folder.makeFolder("source")
                let output = try folder.makeFolder("output")
                let right = try folder.makeFolder("right")
                for (name, content) in files { _ = try source.write(Array(content.utf8), as: name) }
                for (name, content) in meantFiles {
                    _ = try right.write(Array(content.utf8), as: name)
                }
                _ = try await Rewriter(source: source.directory(), target: target)
                    .write(to: output.directory(), jobs: 1)
                let before = try await found(source.directory(), target).merging(
                    found(right.directory(), target), uniquingKeysWith: max)
                let after = try await found(output.directory(), target)
                for (key, count) in after where count > before[key, default: 0] {
                    let name = String(key.split(separator: " ").last ?? "")
                    Issue.record(
                        """
                        seed \(Self.seed &+ UInt64(round)), \(form.rawValue): \(key), \(count) \
                        instead of \(before[key, default: 0]):
                        \(files[name] ?? "")
                        became
                        \(String(decoding: try output.read(name), as: UTF8.self))
                        """)
                }
            }
        }
    }

    /// The number of findings of each rule in each file.
    private func found(
        _ directory: Directory, _ target: RewriteTarget
    ) async throws -> [String: Int] {
        let report = try await Checker(
            site: SiteIndex(directory: directory, profile: target.profile),
            rules: RuleCatalog.all
        ).check(jobs: 1)
        // Imports of a module on another host are only known after the rewrite, when the module
        // comes from the package.
        return report.findings.filter { !$0.message.contains(": it does not allow http") }
            .reduce(into: [:]) { $0["\($1.rule) in \($1.path)", default: 0] += 1 }
    }
}
