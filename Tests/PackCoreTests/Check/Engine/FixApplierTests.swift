import Foundation
import PackGround
import TestSupport
import Testing

@testable import PackCheck

/// The files changed by `check --fix`, and those left alone.
struct FixApplierTests {
    private let page = "<!doctype html><a href=\"http://example.com/\">x</a>"

    /// Fixes links, and calls `changing` after each of the first checks.
    private func fix(
        _ directory: Directory, changing: (_ check: Int) throws -> Void = { _ in }
    ) async throws -> FixApplier.Outcome {
        let rules = ["nav-http"].compactMap { RuleCatalog.rule($0) }
        var checks = 0
        return try await FixApplier(directory: directory).run {
            checks += 1
            let report = try await Checker(
                site: SiteIndex(directory: directory, profile: Example.profile), rules: rules,
                keepsFixes: true
            ).check(jobs: 1)
            try changing(checks)
            return report
        }
    }

    @Test func aFileThatChangedAfterItWasCheckedIsLeftAsItIs() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Array(page.utf8), as: "a.html")
            let written = Array("<!doctype html><p>a build that runs at the same time</p>".utf8)
            let outcome = try await fix(folder.directory()) { _ in
                try folder.write(written, as: "a.html")
            }
            #expect(try folder.read("a.html") == written)
            #expect(outcome.fixes == 0 && outcome.files.isEmpty)
            #expect(outcome.changed == ["a.html"])
        }
    }

    @Test func aFileThatIsGoneAfterItWasCheckedEndsNothing() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Array(page.utf8), as: "a.html")
            let outcome = try await fix(folder.directory()) { _ in
                try FileManager.default.removeItem(atPath: folder.file("a.html"))
                try folder.write(Array(page.utf8), as: "b.html")
            }
            #expect(outcome.fixes == 0)
            #expect(outcome.changed == ["a.html"])
        }
    }

    @Test func aFileThatChangedIsFixedAsItIsInTheNextRound() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Array(page.utf8), as: "a.html")
            try folder.write(Array(page.utf8), as: "b.html")
            let longer = "<!doctype html><title>longer</title><a href=\"http://example.com/\">x</a>"
            let outcome = try await fix(folder.directory()) { check in
                if check == 1 { try folder.write(Array(longer.utf8), as: "a.html") }
            }
            #expect(
                try String(decoding: folder.read("a.html"), as: UTF8.self)
                    == longer.replacing("http:", with: "https:"))
            #expect(outcome.fixes == 2 && outcome.files == ["a.html", "b.html"])
            #expect(outcome.changed.isEmpty)
        }
    }

    @Test func theLongestNameAndTheModeOfAFileStay() async throws {
        try await TemporaryFolder.with { folder in
            let name = String(repeating: "a", count: 250) + ".html"
            try folder.write(Array(page.utf8), as: "b/" + name)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: folder.file("b/" + name))
            try folder.write(Array(page.utf8), as: "z.html")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o664], ofItemAtPath: folder.file("z.html"))
            let outcome = try await fix(folder.directory())
            #expect(outcome.fixes == 2)
            #expect(try folder.listing().count == 3)
            for (file, mode) in [("b/" + name, 0o600), ("z.html", 0o664)] {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: folder.file(file))
                #expect(attributes[.posixPermissions] as? Int == mode)
            }
        }
    }

    @Test func whatAKilledRunLeavesIsNotShipped() {
        let name = JunkFiles.temporaryName()
        #expect(JunkFiles.isJunk(Array(name.utf8)))
        #expect(name.utf8.count < 64)
    }
}
