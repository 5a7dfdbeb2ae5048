import TestSupport
import Testing

/// The example storefront from a build to an updated installation.
@Suite struct JourneyTests {
    /// How the tool gets the app's settings.
    enum Road: String, CaseIterable, Sendable {
        case flags, configuration, packages, fileURLs
    }

    @Test(arguments: Road.allCases)
    func wholeWay(_ road: Road) async throws {
        let sandbox = try Sandbox()
        let flags =
            "--app storefront --base-url https://cdn.example.com/storefront --launch index.html"
        try await sandbox.prepare(
            """
            cp -r '\(ToolRunner.storefront)/dist/1.0.0' one; cp -r '\(ToolRunner.storefront)/dist/1.1.0' two
            """)
        var (one, two, settings, origin, to) = ("one", "two", flags, "cdn", "cdn")
        switch road {
        case .flags: break
        case .configuration:
            settings = ""
            let run = try await sandbox.run(
                "packtool init one --app storefront --base-url https://cdn.example.com/storefront")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains("wrote") && run.output.contains("next "))
        case .packages:
            for name in ["one", "two"] {
                #expect(
                    try await sandbox.run("packtool package \(name) -o \(name).zip").status == 0)
            }
            (one, two) = ("one.zip", "two.zip")
        case .fileURLs:
            (origin, to) = ("file://\(sandbox.path)/cdn", "file://localhost\(sandbox.path)/cdn")
        }
        func packtool(_ arguments: String) async throws -> Run {
            let run = try await sandbox.run("packtool \(arguments)")
            #expect(run.status == 0, "packtool \(arguments)\n\(run.output)\(run.errors)")
            return run
        }

        // The version equals the one computed with coreutils.
        let version = try await packtool("hash \(one)").lines[0]
        let listing = """
            cd one && find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum
            """
        #if os(Linux)
            #expect(try await packtool("hash one --listing").bytes == sandbox.run(listing).bytes)
            let foreign = try await sandbox.run("(\(listing)) | sha256sum").output.prefix(20)
            #expect(version == foreign)
        #endif
        let next = try await packtool("hash \(two)").lines[0]
        #expect(version != next)

        // A manifest matches only its own build.
        _ = try await packtool("manifest \(one) \(settings) -o info.json")
        #expect(try await packtool("verify info.json --build \(one)").output.contains(version))
        let other = try await sandbox.run("packtool verify info.json --build \(two)")
        #expect(other.status == 1)
        #expect(other.lines.contains { $0.hasPrefix("changed  index.html") })

        // The package is the same whether made from the build or from a package.
        _ = try await packtool("package \(one) -o a.zip")
        _ = try await packtool("package one -o b.zip")
        #expect(try sandbox.read("a.zip") == sandbox.read("b.zip"))

        // Publish a release, publish it a second time, then publish the next one.
        let plan = try await packtool(
            "publish \(one) \(settings) --to \(to) --label 1.0.0 --dry-run")
        #expect(plan.output.contains("would publish \(version)"))
        #expect(!sandbox.exists("cdn"), "a plan writes nothing")
        let first = try await packtool("publish \(one) \(settings) --to \(to) --label 1.0.0")
        #expect(
            first.output.contains("published \(version) on production (sequence 1, label 1.0.0)"))
        let tree = try sandbox.tree()
        let again = try await packtool("publish \(one) \(settings) --to \(to) --label 1.0.0")
        #expect(again.output.contains("nothing changed"))
        #expect(try sandbox.tree() == tree)
        _ = try await packtool("install \(origin) --into phone")
        #expect(try await packtool("hash phone/current").lines == [version])
        let second = try await packtool("publish \(two) \(settings) --to \(to) --label 1.1.0")
        #expect(second.output.contains("sequence 2, label 1.1.0"))
        #expect(second.output.contains("copied from the earlier package"))
        #expect(try await packtool("verify \(origin)").output.contains("is sound"))

        // A device installs the update.
        #expect(
            try await packtool("install \(origin) --into phone").output.contains(
                "updated to \(next)"))
        #expect(
            try await packtool("install \(origin) --into phone").output.contains("nothing changed"))
        #expect(try await packtool("hash phone/current").lines == [next])
        #expect(try await packtool("diff phone/current \(two)").output.contains("the same content"))
        let diff = try await packtool("diff \(one) \(two)").output
        #expect(diff.hasPrefix("\(version) -> \(next)\n"))
        #expect(diff.contains("~ index.html"))
        #expect(try await packtool("diff cdn/info.json \(two)").output.contains("the same content"))
        #expect(
            try sandbox.tree().filter { $0.hasPrefix("tmp/") } == [], "something is left in TMPDIR")
    }

    /// The storefront's own configuration, used from another directory.
    @Test func configurationOfTheStorefront() async throws {
        let sandbox = try Sandbox()
        let configuration = "--config '\(ToolRunner.storefront)/packtool.yaml'"
        let run = try await sandbox.run(
            "packtool publish '\(ToolRunner.storefront)/dist/1.0.0' \(configuration) --to cdn")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await sandbox.run("packtool verify cdn").status == 0)
    }

    /// With the file written by `init`, every command works without flags.
    @Test func initThenBareCommands() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "build; packtool init --base-url $URL; echo 'to: cdn' >> packtool.yaml")
        for command in [
            "hash", "manifest -o info.json", "verify info.json", "package -o a.zip", "publish",
        ] {
            let run = try await sandbox.run("packtool \(command)")
            #expect(run.status == 0, "\(command): \(run.errors)")
        }
    }
}
