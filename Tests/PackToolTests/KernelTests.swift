import Foundation
import TestSupport
import Testing

/// Kernels and containers without the system call for path lookup.
@Suite struct KernelTests {
    private static let strace = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    /// If openat2 is missing (Linux before 5.6) or forbidden, paths are opened one component at a
    /// time.
    @Test(
        .enabled(if: strace, "strace makes the kernel an old one"), arguments: ["ENOSYS", "EPERM"])
    func withoutOpenat2(_ error: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build; second")
        let old =
            "strace -f -qq -o trace -e trace=openat2 -e inject=openat2:error=\(error) packtool"
        for command in [
            "publish dist --to cdn --app shop --base-url https://a.example --label 1.0.0 --quiet",
            "install cdn --into phone --quiet",
            "publish next --to cdn --app shop --base-url https://a.example --quiet",
            "install cdn --into phone --quiet", "verify cdn --quiet",
            "rewrite dist -o app --host a.example --quiet",
        ] {
            let run = try sandbox.start("\(old) \(command)")
            #expect(run.status == 0, "\(command): \(run.errors)")
            #expect(
                String(decoding: try sandbox.read("trace"), as: UTF8.self).contains("(INJECTED)"))
        }
        #expect(try sandbox.start("packtool verify cdn").status == 0)
        let same = try sandbox.start("packtool hash next; packtool hash phone/current").lines
        #expect(same.count == 2 && same.first == same.last)
    }
}
