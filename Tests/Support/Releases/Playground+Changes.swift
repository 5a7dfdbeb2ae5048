package import PackRelease
import PackVerify
package import Testing

extension Playground {
    /// A build with a script large enough to make deltas worthwhile.
    package static func numbered(_ number: Int) -> [String: String] {
        first.merging(
            [
                "index.html": "<h1>\(number)</h1>\n",
                "static/main.js": "// \(number)\n" + (1...2000).map { "f(\($0));" }.joined(),
            ], uniquingKeysWith: { _, new in new })
    }

    /// Expects a valid origin that shows a release to clients that read only `info.json`.
    package func expectSite(
        _ version: Version, location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(
            try read("origin/info.json")
                == read("origin/releases/\(version)/info.json"),
            sourceLocation: location)
        let verification = try await verify()
        #expect(verification.isSound, "\(verification.failures)", sourceLocation: location)
        #expect(verification.orphans == [], sourceLocation: location)
    }
}
