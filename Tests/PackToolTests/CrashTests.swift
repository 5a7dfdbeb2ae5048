import Foundation
import TestSupport
import Testing

/// A command that crashes names the file it was working on, and still ends by the signal.
@Suite struct CrashTests {
    private static let strace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    /// The thread that reads a page gets the signal, as if the page had made it crash.
    @Test(
        .enabled(if: strace, "strace sends the signal"),
        arguments: [(SIGSEGV, "SEGV"), (SIGILL, "ILL")])
    func namesTheFile(signal: Int32, name: String) throws {
        let sandbox = try Sandbox()
        try sandbox.prepare(
            "mkdir -p \"$(printf 'dist/a\\tb')\"; echo x > \"$(printf 'dist/a\\tb')/index.html\"")
        let run = try sandbox.run(
            """
            strace -f -qq -o trace -e trace=read -P "$PWD/$(printf 'dist/a\\tb')/index.html" \
            -e inject=read:signal=\(name) packtool check dist
            """, environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(run.status == 128 + signal)
        #expect(
            run.errors.contains(
                """
                error: packtool crashed (signal \(signal)) while working on 'a\\x09b/index.html'
                help: this is a bug in packtool; run the command again without this file (--exclude), \
                and report it with the file

                """), "\(run.errors)")
    }
}
