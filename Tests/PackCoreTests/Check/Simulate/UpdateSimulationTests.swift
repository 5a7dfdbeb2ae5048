import PackCheck
import PackGround
import PackProfile
import TestSupport
import Testing

@Suite struct UpdateSimulationTests {
    private static func simulate(
        _ old: Site, _ new: Site, _ profile: Profile = .basenameCache
    ) throws -> UpdateSimulation {
        UpdateSimulation(from: try old.release(), to: try new.release(), profile: profile)
    }

    private static func states(_ simulation: UpdateSimulation) -> [String] {
        simulation.files.map { "\($0.asset.path) \($0.state.rawValue)" }
    }

    @Test func neverRefreshesAName() throws {
        let simulation = try Self.simulate(
            ["index.html": "one", "app.1.js": "a"], ["index.html": "two", "app.2.js": "b"])
        #expect(Self.states(simulation) == ["app.2.js downloaded", "index.html stale"])
        #expect(simulation.deleted.map(\.description) == ["app.1.js"])
        #expect(simulation.downloadedBytes == 1)
        #expect(simulation.newContentBytes == 4)
        #expect(
            simulation.wrong.first?.served?.sha256 == StreamHasher.digest(of: Array("one".utf8)))
    }

    @Test func keepsWhatDidNotChange() throws {
        let simulation = try Self.simulate(["a.js": "a"], ["a.js": "a", "b.js": "b"])
        #expect(Self.states(simulation) == ["a.js kept", "b.js downloaded"])
        #expect(simulation.wrong.isEmpty)
    }

    @Test func findsAFileUnderItsLastComponentWhereverItLay() throws {
        let simulation = try Self.simulate(["old/logo.png": "cat"], ["new/logo.png": "dog"])
        #expect(Self.states(simulation) == ["new/logo.png stale"])
        #expect(simulation.files.first?.served?.path.description == "old/logo.png")
    }

    @Test func oneOfTwoFilesWithOneNameIsShadowed() throws {
        let simulation = try Self.simulate(
            ["x": ""], ["en/logo.png": "english", "zh/logo.png": "chinese"])
        #expect(Self.states(simulation) == ["en/logo.png downloaded", "zh/logo.png shadowed"])
        // Both are downloaded before the second is discarded.
        #expect(simulation.downloadedBytes == 14)
        let strict = try Self.simulate(
            ["x": ""], ["en/logo.png": "english", "zh/logo.png": "chinese"], .pathStrict)
        #expect(strict.wrong.isEmpty)
    }

    @Test func aNameThatTheHandlerSpellsOtherwiseIsMissing() throws {
        let simulation = try Self.simulate([:], ["a b.png": "x"])
        #expect(Self.states(simulation) == ["a b.png missing"])
        #expect(simulation.files.first?.lookedUp == "a%20b.png")
        #expect(simulation.files.first?.fallback?.hasPrefix("http://") == true)
        #expect(try Self.simulate([:], ["a b.png": "x"], .pathStrict).wrong.isEmpty)
    }

    @Test func theSameVersionIsNoUpdate() throws {
        let simulation = try Self.simulate(["a.js": "a"], ["a.js": "a"])
        #expect(simulation.isSameVersion)
        #expect(simulation.downloads.isEmpty)
        #expect(Self.states(simulation) == ["a.js kept"])
    }

    @Test(arguments: [Profile.capacitor, .cordova, .pathStrict])
    func clientsThatReplaceAllHoldTheNewRelease(_ profile: Profile) throws {
        let simulation = try Self.simulate(
            ["index.html": "one", "gone.js": "g"], ["index.html": "two", "b.js": "b"], profile)
        #expect(simulation.wrong.isEmpty)
        #expect(simulation.deleted.map(\.description) == ["gone.js"])
        #expect(simulation.store.items.values.allSatisfy { $0.origin == .new })
    }

    @Test func aFlatClientThatOverwritesKeepsTheLast() throws {
        var profile = Profile.basenameCache
        profile.client.skipsExisting = false
        let simulation = try Self.simulate(
            ["logo.png": "old"], ["en/logo.png": "english", "zh/logo.png": "chinese"], profile)
        #expect(Self.states(simulation) == ["en/logo.png shadowed", "zh/logo.png downloaded"])
    }
}
