import Foundation
import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// The second publish: the same content, the next release, and the way back.
@Suite(.eachStore) struct RepublishTests {
    @Test func theSameContentWritesNothing() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        let before = try playground.tree("origin")
        let report = try await playground.publish(
            Playground.first, now: Playground.now.adding(days: 1))
        #expect(report.outcome == .unchanged)
        #expect(report.sequence == 1)
        #expect(report.label == "1.0")
        #expect(report.expires == Playground.now.adding(days: 90))
        #expect(report.siteUnchanged.count == 6)
        // Compare inodes, times and bytes, including hidden files.
        #expect(try playground.tree("origin") == before)
    }

    @Test func theSameLabelIsUnchangedToo() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first, label: "1.0")
        let before = try playground.tree("origin")
        #expect(try await playground.publish(Playground.first, label: "1.0").outcome == .unchanged)
        #expect(try playground.tree("origin") == before)
    }

    @Test func anotherCommitKeepsTheManifest() async throws {
        let playground = try Playground()
        _ = try await playground.publish(playground.request(Playground.first, commit: "one"))
        let before = try playground.tree("origin")
        let report = try await playground.publish(
            playground.request(Playground.first, commit: "two"))
        #expect(report.outcome == .unchanged)
        #expect(report.notes == ["the release was published before; its info.json does not change"])
        #expect(try playground.tree("origin") == before)
    }

    @Test func theNextRelease() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first)
        let before = try playground.tree("origin")
        let report = try await playground.publish(Playground.second)
        #expect(report.outcome == .published)
        #expect(report.previous == one.version)
        #expect(report.sequence == 2)
        #expect(report.objectsNew.count == 4)
        #expect(report.objectsReused == Amount(count: 2, bytes: 601))
        #expect(report.packageReused == Amount(count: 1, bytes: 601))
        #expect(report.siteNew == Amount(count: 1, bytes: 7))
        #expect(report.siteReplaced.count == 3)
        #expect(report.siteUnchanged.count == 2)
        // Scripts before pages, the launch page last.
        #expect(
            report.siteReplacedPaths == ["static/main.js", "about/index.html", "index.html"])

        let after = try playground.tree("origin")
        for (path, entry) in before where entry.kind == "file" {
            let isImmutable =
                path.hasPrefix("objects/") || path.hasPrefix("releases/")
                || path.contains("/log/")
            guard isImmutable else { continue }
            #expect(after[path]?.bytes == entry.bytes, "\(path)")
            #expect(after[path]?.inode == entry.inode, "\(path)")
        }
        // An open page may still request it.
        #expect(after["site/about/logo.svg"] == before["site/about/logo.svg"])
        for (path, content) in Playground.second {
            #expect(try playground.text("origin/site/\(path)") == content)
        }
        #expect(after["info.json"]?.bytes == after["releases/\(report.version)/info.json"]?.bytes)
        #expect(try await playground.verify().isSound)
    }

    /// Damage in a name, in the middle, and in the end record.
    @Test(arguments: [0.04, 0.5, 0.99])
    func aDamagedEarlierPackageIsLeft(share: Double) async throws {
        let whole = try Playground()
        let right = try await whole.publish(Playground.second)
        let playground = try Playground()
        let one = try await playground.publish(Playground.first)
        let package = "origin/releases/\(one.version)/package.zip"
        var bytes = try playground.read(package)
        bytes[Int(Double(bytes.count) * share)] ^= 1
        try playground.overwrite(package, bytes)
        let report = try await playground.publish(Playground.second)
        #expect(report.outcome == .published)
        #expect(report.packageReused == Amount())
        #expect(report.notes.count == 1)
        #expect(
            report.notes.first?.hasPrefix("no entry of the earlier package is reused: ") == true)
        #expect(report.notes.first?.contains("'packtool verify'") == true)
        #expect(
            try playground.read("origin/releases/\(report.version)/package.zip")
                == whole.read("origin/releases/\(right.version)/package.zip"))
    }

    /// Files are replaced as a whole; processes with the old file open still read the old content.
    @Test(.directoryOnly) func replacedFilesAreNewFiles() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        let open = try FileHandle(
            forReadingFrom: URL(fileURLWithPath: playground.origin + "/site/index.html"))
        let pointer = try FileHandle(
            forReadingFrom: URL(
                fileURLWithPath: playground.origin + "/channels/production/pointer.json"))
        let old = try playground.read("origin/channels/production/pointer.json")
        try await playground.publish(Playground.second)
        #expect(try open.readToEnd() == Data("<h1>Shop</h1>\n".utf8))
        #expect(try pointer.readToEnd() == Data(old))
    }

    @Test func backToAnOlderRelease() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first, label: "1.0")
        try await playground.publish(Playground.second, label: "2.0")
        let before = try playground.tree("origin")
        let back = try await playground.publish(Playground.first, label: "1.0")
        #expect(back.outcome == .published)
        #expect(back.version == one.version)
        #expect(back.sequence == 3)
        #expect(back.packageExisted)
        #expect(back.objectsNew == Amount())
        let after = try playground.tree("origin")
        let added = Set(after.keys).subtracting(before.keys)
        #expect(added == ["channels/production/log/3.json"])
        for (path, entry) in before
        where path.hasPrefix("objects/") || path.hasPrefix("releases/") {
            #expect(after[path]?.inode == entry.inode)
            #expect(after[path]?.bytes == entry.bytes)
        }
        #expect(try playground.text("origin/site/index.html") == "<h1>Shop</h1>\n")
        #expect(try await playground.verify().isSound)
    }

    @Test func twelveReleasesInARow() async throws {
        let playground = try Playground()
        for index in 1...12 {
            let report = try await playground.publish([
                "index.html": "\(index)", "keep.js": "keep", "f\(index % 3).js": "\(index % 5)",
            ])
            #expect(report.sequence == index)
        }
        let verification = try await playground.verify()
        #expect(verification.isSound)
        #expect(verification.releases == 12)
        #expect(verification.orphans.isEmpty)
    }
}
