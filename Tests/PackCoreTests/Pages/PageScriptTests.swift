import PackPages
import TestSupport
import Testing

/// The script and the adapter for Apple's systems, as far as this machine can check them.
struct PageScriptTests {
    @Test func theScriptPostsInAWebViewAndOnlyThere() async throws {
        let run = try await ForeignTool("node").run(
            ["-e", Self.program, PageScript.source])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "loaded\nready\nalive\nquiet\n", "\(run.output)")
    }

    private static let program = """
        function page(webkit, log) {
          const window = { webkit, addEventListener: (name, body) => { if (name === "load") body(); } };
          const setTimeout = (body, time) => { if (time < 10000) throw time; later.push(body); };
          const later = [];
          new Function("window", "setTimeout", process.argv[1])(window, setTimeout);
          window.packtool.ready();
          try { window.packtool.ready = 1; } catch (error) {}
          if (typeof window.packtool.ready !== "function") throw "replaced";
          later.forEach(body => body());
        }
        page({ messageHandlers: { packtool: { postMessage: text => console.log(text) } } });
        page(undefined);
        page({ messageHandlers: {} });
        console.log("quiet");
        """

    #if os(Linux)
        @Test func theAdapterAndTheExampleTypeCheckAgainstStubs() async throws {
            _ = try ForeignTool("swiftc")
            let run = try await ForeignTool("sh").run(
                ["Tests/Rigs/Apple/typecheck.sh"], in: Checkout.path)
            #expect(run.status == 0, "\(run.errors)")
        }
    #endif
}
