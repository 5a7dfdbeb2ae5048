import Foundation
import TestSupport
import Testing

/// The progress of commands that run longer than a second, and the state after an interruption.
///
/// Serialized, because the build is large and the tests depend on time.
@Suite(.serialized) struct LongRunningTests {
    /// About two seconds of work for one processor.
    private static let large = "python3 '\(ToolRunner.python)/large_build.py' big 16; "
    /// Enough work for every machine to run longer than the one second before progress is drawn.
    private static let larger = "python3 '\(ToolRunner.python)/large_build.py' big 64; "
    private static let oneJob = ["PACKTOOL_JOBS": "1"]
    private static let pack = "packtool package big -o shop.zip --level max"

    private func onTerminal(_ command: String, _ environment: [String: String]) async throws
        -> String
    {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.larger)
        let run = try sandbox.start(
            "exec python3 '\(ToolRunner.python)/on_terminal.py' \(command)",
            environment: environment.merging(Self.oneJob) { $1 }, timeout: 120)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(sandbox.exists("shop.zip"))
        return run.output
    }

    @Test func progressIsDrawnAndCleared() async throws {
        let drawn = try await onTerminal(Self.pack, ["TERM": "xterm"])
        #expect(drawn.contains("packing"))
        #expect(drawn.contains("\u{1B}[36m"))
        #expect(drawn.contains(" % "))
        #expect(drawn.contains(/\d MB of 6\d\.\d MB/))
        // Finally, the line is overwritten with spaces, and the cursor returns to its start.
        #expect(drawn.hasSuffix("\r"))
        let last = drawn.split(separator: "\r").last ?? ""
        #expect(last.allSatisfy { $0 == " " }, "\(last)")
        // Every frame covers the previous one: no line wraps or stays visible.
        for frame in drawn.split(separator: "\r") {
            let plain = frame.replacing(/\u{1B}\[[0-9;]*m/, with: "")
            #expect(plain.count <= 79 && !plain.contains("\n"), "\(plain)")
        }
    }

    @Test func withoutColour() async throws {
        let drawn = try await onTerminal(Self.pack, ["TERM": "xterm", "NO_COLOR": "1"])
        #expect(drawn.contains("packing"))
        #expect(!drawn.contains("\u{1B}"))
    }

    @Test(arguments: ["dumb terminal", "quiet", "piped"])
    func noProgress(_ kind: String) async throws {
        switch kind {
        case "dumb terminal": expectNothingDrawn(try await onTerminal(Self.pack, ["TERM": "dumb"]))
        case "quiet": #expect(try await onTerminal(Self.pack + " --quiet", ["TERM": "xterm"]) == "")
        default:
            let sandbox = try Sandbox()
            try await sandbox.prepare(Self.large)
            let run = try sandbox.start(Self.pack, environment: ["TERM": "xterm"], timeout: 120)
            expectNothingDrawn(run.errors)
            #expect(run.output.hasPrefix("wrote shop.zip"))
        }
    }

    /// Expects no progress bar.
    ///
    /// On a slow machine, a log gets a line every ten seconds.
    private func expectNothingDrawn(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            #expect(line.wholeMatch(of: /\w+: \d+ %, .* after \d+ s/) != nil, "\(line)")
        }
        #expect(!text.contains("\u{1B}"))
    }

    /// Interrupted halfway: no output, no temporary files, and the shell sees the signal.
    @Test(arguments: [(SIGINT, "INT"), (SIGTERM, "TERM"), (SIGHUP, "HUP")])
    func interrupted(signal: Int32, name: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.large)
        let before = try sandbox.tree()
        let run = try sandbox.start(
            interruption(of: Self.pack, signal: name), environment: Self.oneJob, timeout: 120)
        #expect(run.output == "\(128 + signal)\n", "\(run.errors)")
        #expect(try sandbox.tree() == before)
        #expect(run.errors.contains("error: interrupted"))
        expectMessage(run.errors)
    }

    /// An existing output stays unchanged.
    @Test func interruptedOverAnEarlierOutput() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.large + "build; packtool package dist -o shop.zip --quiet")
        let before = try sandbox.tree()
        try sandbox.start(
            interruption(of: Self.pack, signal: "TERM"), environment: Self.oneJob, timeout: 120)
        #expect(try sandbox.tree() == before)
    }

    /// SIGKILL leaves no incomplete output.
    ///
    /// A hidden directory may stay until the next run.
    @Test func killed() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.large)
        try sandbox.start(
            interruption(of: Self.pack, signal: "KILL"), environment: Self.oneJob, timeout: 120)
        #expect(!sandbox.exists("shop.zip"))
        func scratchDirectories() throws -> Set<Substring> {
            Set(
                try sandbox.tree().compactMap {
                    $0.split { "/ ".contains($0) }.first { $0.hasSuffix(".packtool") }
                })
        }
        #expect(try scratchDirectories().count == 1)
        try sandbox.start("packtool package big -o shop.zip --level fast --quiet")
        #expect(try scratchDirectories().isEmpty)
    }

    /// After an interrupted publish, the next one repairs the origin and removes temporary files.
    @Test func interruptedPublish() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            Self.large + "origin; packtool package big -o big.zip --level fast --quiet")
        let publish =
            "packtool publish big.zip --to cdn --app shop --base-url https://cdn.example.com/shop --deltas 0"
        let run = try sandbox.start(
            interruption(
                of: publish + " --level max", signal: "INT",
                during: "cdn/.packtool/staging/*/package.zip"),
            environment: Self.oneJob, timeout: 120)
        #expect(run.output == "130\n")
        #expect(try sandbox.tree().filter { $0.hasPrefix("tmp/") } == [], "TMPDIR is not clean")
        #expect(try sandbox.start("packtool verify cdn").status == 0)
        #expect(try sandbox.start(publish + " --level fast").status == 0)
        #expect(try sandbox.start("ls cdn/.packtool/staging").output == "")
    }

    /// With nohup, ignored signals stay ignored.
    @Test func anIgnoredSignalStaysIgnored() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.large)
        let run = try sandbox.start(
            "trap '' HUP; " + interruption(of: Self.pack, signal: "HUP"), environment: Self.oneJob,
            timeout: 120)
        #expect(run.output.hasSuffix("0\n"), "\(run.output)\(run.errors)")
        #expect(sandbox.exists("shop.zip"))
    }

    /// Starts a command, waits until it writes the file `during`, sends a signal, and prints the
    /// exit status.
    ///
    /// Uses Python, because a shell starts background jobs with SIGINT ignored.
    private func interruption(
        of command: String, signal: String, during file: String = ".*.packtool"
    ) -> String {
        """
        exec python3 - <<'END'
        import glob, shlex, signal, subprocess, time
        process = subprocess.Popen(shlex.split("\(command)"), stdout=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while time.monotonic() < end and not glob.glob("\(file)") and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIG\(signal))
        status = process.wait()
        print(128 - status if status < 0 else status)
        END
        """
    }
}
