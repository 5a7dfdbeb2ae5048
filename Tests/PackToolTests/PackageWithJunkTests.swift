import TestSupport
import Testing

/// A zip made by another tool, with files that packtool excludes from builds.
@Suite struct PackageWithJunkTests {
    /// Regression: `hash` and `manifest` computed another version than `package` and `publish`.
    @Test func oneZipHasOneVersionOrNone() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; echo x > dist/.DS_Store; echo x > dist/assets/app.js~
            (cd dist && python3 - <<'END'
            import os, zipfile
            with zipfile.ZipFile("../a.zip", "w") as archive:
                for folder, _, files in sorted(os.walk(".")):
                    for name in sorted(files):
                        path = os.path.relpath(os.path.join(folder, name))
                        info = zipfile.ZipInfo(path)
                        info.create_system, info.external_attr = 3, 0o100644 << 16
                        archive.writestr(info, open(path, "rb").read())
            END
            )
            """)
        for command in [
            "hash a.zip", "manifest a.zip --app shop --base-url https://a.example",
            "package a.zip -o b.zip",
            "publish a.zip --to cdn --app shop --base-url https://a.example",
            "delta a.zip dist -o d.zip",
            "delta dist a.zip -o d.zip",
        ] {
            let run = try await sandbox.run("packtool \(command)")
            #expect(run.status == 2, "\(command): \(run.output)\(run.errors)")
            #expect(
                run.errors.contains(
                    "'a.zip' contains 2 junk files that are never shipped: '.DS_Store', 'assets/app.js~'"
                ),
                "\(command): \(run.errors)")
        }
        #expect(!sandbox.exists("b.zip") && !sandbox.exists("cdn/info.json"))
    }
}
