import Foundation
import PackArchive
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import PackZip
import TestSupport
import Testing

@Suite(.eachStore) struct FirstPublishTests {
    @Test func laysOutTheContract() async throws {
        let playground = try Playground()
        let report = try await playground.publish(Playground.first, label: "1.0")
        let hash = { (text: String) in StreamHasher.digest(of: Array(text.utf8)).description }
        let object = { (name: String, path: String) in
            "objects/\(hash(Playground.first[path] ?? ""))/\(name)"
        }
        let expected = [
            "info.json", "channels/production/pointer.json", "channels/production/log/1.json",
            "releases/\(report.version)/info.json", "releases/\(report.version)/package.zip",
            object("index.html", "index.html"), object("index.html", "about/index.html"),
            object("main.js", "static/main.js"), object("logo.svg", "static/logo.svg"),
            object("empty.txt", "empty.txt"), "site/index.html", "site/about/index.html",
            "site/static/main.js", "site/static/logo.svg", "site/about/logo.svg", "site/empty.txt",
        ]
        #expect(try playground.publicFiles() == expected.sorted())
        let hidden = try playground.tree("origin").keys.filter { $0.hasPrefix(".packtool") }
            .sorted()
        let workspace = [".packtool", ".packtool/intents", ".packtool/lock", ".packtool/staging"]
        #expect(hidden == (playground.memory == nil ? workspace : []))
        #expect(
            try playground.tree("origin").values.allSatisfy {
                $0.kind != "link" && $0.kind != "other"
            })
    }

    @Test func everythingSaysTheSame() async throws {
        let playground = try Playground()
        let report = try await playground.publish(Playground.first, label: "1.0")
        let release = try await BuildScan.scan(playground.path + "/build", jobs: 1).release
        #expect(report.version == release.version)
        #expect(report.packageHash == release.packageHash)

        for (path, content) in Playground.first {
            #expect(try playground.text("origin/site/\(path)") == content)
        }
        let info = try playground.read("origin/info.json")
        let path = "releases/\(report.version)"
        #expect(try playground.read("origin/\(path)/info.json") == info)
        let manifest = try ManifestCoding.decode(info, path: "info.json")
        #expect(manifest.release == release)
        #expect(manifest.launch?.description == "index.html")
        let base = try BaseURL(Playground.base)
        for entry in manifest.entries {
            let path = try #require(base.path(of: entry.url))
            #expect(
                StreamHasher.digest(of: try playground.read("origin/\(path)")) == entry.asset.sha256
            )
        }
        let zip = try playground.read("origin/\(path)/package.zip")
        let reference = ContentReference(
            url: "\(Playground.base)/\(path)/package.zip", sha256: StreamHasher.digest(of: zip),
            size: UInt64(zip.count))
        #expect(manifest.package == reference)
        try playground.copy("origin/\(path)/package.zip", to: "package.zip")
        let packed = try await PackageReader.release(
            of: "package.zip", in: Directory.open(playground.path), jobs: 1)
        #expect(packed == release)

        let published = try #require(try await playground.reader().pointer(.production))
        #expect(published.bytes == (try playground.read("origin/channels/production/log/1.json")))
        let pointer = published.pointer
        #expect(pointer.package == reference)
        #expect(
            pointer.info
                == ContentReference(
                    url: "\(Playground.base)/\(path)/info.json",
                    sha256: StreamHasher.digest(of: info),
                    size: UInt64(info.count)))
        #expect(pointer.app.description == "shop")
        #expect(pointer.channel == .production)
        #expect(pointer.sequence == 1)
        #expect(pointer.version == release.version && pointer.packageHash == release.packageHash)
        #expect(pointer.label == "1.0")
        #expect(pointer.createdAt == Playground.now)
        #expect(pointer.expires == Playground.now.adding(days: 90))
        #expect(pointer.deltas.isEmpty && pointer.rollout == 100 && pointer.isEnabled)
        #expect(!pointer.isMandatory && pointer.native.isUnlimited)
    }

    @Test func reportsWhatItDid() async throws {
        let playground = try Playground()
        let report = try await playground.publish(Playground.first)
        #expect(report.outcome == .published)
        #expect(report.previous == nil && report.label == nil)
        #expect(report.sequence == 1)
        #expect(report.files == 6)
        #expect(report.bytes == 1236)
        #expect(report.objectsNew == Amount(count: 5, bytes: 635))
        #expect(report.objectsReused == Amount())
        #expect(report.siteNew == Amount(count: 6, bytes: 1236))
        #expect(report.siteReplaced == Amount() && report.siteUnchanged == Amount())
        #expect(report.siteReplacedPaths.isEmpty)
        #expect(!report.packageExisted)
        let zip = try playground.read("origin/releases/\(report.version)/package.zip")
        #expect(report.packageSize == UInt64(zip.count))
        #expect(report.isNewOrigin && report.notes.count == 1, "\(report.notes)")
    }

    /// A new CI workspace has no origin.
    ///
    /// Creating a second one would stop updates on existing devices.
    @Test func aNewOriginIsSaidAndCanBeRefused() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        request.requiresOrigin = true
        let refusal = Failure.publishNoOrigin(origin: playground.origin)
        await #expect(throws: refusal) { try await playground.plan(request) }
        await #expect(throws: refusal) { try await playground.publish(request) }
        #expect(!playground.exists("origin"))
        try playground.makeDirectory("origin")
        await #expect(throws: refusal) { try await playground.plan(request) }
        await #expect(throws: refusal) { try await playground.publish(request) }
        request.requiresOrigin = false
        let plan = try await playground.plan(request)
        let first = try await playground.publish(request)
        #expect(plan.isNewOrigin && first.isNewOrigin && plan.notes == first.notes)
        #expect(first.notes[0].contains("creates a new origin"))
        request = try await playground.request(Playground.second)
        request.requiresOrigin = true
        let second = try await playground.publish(request)
        #expect(!second.isNewOrigin && second.sequence == 2 && second.notes == [])
    }

    @Test func sameInputSameBytes() async throws {
        let (one, other) = (try Playground(), try Playground())
        try await one.publish(Playground.first, label: "x")
        try await other.publish(Playground.first, label: "x")
        #expect(try one.publicContent() == other.publicContent())
    }

    @Test(.directoryOnly) func siteSharesItsBytesWithTheObjects() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let tree = try playground.tree("origin")
        let objects = Set(tree.filter { $0.key.hasPrefix("objects/") }.map(\.value.inode))
        let site = tree.filter { $0.key.hasPrefix("site/") && $0.value.kind == "file" }
        #expect(site.values.allSatisfy { objects.contains($0.inode) })
        // Editing the pointer must not change the log.
        #expect(
            tree["channels/production/pointer.json"]?.inode
                != tree["channels/production/log/1.json"]?.inode)
        #expect(tree["info.json"]?.inode != nil)
    }

    @Test(.directoryOnly) func theOriginIsMadeWithItsParents() async throws {
        let playground = try Playground()
        var request = try await playground.request(Playground.first)
        request.origin = playground.path + "/a/b/c/"
        _ = try await playground.publish(request)
        #expect(playground.exists("a/b/c/channels/production/pointer.json"))
    }

    @Test func theSignerSignsThePayload() async throws {
        let playground = try Playground()
        let request = try await playground.request(
            Playground.first,
            signer: { message in
                [.init(keyID: "k1", bytes: StreamHasher.digest(of: message).bytes)]
            })
        _ = try await playground.publish(request)
        let bytes = try playground.read("origin/channels/production/pointer.json")
        let envelope = try Envelope(decoding: bytes, payloadType: Envelope.pointerType)
        let signed = Envelope.signedBytes(
            payloadType: Envelope.pointerType, payload: envelope.payload)
        #expect(
            envelope.signatures == [
                .init(keyID: "k1", bytes: StreamHasher.digest(of: signed).bytes)
            ])
        #expect(try await playground.reader().pointer(.production) != nil)
    }

    /// Equal contents, with one name in two directories and with two names in one directory.
    @Test func duplicateContentsAndNames() async throws {
        let playground = try Playground()
        let files = [
            "a/x.js": "same", "b/x.js": "same", "c/x.js": "other", "a/y.js": "same", "a/empty": "",
            "b/empty": "", "z": "",
        ]
        let report = try await playground.publish(files)
        #expect(report.objectsNew.count == 5)
        #expect(report.siteNew.count == 7)
        for (path, content) in files {
            #expect(try playground.text("origin/site/\(path)") == content)
        }
        #expect(try await playground.verify().isSound)
        try await playground.install()
        for (path, content) in files {
            #expect(try playground.text("client/current/\(path)") == content)
        }
    }

    @Test func awkwardNames() async throws {
        let playground = try Playground()
        let files = [
            "ü/日本 %41+&?.js": "1", "a#b;c=d,e@f$g!(h)'i'*~.txt": "2", "-rf": "3", "...x": "4",
            "[a]{b}^`|<>\"": "5",
        ]
        try await playground.publish(files)
        #expect(try await playground.verify().isSound)
        try await playground.install()
        for (path, content) in files {
            #expect(try playground.text("client/current/\(path)") == content)
        }
    }
}
