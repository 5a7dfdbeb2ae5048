import TestSupport
import Testing

/// `--sign-with` programs on a terminal, and when packtool exits.
@Suite struct SigningProgramTests {
    private func sandbox(_ program: String) async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            openssl genpkey -algorithm ed25519 -out a.key; openssl pkey -in a.key -pubout -out a.pub
            packtool keys root --app shop -o 1.root.json --key a=a.pub --role root=a --role release=a --quiet
            cat > sign.sh <<'END'
            #!/bin/sh
            \(program)
            END
            chmod +x sign.sh
            """)
        return sandbox
    }

    private func answer(_ answer: String, in sandbox: Sandbox) async throws -> String {
        try await sandbox.run(
            "python3 '\(ToolRunner.python)/answer_on_terminal.py' 'PIN: ' '\(answer)' "
                + "packtool keys sign 1.root.json --sign-with ./sign.sh --quiet"
        ).output
    }

    private static let asks = """
        printf 'PIN: ' > /dev/tty; read pin < /dev/tty; echo "got $pin" > /dev/tty; exit 7
        """

    @Test("a program that asked on the terminal was stopped, because it was in the background")
    func asksOnTheTerminal() async throws {
        let shown = try await answer("1234\\n", in: sandbox(Self.asks))
        #expect(shown.contains("got 1234"), "\(shown)")
        #expect(shown.contains("exit code 7") && shown.contains("ended: 2"), "\(shown)")
    }

    @Test("Ctrl-C has to end the program and packtool")
    func interrupt() async throws {
        let shown = try await answer("\\x03", in: sandbox(Self.asks))
        #expect(!shown.contains("got"), "\(shown)")
        #expect(shown.contains("interrupted by SIGINT") && shown.contains("ended: -2"), "\(shown)")
    }

    @Test("a signal that ended packtool left the program running", arguments: ["TERM", "KILL"])
    func signals(_ name: String) async throws {
        // The kernel stops the program if packtool is killed; otherwise packtool asks it to exit.
        let program =
            name == "TERM"
            ? "trap 'echo > asked; exit' TERM; echo $$ > pid; sleep 30 & wait"
            : "echo $$ > pid; exec sleep 30"
        let sandbox = try await sandbox(program)
        let run = try await sandbox.run(
            """
            packtool keys sign 1.root.json --sign-with ./sign.sh --quiet & own=$!
            until [ -s pid ]; do sleep 0.02; done
            kill -\(name) $own; wait $own
            for try in $(seq 50); do
                grep -q '^State:.[RSD]' /proc/$(cat pid)/status 2>&1 || { echo gone; exit; }
                sleep 0.1
            done
            kill -9 $(cat pid)
            """)
        #expect(run.output.contains("gone"), "\(run.all)")
        guard name == "TERM" else { return }
        #expect(run.errors.contains("interrupted by SIGTERM"), "\(run.all)")
        #expect(sandbox.exists("asked"))
    }
}
