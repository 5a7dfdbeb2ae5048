import Foundation
import TestSupport
import Testing

/// `packtool simulate`, compared with another implementation and run on the example shop.
@Suite struct SimulateTests {
    @Test(arguments: [1, 2])
    func agreesWithAModelThatCopiesFiles(seed: Int) async throws {
        let sandbox = try Sandbox()
        let model = ToolRunner.python + "/simulate_model.py"
        let run = try await sandbox.run(
            "PYTHONUTF8=1 python3 '\(model)' \"$(command -v packtool)\" . \(seed) 25", timeout: 120)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.hasPrefix("compared "))
        #expect(run.output != "compared 0 files\n")
    }

    /// Files without a hash in their name stay outdated on the legacy client, as the shop's README
    /// explains.
    @Test func showsWhatTheSeedsClientNeverRefreshes() async throws {
        let shop = ToolRunner.storefront
        let sandbox = try Sandbox()
        let old = "'\(shop)/dist/1.0.0' '\(shop)/dist/1.1.0'"
        let run = try await sandbox.run("packtool simulate \(old) --client basename-cache")
        #expect(run.status == 1)
        for name in [
            "index.html", "pages/care.html", "pages/checkout.html", "pages/product.html",
            "pages/visit.html",
        ] {
            #expect(run.output.contains("stale     \(name)\n"), "\(run.output)")
        }
        #expect(run.output.contains("serves 5 files incorrectly"), "\(run.output)")
        let strict = try await sandbox.run("packtool simulate \(old) --client path-strict")
        #expect(strict.status == 0)
        #expect(strict.output.contains("serves the complete new release"))
    }

    @Test func takesPackagesAndSizesOfTheOtherRoads() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; build new; echo 'a { }' > new/assets/b.css
            packtool package dist -o old.zip --quiet; packtool package new -o new.zip --quiet
            packtool delta old.zip new.zip -o update.zip --quiet
            """)
        let run = try await sandbox.run(
            "packtool simulate old.zip new.zip --client basename-cache --delta update.zip --json")
        #expect(run.status == 0)
        let size = { (name: String) in try sandbox.read(name).count }
        #expect(run.output.contains("\"package\": \(try size("new.zip"))"), "\(run.output)")
        #expect(run.output.contains("\"delta\": \(try size("update.zip"))"))
        #expect(run.output.contains("\"singleFiles\": 6"))
    }

    /// Regression: an installation was read as a build, including its state file.
    @Test func regressionAnInstallationIsItsCurrentRelease() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "origin; installed; echo 'exclude: [assets]' > packtool.yaml; echo x > dist/new.txt")
        let simulation = try await sandbox.run("packtool simulate phone dist --client path-strict")
        #expect(simulation.status == 0, "\(simulation.errors)")
        let diff = try await sandbox.run(
            "packtool diff phone cdn; packtool hash phone/; packtool hash cdn/site")
        #expect(diff.lines.count == 3 && diff.lines[0].contains(": the same content, "))
        // `exclude` applies to builds, not to installations.
        #expect(diff.lines[0].hasPrefix(diff.lines[1]) && diff.lines[1] != diff.lines[2])
        try await sandbox.prepare("echo 1 >> phone/current/index.html")
        let damaged = try await sandbox.run("packtool diff cdn phone")
        #expect(damaged.output.contains("~ index.html") && damaged.errors.contains("repairs them"))
    }

    /// Regression: the size of an unrelated delta was shown for this update.
    @Test func refusesADeltaOfOtherReleases() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; build new; echo 'a { }' > new/assets/b.css; build other; echo x > other/x.txt
            packtool delta dist new -o update.zip --quiet
            printf '{"version": "1", "files": ["https://a.example/index.html"]}' > seed.json
            """)
        for sides in ["other new", "dist other", "new dist", "seed.json new"] {
            let run = try await sandbox.run(
                "packtool simulate \(sides) --client path-strict --delta update.zip --json")
            #expect(run.status == 2, "\(sides)")
            #expect(run.code == "input.other-delta", "\(sides): \(run.all)")
        }
        let right = try await sandbox.run(
            "packtool simulate dist new --client path-strict --delta update.zip")
        #expect(right.status == 0, "\(right.errors)")
    }

    @Test func refusesAnUnknownClient() async throws {
        let run = try await Sandbox().run("mkdir a; packtool simulate a a --client basename-cach")
        #expect(run.status == 64)
        #expect(run.errors.contains("basename-cache"))
    }
}
