import TestSupport
import Testing

/// Projects with their web directory set in the app's own configuration.
@Suite struct HybridProjectTests {
    /// Regression: each of these ended with exit code 2.
    @Test(arguments: [
        ("./dist", "dist"), ("dist/", "dist"), ("web/../dist", "web/../dist"),
        ("./web//dist/", "web/dist"),
        ("../pages/dist", "../pages/dist"),
    ])
    func aWebDirectoryIsFoundAsItIsUsuallyWritten(written: String, build: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build app/dist; build app/web/dist; build pages/dist; rm -r app/web/dist/assets/app.css
            printf '{"appId": "a.b", "webDir": "\(written)"}' > app/capacitor.config.json
            """)
        let run = try await sandbox.run(
            "cd app && packtool init --yes && grep '^build:' packtool.yaml && packtool hash")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        // A value that starts with a dot is quoted.
        let line = build.hasPrefix(".") ? "build: \"\(build)\"" : "build: \(build)"
        #expect(run.lines.contains(line), "\(run.output)")
    }

    @Test func anAbsoluteWebDirectoryIsOpenedByItsPath() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build pages/dist; mkdir app
            printf '{"appId": "a.b", "webDir": "%s/pages/dist"}' "$PWD" > app/capacitor.config.json
            """)
        for (folder, name) in [("app", "."), (".", "app")] {
            let run = try await sandbox.run("cd \(folder) && packtool init \(name) --yes --force")
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
        #expect(try await sandbox.run("cd app && packtool hash").status == 0)
    }
}
