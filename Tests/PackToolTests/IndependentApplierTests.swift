import Foundation
import TestSupport
import Testing

/// Deltas, applied by a program in Python that was written from `docs/formats.md` alone.
///
/// It makes a dozen pairs of trees, and damages two of the deltas: `packtool apply` and the other
/// program have to make the same tree, or both refuse. `Tests/Rigs/Delta/agree.py` without `--quick` does more.
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
        #expect(run.output.hasSuffix(" pairs, 0 differences\n"), "\(run.output)\(run.errors)")
    }
}
