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

    /// The platforms of a project, from its directories, its packages or its configuration.
    @Test(arguments: [
        (
            "printf '{\"webDir\": \"dist\"}' > capacitor.config.json",
            "profiles: [capacitor, capacitor-android]"
        ),
        (
            "mkdir android; printf '{\"webDir\": \"dist\"}' > capacitor.config.json",
            "profile: capacitor-android"
        ),
        (
            """
            printf '{"dependencies": {"@capacitor/ios": "8"}}' > package.json
            printf '{"webDir": "dist", "server": {"iosScheme": "shop"}}' > capacitor.config.json
            """, "profile: capacitor"
        ),
        (
            """
            printf 'export default { webDir: "dist", server: { androidScheme: "http", hostname: "shop.example" } };' \\
                > capacitor.config.ts
            """,
            "profiles: [{base: capacitor, host: [shop.example]}, "
                + "{base: capacitor-android, host: [shop.example], scheme: http}]"
        ),
        (
            """
            printf '<widget><platform name="android"><preference name="hostname" value="shop.example"/></platform>' \\
                > config.xml
            printf '<platform name="ios"><preference name="scheme" value="shop"/></platform></widget>' >> config.xml
            mv dist www
            """,
            "profiles: [{base: cordova, scheme: shop}, {base: cordova-android, host: [shop.example]}]"
        ),
        (
            """
            mkdir app; echo 'implementation "androidx.webkit:webkit:1.12.0"' > app/build.gradle
            """, "profile: asset-loader"
        ),
    ])
    func theProjectNamesItsPlatforms(files: String, line: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build dist\n" + files)
        let run = try await sandbox.run(
            "packtool init --yes && grep '^profile' packtool.yaml && packtool check --limit 1 || true"
        )
        #expect(run.lines.contains(line), "\(run.output)\(run.errors)")
        #expect(!run.errors.contains("error:"), "\(run.errors)")
    }
}
