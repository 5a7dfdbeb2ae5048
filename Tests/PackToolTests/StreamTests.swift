import TestSupport
import Testing

/// Standard streams that are full, closed or not read, and unusual process environments.
@Suite struct StreamTests {
    static let commands = [
        "hash dist --listing", "hash dist --json",
        "manifest dist --app shop --base-url https://a.example",
        "package dist -o a.zip", "diff dist next", "verify cdn", "install cdn --into phone",
        "--help",
        "--version", "publish next --to cdn --app shop --base-url https://cdn.example.com/shop",
        "hash --help",
    ]

    @Test(arguments: commands)
    func fullDevice(_ arguments: String) async throws {
        #if os(Linux)
            let sandbox = try Sandbox()
            try await sandbox.prepare("origin; second")
            let run = try sandbox.start("packtool \(arguments) > /dev/full")
            #expect(run.status == 2)
            expectMessage(run.errors)
            #expect(run.errors.contains("standard output: No space left on device"))
        #endif
    }

    @Test(arguments: commands)
    func aReaderThatGoesAway(_ arguments: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; second")
        let run = try sandbox.start(
            "{ packtool \(arguments); echo $? > status; } | true; cat status")
        #expect(run.output == "0\n")
        // Output of the check itself is not an error about the reader.
        let complaints = run.errors.split(separator: "\n").filter { !$0.hasPrefix("note: ") }
        #expect(complaints.isEmpty, "\(run.errors)")
        let one = try sandbox.start("packtool hash dist --listing | head -c1 | wc -c | tr -d ' '")
        #expect(one.output == "1\n")
        #expect(one.errors == "")
    }

    /// Writing to a closed stream loses the result and is an error.
    ///
    /// The first opened file must not get the descriptor of the closed stream.
    @Test(arguments: commands)
    func closedOutput(_ arguments: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; second")
        let run = try sandbox.start("packtool \(arguments) >&-")
        #expect(run.status == 2)
        expectMessage(run.errors)
    }

    @Test(arguments: commands)
    func closedInputAndErrors(_ arguments: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; second; touch dist/.DS_Store")
        let run = try sandbox.start("packtool \(arguments) <&- 2>&-")
        #expect(run.status == 0)
        #expect(run.output != "")
        #expect(
            try sandbox.start("packtool verify cdn").status == 0, "a stream's text landed in a file"
        )
        let failing = try sandbox.start("packtool hash nowhere <&- >&- 2>&-")
        #expect(failing.status == 2)
    }

    @Test func emptyEnvironment() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let version = try sandbox.start("env -i \(ToolRunner.products)/packtool --version")
        #expect(version.output.hasPrefix("packtool "))
        #expect(try sandbox.start("env -i \(ToolRunner.products)/packtool hash dist").status == 0)
    }

    @Test func directoryThatWasDeleted() async throws {
        let sandbox = try Sandbox()
        let gone = "mkdir gone; cd gone; rmdir ../gone; "
        #expect(try sandbox.start(gone + "packtool --version").output.hasPrefix("packtool "))
        try await sandbox.prepare("build")
        #expect(try sandbox.start(gone + "packtool hash \(sandbox.path)/dist").status == 0)
        for arguments in [
            "hash dist", "hash", "init", "verify cdn", "package \(sandbox.path)/dist -o a.zip",
        ] {
            let run = try sandbox.start(gone + "packtool \(arguments)")
            #expect([2, 64].contains(run.status))
            expectMessage(run.errors)
        }
    }

    /// File names with a leading `-`, spaces and quotes, as passed by shells.
    @Test func oddNames() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "build 'my build'; build ./--dist; build \"it's\"; build 'caf\u{E9}'")
        for name in [
            "'my build'", "./--dist", "-- --dist", "\"it's\"", "'caf\u{E9}'", "my\\ build/",
        ] {
            let run = try sandbox.start("packtool hash \(name)")
            #expect(run.status == 0, "\(name): \(run.errors)")
        }
        #expect(
            try sandbox.start("packtool package 'my build' -o 'my shop.zip' --quiet").status == 0)
        #expect(sandbox.exists("my shop.zip"))
    }

    /// Arguments may be any bytes; invalid UTF-8 names no file.
    @Test func anArgumentThatIsNoText() throws {
        let run = try Sandbox().start("packtool hash \"$(printf 'bad\\377')\"")
        #expect(run.status == 2)
        expectMessage(run.errors)
    }

    @Test(
        .enabled(if: Fixtures.canMount, "a small file system is mounted"),
        arguments: [
            "packtool package dist -o small/shop.zip",
            "packtool publish dist --to small/cdn --app shop --base-url https://a.example",
            "packtool install cdn --into small/phone",
        ])
    func fullFileSystem(_ command: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; head -c 3000000 /dev/urandom > dist/assets/photo.jpg; mkdir small
            publish dist 1.0.0
            """)
        let run = try sandbox.start(
            """
            exec unshare -m sh -c '
                mount -t tmpfs -o size=1m none small
                \(command); status=$?
                find small -type f -size +0 > left
                umount small; exit $status'
            """)
        #expect(run.status == 2)
        expectMessage(run.errors)
        // A client remembers a seen pointer even if the update fails.
        let kept = command.hasPrefix("packtool install") ? "small/phone/state.json\n" : ""
        #expect(try String(decoding: sandbox.read("left"), as: UTF8.self) == kept)
    }
}
