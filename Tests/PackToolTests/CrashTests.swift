import Foundation
import TestSupport
import Testing

/// A crashing command prints the current file and still ends with the signal.
@Suite struct CrashTests {
    private static let strace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    /// The thread that reads a page receives the signal, as if the page had caused the crash.
    @Test(.enabled(if: strace, "strace sends the signal")) func namesTheFile() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("mkdir -p dist/a; echo x > dist/a/index.html")
        let run = try sandbox.start(
            """
            strace -f -qq -o trace -P "$PWD/dist/a/index.html" -e trace=read,pread64 \
            -e inject=read,pread64:signal=SEGV packtool check dist
            """, environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(run.status == 128 + SIGSEGV)
        #expect(
            run.errors.contains(
                """
                error: packtool crashed (signal 11) while working on 'a/index.html'
                help: this is a bug in packtool; run the command again without this file (--exclude), \
                and report it with the file

                """), "\(run.errors)")
    }
}
