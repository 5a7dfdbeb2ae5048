import Foundation
import TestSupport
import Testing

/// Applies deltas with a Python program written only from `docs/formats.md`.
///
/// It creates a dozen pairs of trees and damages two of the deltas. `packtool apply` and the Python
/// program must either create the same tree or both fail. `Tests/Rigs/Delta/agree.py` without
/// `--quick` does more.
@Suite(.serialized) struct IndependentApplierTests {
    private static let script = Checkout.path + "/Tests/Rigs/Delta/agree.py"

    @Test func agreesWithPacktool() async throws {
        let sandbox = try Sandbox()
        guard try await sandbox.run("command -v python3").status == 0 else {
            try Test.cancel("SKIPPED, nothing was checked: 'python3' is not installed")
        }
        let run = try await sandbox.run(
            "exec python3 -B '\(Self.script)' '\(ToolRunner.products)/packtool' --quick",
            timeout: 600)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.hasSuffix(", 0 differences\n"), "\(run.output)\(run.errors)")
    }
}
