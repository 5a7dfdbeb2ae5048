import Foundation
import TestSupport
import Testing

/// What packtool does in a project without `packtool.yaml`.
@Suite struct FirstStepsTests {
    private static let build = """
        mkdir dist; echo '<!doctype html><meta charset=utf-8><title>a</title>' > dist/index.html

        """

    /// The commands that it names run in this order.
    @Test func withoutArgumentsNamesCommands() async throws {
        let sandbox = try Sandbox()
        let run = try await sandbox.run("packtool")
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        let named = lines.filter { $0.hasPrefix("  packtool ") }.map { line in
            String(line.dropFirst(2)).components(separatedBy: "   ")[0]
        }
        #expect(
            named == [
                "packtool init", "packtool check", "packtool publish --to ../cdn",
                "packtool serve ../cdn",
            ])
        try await sandbox.prepare("mkdir project; cd project; " + Self.build)
        for command in named.prefix(3) {
            let words =
                command == "packtool init"
                ? "\(command) --yes --app a --base-url https://a.example" : "\(command)"
            let run = try await sandbox.run("cd project; \(words)")
            #expect(run.status == 0, "\(words): \(run.all)")
        }
    }

    /// Regression: the first command was refused although `dist` was there.
    @Test func checkTakesTheBuildThatInitWouldFind() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.build)
        let run = try await sandbox.run("packtool check")
        #expect(run.status == 0 && run.errors.contains("the build is 'dist'"), "\(run.all)")
        #expect(try await sandbox.run("packtool check dist").errors.contains("found here") == false)
    }

    @Test func withoutAnyBuildTheErrorNamesALine() async throws {
        let sandbox = try Sandbox()
        let run = try await sandbox.run("packtool check")
        #expect(run.status == 64)
        #expect(
            run.errors.contains("give DIR, or write 'build: dist' in packtool.yaml"), "\(run.all)")
    }

    @Test func aPortIsAnAddressOfThisMachine() async throws {
        let sandbox = try Sandbox()
        let run = try await sandbox.run("packtool serve none --listen 8080")
        #expect(run.status == 2 && run.errors.contains("'none'"), "\(run.all)")
        #expect(try await sandbox.run("packtool serve none --listen 99999").status == 64)
    }
}
