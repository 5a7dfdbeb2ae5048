import PackClient
import PackGround
import PackOrigin
import PackPublish
import TestSupport
import Testing

/// How commands distinguish an installation, with its current release, from a build.
@Suite struct InstalledTreeTests {
    @Test func regressionAnInstallationWasReadAsABuild() async throws {
        let playground = try Playground()
        let first = try await playground.publish(Playground.first).version
        try await playground.install()
        let directory = try Directory.open(playground.client)
        #expect(
            try InstalledTree.find(in: directory) == .release(first, path: "versions/\(first)"))
        let second = try await playground.publish(Playground.second).version
        try await playground.install()
        #expect(
            try InstalledTree.find(in: directory) == .release(second, path: "versions/\(second)"))
        // If the state is damaged, the link still identifies the release.
        try playground.overwrite("client/state.json", [UInt8]("{".utf8))
        expectFailure(of: "install") { try InstalledTree.find(in: directory) }
    }

    @Test func anInstallationWithoutARelease() async throws {
        let playground = try Playground()
        try await playground.publish(Playground.first)
        await expectFailure(of: "install") {
            try await playground.install(now: Playground.now.adding(days: 90))
        }
        #expect(try InstalledTree.find(in: Directory.open(playground.client)) == .empty)
    }

    @Test(arguments: [nil, "{}", "{\"schema\": 1, \"app\": \"shop\"}", "not JSON"])
    func aBuildIsNone(state: String?) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], as: "versions/index.html")
            try folder.write([1], as: "current")
            if let state { try folder.write(Array(state.utf8), as: "state.json") }
            #expect(try InstalledTree.find(in: folder.directory()) == .none)
        }
    }
}
