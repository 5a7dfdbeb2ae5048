import TestSupport
import Testing

/// Runs with a low limit for open files.
@Suite struct FewDescriptorsTests {
    /// Regression: with a dozen descriptors, the Swift runtime trapped without a message.
    @Test(arguments: [8, 13, 63]) func regressionFewerThanTheRuntimeNeeds(_ limit: Int) async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let run = try sandbox.start(
            "ulimit -n \(limit); exec packtool package dist -o shop.zip --json")
        #expect(run.status == 2, "\(run.output)\(run.errors)")
        #expect(run.code == "limit.open-files", "\(run.all)")
        #expect(run.output.contains("ulimit -n"))
        // packtool raises the soft limit if allowed.
        let soft = "ulimit -S -n \(limit); exec packtool package dist -o shop.zip"
        #expect(try sandbox.start(soft).status == 0)
    }

    @Test func theFewestThatAreAccepted() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; second")
        let run = try sandbox.start(
            """
            ulimit -n 64
            export PACKTOOL_JOBS=2
            packtool publish next --to cdn --app shop --base-url https://cdn.example.com/shop &&
            packtool install cdn --into phone && packtool verify cdn &&
            packtool delta dist next -o d.zip && packtool apply dist d.zip -o out
            """)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    /// Regression: removing a tree used one descriptor per level, so a deep tree blocked every
    /// later run.
    @Test func regressionADeepTreeWithFewDescriptors() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("installed")
        try await sandbox.prepare(
            """
            python3 - phone/.staging/deep phone/versions/0123456789abcdef0123 << 'END'
            import os, sys
            for name in sys.argv[1:]:
                os.makedirs(name)
                below = os.open(name, os.O_RDONLY)
                for _ in range(5000):
                    os.mkdir("d", dir_fd=below)
                    above, below = below, os.open("d", os.O_RDONLY, dir_fd=below)
                    os.close(above)
                os.close(below)
            END
            """)
        let run = try sandbox.start(
            "ulimit -n 64; exec packtool install cdn --into phone", timeout: 120)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(!sandbox.exists("phone/.staging"))
        #expect(!sandbox.exists("phone/versions/0123456789abcdef0123"))
        #expect(sandbox.exists("phone/current/index.html"))
    }
}
