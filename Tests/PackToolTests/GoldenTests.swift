import Foundation
import TestSupport
import Testing

/// Pins the bytes of the storefront's releases: packages, manifests and pointers.
///
/// A package's bytes depend on the compressor, so they are pinned for one version of libdeflate and
/// skipped with a message for others. Manifest and pointer contain the SHA-256 of the package; the
/// plain manifest does not, and is always checked.
@Suite struct GoldenTests {
    static let libdeflate = "1.14"
    static let one = "'\(ToolRunner.storefront)/dist/1.0.0'"
    static let settings = "--config '\(ToolRunner.storefront)/packtool.yaml'"

    private func digest(_ run: Run) -> String {
        #expect(run.status == 0, "\(run.errors)")
        return String(run.output.prefix(64))
    }

    /// The version of libdeflate linked into the binary.
    private static let linked: String? = {
        let script = "pkg-config --modversion libdeflate"
        let run = try? ToolRunner.run(
            script, in: "/", environment: ["PATH": "/usr/bin:/bin:/opt/homebrew/bin"], timeout: 10)
        return run.flatMap { $0.status == 0 ? $0.lines.first : nil }
    }()

    private static let pinned = ConditionTrait.enabled(
        if: linked == libdeflate, "packages are pinned for libdeflate \(libdeflate)")

    @Test(arguments: [
        ("1.0.0", "92e1609dab408f5f7593"),
        ("1.1.0", "87101bde4e77bdd8e2c9"),
    ])
    func version(release: String, version: String) async throws {
        let run = try await Sandbox().run(
            "packtool hash '\(ToolRunner.storefront)/dist/\(release)'")
        #expect(run.output == version + "\n")
    }

    @Test(
        pinned,
        arguments: [
            ("fast", "6497c8a9abba159aa87263a02c016e7b759d5a972e6ee75cbadf5a73b84b3747"),
            ("default", "0b78c07737a9c0bd456671c6193448f3339579859561f75e276cd0a42d2d78f9"),
            ("max", "207a23d99107245bcd909da90b36c846bdd7a71dba446f80da3b8d4e8cbf230a"),
        ])
    func package(level: String, sha256: String) async throws {
        let run = try await Sandbox().run(
            "packtool package \(Self.one) -o a.zip --level \(level) --quiet && sha256sum a.zip")
        #expect(digest(run) == sha256)
    }

    @Test func manifest() async throws {
        let run = try await Sandbox().run(
            "packtool manifest \(Self.one) \(Self.settings) --commit 8d3f0c2 -o i --quiet && sha256sum i"
        )
        #expect(digest(run) == "59cf1135c214e02dca73c3d1b4da928a92496659a7f8bc5b13b3457b845b6c73")
    }

    @Test(pinned) func delta() async throws {
        let run = try await Sandbox().run(
            "packtool delta \(Self.one) '\(ToolRunner.storefront)/dist/1.1.0' -o d.zip --quiet && sha256sum d.zip"
        )
        #expect(
            digest(run) == "021d2ebae8b64586b6600507221a882167dba4f33bfae24134dd6ae23f150a03")
    }

    /// Deltas published by older versions must remain valid.
    @Test func aDeltaOfThePast() async throws {
        let past = "\(ToolRunner.tests)/Golden/storefront-1.0.0-1.1.0.zip"
        let run = try await Sandbox().run(
            "packtool apply \(Self.one) '\(past)' -o out --quiet && diff -r out '\(ToolRunner.storefront)/dist/1.1.0' && echo same"
        )
        #expect(run.output == "same\n", "\(run.errors)")
    }

    @Test(pinned) func pointerAndManifestAtTheOrigin() async throws {
        let sandbox = try Sandbox()
        // With an old time, the pointer would have expired.
        let publish =
            "packtool publish \(Self.one) \(Self.settings) --to cdn --label 1.0.0 --quiet"
            + " --expires-in-days 3650"
        let run = try await sandbox.run(publish, environment: ["SOURCE_DATE_EPOCH": "1795248000"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try await digest(sandbox.run("sha256sum cdn/releases/*/info.json"))
                == "6f82994a163a3fafb7921c5262dedd704c83870688dee152b78f78909926d787")
        #expect(
            try await digest(sandbox.run("sha256sum cdn/channels/production/pointer.json"))
                == "bf72f184458e3c57cfada6eaef3aa3ddc8ec66587de484855e8c031443b0d017")
        let envelope = try JSONDocument(sandbox.read("cdn/channels/production/pointer.json"))
        let payload = try #require(envelope["payload"]?.text.flatMap { Data(base64Encoded: $0) })
        try Snapshot.expect(
            String(decoding: payload, as: UTF8.self), matches: "payload", of: "pointer")
    }
}
