import TestSupport
import Testing

/// File names that begin with a combining mark.
///
/// Swift merges it with the preceding slash into one character.
@Suite struct CombiningMarkTests {
    /// A delta stores random bytes as a whole file in its own directory.
    private let random = """
        random() { python3 -c "import random,sys; sys.stdout.buffer.write(random.Random($1).randbytes(3000))"; }

        """
    private let mark = "$(printf '\\314\\201')b"

    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            origin; mkdir -p "dist/a/\(mark)"; seq 400 > "dist/a/\(mark)/r.bin"; publish dist 1.0.1
            """)
        return sandbox
    }

    /// Regression: the first publish succeeded, but every later one failed.
    @Test func aBuildWithOneIsPublishedAgainAndAgain() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            random + """
                random 401 > "dist/a/\(mark)/r.bin"; publish dist 1.0.2
                packtool install cdn --into phone --quiet; cmp "dist/a/\(mark)/r.bin" "phone/current/a/\(mark)/r.bin"
                random 402 > "dist/a/\(mark)/r.bin"; publish dist 1.0.3
                packtool install cdn --into phone --quiet; cmp "dist/a/\(mark)/r.bin" "phone/current/a/\(mark)/r.bin"
                packtool verify cdn --quiet; packtool prune cdn --keep 1 --yes --quiet; packtool verify cdn --quiet
                """)
    }

    @Test func deltasRewritesAndOutputsReachIt() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            cp -r dist next; seq 402 > "next/a/\(mark)/r.bin"
            packtool delta dist next -o d.zip --quiet
            packtool apply dist d.zip -o applied --quiet; diff -r next applied
            packtool rewrite dist -o rewritten --scheme app --host shop.example.com --quiet
            test -e "rewritten/a/\(mark)/r.bin"
            packtool package dist -o "a/\(mark).zip" --quiet || true
            mkdir -p out; packtool package dist -o "out/\(mark).zip" --quiet; test -e "out/\(mark).zip"
            packtool hash "out/\(mark).zip"
            publish dist 1.0.9
            packtool publish next --to "made/\(mark)/cdn" --app shop --base-url $URL --quiet
            test -e "made/\(mark)/cdn/info.json"
            """)
    }
}
