import Foundation
import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Installs and updates from an intact origin.
@Suite(.eachStore) struct InstallerTests {
    @Test func installs() async throws {
        let playground = try Playground()
        let published = try await playground.publish(Playground.first, label: "1.0")
        let report = try await playground.install(device: "a phone")
        #expect(report.outcome == .installed)
        #expect(report.previous == nil)
        #expect(report.files == 6 && report.bytes == 1236)
        #expect(report.fetched.info == 0)
        #expect(report.fetched.package == published.packageSize)
        let pointer = UInt64(try playground.read("origin/channels/production/pointer.json").count)
        #expect(report.fetched.pointer == pointer && report.fetched.log == 0)
        #expect(report.fetched.deltas == 0)
        #expect(report.fetched.total == pointer + published.packageSize)
        #expect(published.pointerSize == pointer)
        try playground.expectInstalled(Playground.first)
        let state = try playground.text("client/state.json")
        let payloadHash = try #require(try await playground.reader().pointer(.production))
            .payloadHash
        #expect(
            state == """
                {
                  "schema": 2,
                  "kind": "packtool-installation",
                  "app": "shop",
                  "channel": "production",
                  "device": "a phone",
                  "current": "\(published.version)",
                  "channels": [
                    {"channel": "production", "sequence": 1, "payloadHash": "\(payloadHash)", "enabled": true, "bypass": false, "expires": "2027-02-19T08:00:00Z", "offered": "\(published.version)"}
                  ],
                  "trees": [
                    {"version": "\(published.version)", "packageHash": "\(published.packageHash)", "channel": "production", "sequence": 1, "label": "1.0", "launch": "index.html", "route": "package", "installedAt": "2026-11-21T08:00:00Z", "confirmed": false, "attempts": 0}
                  ],
                  "failed": []
                }

                """)
        #expect(
            report.state == (try StateFile(directory: Directory.open(playground.client)).read()))
    }

    @Test func updates() async throws {
        let playground = try Playground()
        let one = try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        let report = try await playground.install(now: Playground.now.adding(days: 1))
        #expect(report.outcome == .updated)
        #expect(report.previous == one.version)
        #expect(report.state.sequence == 2)
        try playground.expectInstalled(Playground.second)
    }

    @Test func anUnchangedReleaseWritesNothing() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        let before = try playground.tree("client")
        let report = try await playground.install(now: Playground.now.adding(days: 1))
        #expect(report.outcome == .unchanged)
        #expect(report.fetched.total == report.fetched.pointer)
        #expect(report.previous == report.installed.version)
        #expect(report.installed.installedAt == Playground.now)
        #expect(try playground.tree("client") == before)
    }

    @Test func aRenewedPointerIsRemembered() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.first, renew: true)
        let report = try await playground.install()
        #expect(report.outcome == .unchanged)
        #expect(report.state.sequence == 2)
        #expect(try playground.text("client/state.json").contains("\"sequence\": 2"))
    }

    @Test func backToAnOlderReleaseByAHigherSequence() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        try await playground.install()
        try await playground.publish(Playground.second)
        try await playground.install()
        try await playground.publish(Playground.first)
        let report = try await playground.install()
        #expect(report.outcome == .updated)
        #expect(report.state.sequence == 3)
        try playground.expectInstalled(Playground.first)
    }
}
