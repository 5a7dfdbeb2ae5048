import PackGround
import PackPages
import PackProfile
import PackURL
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The handler finds a file exactly for the URLs for which the check assumes it.
struct LookUpAgreementTests {
    private static let host = "shop.example.com"

    /// A release with its handler and its model.
    private struct Both {
        let sources: PageSources
        let resolver: Resolver

        init(_ folder: TemporaryFolder, _ paths: [AssetPath], root: String) throws {
            let source = try PageSource(
                host: host, prefix: root, directory: folder.path, version: "1")
            sources = PageSources(scheme: "customscheme", [source])
            let profile = Profile.pathStrict.with(host: host).with { $0.root = root }
            resolver = Resolver(profile: profile, listing: PackageListing(paths))
        }

        /// Whether a file answers, by the handler and by the model.
        func finds(_ url: URLRecord) throws -> (handler: Bool, model: Bool) {
            let answer = try ReadAnswer(sources.plan(PageRequest(url: url.href)))
            return (answer.status == 200, resolver.resolve(url, for: .load).file != nil)
        }
    }

    private struct ProofPage {
        let name: String
        let root: String
        var files: [(path: [UInt8], content: [UInt8])] = []
        var missed: [String] = []

        static func all() async throws -> [ProofPage] {
            let run = try await ForeignTool("python3").run(
                ["\(Checkout.path)/Tests/Rigs/Pages/listing.py"])
            var pages: [ProofPage] = []
            for line in run.output.split(separator: "\n") {
                let words = line.split(separator: "\t", omittingEmptySubsequences: false)
                    .map(String.init)
                if words[0] == "page" {
                    pages.append(ProofPage(name: words[1], root: words[2]))
                    continue
                }
                let last = pages.count - 1
                if words[0] == "missed" {
                    pages[last].missed.append(words[1])
                } else {
                    pages[last].files.append((try bytes(words[1]), try bytes(words[2])))
                }
            }
            #expect(pages.count > 500, "\(run.errors)")
            return pages
        }

        /// Quoted texts and the words of the files: more references than any reader finds.
        var references: Set<[UInt8]> {
            var found: Set<[UInt8]> = []
            let ends = Set("\"'`()<>=, \n".utf8)
            for file in files {
                found.insert(file.path)
                found.insert(PercentEncoding.encode(file.path[...], .path))
                for word in file.content.split(whereSeparator: { ends.contains($0) })
                where word.count < 200 { found.insert(Array(word)) }
            }
            return found
        }
    }

    @Test func agreesOnThePagesOfTheProof() async throws {
        var (found, missed) = (0, 0)
        for page in try await ProofPage.all() {
            try await TemporaryFolder.with { folder in
                for file in page.files { try folder.write(file.content, as: file.path) }
                let paths = try page.files.map { try AssetPath($0.path) }
                let both = try Both(folder, paths, root: page.root)
                let base = URLRecord.parse("customscheme://\(Self.host)\(page.root)index.html")
                for reference in page.references {
                    guard let url = URLRecord.parse(reference, base: base),
                        url.scheme.elementsEqual("customscheme".utf8),
                        url.host?.serialized.elementsEqual(Self.host.utf8) ?? false
                    else { continue }
                    let (handler, model) = try both.finds(url)
                    #expect(handler == model, "\(page.name): \(url.href)")
                    if handler { found += 1 } else { missed += 1 }
                }
                // The engine's own verdict, made with another handler.
                for text in page.missed where text.hasPrefix("customscheme://\(Self.host)/") {
                    let status = try ReadAnswer(both.sources.plan(PageRequest(url: text))).status
                    #expect(status == 404, "\(page.name): \(text)")
                }
            }
        }
        #expect(found > 2000 && missed > 2000, "\(found) \(missed)")
    }

    @Test func agreesOnRandomURLs() async throws {
        try await TemporaryFolder.with { folder in
            let names = [
                "index.html", "a.js", "a/b.js", "a/b/c.js", "a b.js", "a%20b.js", "caf\u{E9}.png",
                "cafe\u{301}.png", "x?y.js", "x#y.js", "%2e%2e", "a/index.html", "app/a.js", "A.js",
            ]
            let release = try folder.makeFolder("release")
            for name in names { try release.write(Array(name.utf8), as: name) }
            try folder.write([1], as: "secret.js")
            for (target, name) in [
                ("../secret.js", "link.js"), ("..", "up"), ("a", "dir"), ("a.js", "same.js"),
            ] {
                #expect(symlink(target, release.file(name)) == 0)
            }
            let paths = try names.map { try AssetPath($0) }
            let roots = ["/", "/app/", "/a%20b/"]
            let all = try roots.map { try Both(release, paths, root: $0) }
            var noise = Noise(seed: 9)
            var found = 0
            for number in 0..<40_000 {
                let index = number % roots.count
                let text = "customscheme://\(Self.host)" + Self.path(&noise, roots[index])
                guard let url = URLRecord.parse(text) else { continue }
                let (handler, model) = try all[index].finds(url)
                #expect(handler == model, "\(text)")
                if handler { found += 1 }
            }
            #expect(found > 2000, "\(found)")
        }
    }

    private static func path(_ noise: inout Noise, _ root: String) -> String {
        let parts = [
            "index.html", "a.js", "a", "b.js", "b", "c.js", "a b.js", "a%20b.js", "a%2520b.js",
            "caf\u{E9}.png", "cafe\u{301}.png", "caf%C3%A9.png", "x%3Fy.js", "x%23y.js", "x?y.js",
            "%252e%252e", "..", ".", "%2e%2E", "%2F", "%2fa.js", "/", "\\", "%5c", "%00", "%FF",
            "%zz", "%", "link.js", "up", "dir", "same.js", "secret.js", "a.js/", "app", "A.js",
            "a.js%20", "\u{FFFD}", "?a.js", "#a.js", ";a", ":",
        ]
        var text = noise.below(10) == 0 ? "/" : root
        for _ in 0..<(1 + noise.below(4)) {
            text += parts[noise.below(noise.below(2) == 0 ? 10 : parts.count)]
            if noise.below(3) > 0 { text += noise.below(8) == 0 ? "//" : "/" }
        }
        // Otherwise nearly all paths would end in a slash.
        if noise.below(2) == 0, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        return text
    }
}
