import PackCheck
import PackGround
import Testing

/// The base URL of a script that runs before the parser reaches the page's `base`.
struct EarlyScriptTests {
    private func missed(_ head: String, _ files: [String]) async throws -> [String] {
        var memory: [AssetPath: [UInt8]] = [
            try AssetPath("index.html"):
                Array("<!doctype html>\(head)<base href=\"app/\"><p>x".utf8)
        ]
        for file in files {
            let content = file.hasSuffix("m.js") ? "fetch(\"d.json\")" : ""
            memory[try AssetPath(file)] = Array(content.utf8)
        }
        let site = SiteIndex(memory: memory, profile: .pathStrict)
        let rules = ["js-relative-ajax"].compactMap { RuleCatalog.rule($0) }
        return try await Checker(site: site, rules: rules).check(jobs: 1).findings.map(\.message)
    }

    private let message = ["'d.json' is requested from the handler, which has no such file"]

    @Test func aRequestAtOnceCountsFromThePage() async throws {
        let head = "<script>fetch(\"d.json\").then(x => x.json())</script>"
        #expect(try await missed(head, ["d.json"]).isEmpty)
        #expect(try await missed(head, ["app/d.json"]) == message)
    }

    @Test func aRequestInAFunctionMayBeEither() async throws {
        let head = "<script>addEventListener(\"load\", () => fetch(\"d.json\"))</script>"
        #expect(try await missed(head, ["d.json"]).isEmpty)
        #expect(try await missed(head, ["app/d.json"]).isEmpty)
        #expect(try await missed(head, []) == message)
    }

    @Test func aModuleRunsWhenThePageHasBeenRead() async throws {
        let head = "<script type=\"module\">fetch(\"d.json\")</script>"
        #expect(try await missed(head, ["d.json"]) == message)
        #expect(try await missed(head, ["app/d.json"]).isEmpty)
    }

    @Test func aScriptOfAnotherFileMayBeEither() async throws {
        let head = "<script src=\"m.js\"></script>"
        #expect(try await missed(head, ["m.js", "d.json"]).isEmpty)
        #expect(try await missed(head, ["m.js", "app/d.json"]).isEmpty)
        #expect(try await missed(head, ["m.js"]) == message)
        let module = "<script type=\"module\" src=\"m.js\"></script>"
        #expect(try await missed(module, ["m.js", "d.json"]) == message)
    }
}
