import PackKeys
import PackSigning
import TestSupport

/// The beginning of a shell script that needs no shell: plain packtool commands and functions of
/// ``Fixtures/prelude``.
struct Script {
    enum Step {
        case packtool([String], variables: [String: String])
        case build(String)
        case second
    }

    private(set) var steps: [Step] = []
    /// The rest of the script, for a shell.
    private(set) var rest = ""

    init(_ text: String) {
        var left = text.replacing(/\\\n\s*/, with: "")[...]
        while !left.allSatisfy(\.isWhitespace) {
            let (command, end) = Self.first(of: left)
            guard let command, let found = Self.steps(of: command) else {
                rest = String(left)
                return
            }
            steps += found
            left = left[end...]
        }
    }

    /// The first command, without its terminator, or `nil` if it contains more than words and
    /// quotes.
    private static func first(of text: Substring) -> (String?, String.Index) {
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if character == quote {
                quote = nil
            } else if quote == "'" {
                continue
            } else if quote == nil, character == ";" || character == "\n" {
                return (String(text[..<index]), text.index(after: index))
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if character == "$", text[index...].hasPrefix("$URL") {
                continue
            } else if "$`\\".contains(character)
                || quote == nil && "~|<>&(){}*?[]#!".contains(character)
            {
                return (nil, text.endIndex)
            }
        }
        return (quote == nil ? String(text) : nil, text.endIndex)
    }

    /// The steps of one command, or `nil` if it needs a shell.
    private static func steps(of command: String) -> [Step]? {
        guard var words = try? shellWords(command.replacing("$URL", with: Fixtures.url)) else {
            return nil
        }
        var variables: [String: String] = [:]
        while let word = words.first, let match = word.wholeMatch(of: /([A-Z_]+)=(.*)/) {
            variables[String(match.1)] = String(match.2)
            words.removeFirst()
        }
        guard let name = words.first else { return variables.isEmpty ? [] : nil }
        words.removeFirst()
        switch (name, words.count) {
        case ("packtool", _):
            // `serve` runs until stopped, `help` uses the terminal width, and the other commands
            // start programs.
            guard let command = words.first, !["serve", "help"].contains(command),
                !command.hasPrefix("-"), !words.contains("--help"), !words.contains("-h"),
                !words.contains("--sign-with")
            else { return nil }
            return [.packtool(words, variables: variables)]
        case ("publish", 2): return [publish(words[0], words[1], variables)]
        case _ where !variables.isEmpty: return nil
        case ("build", 0): return [.build("dist")]
        case ("build", 1): return [.build(words[0])]
        case ("second", 0): return [.second]
        case ("origin", 0): return origin
        case ("installed", 0):
            return origin + [
                .packtool(["install", "cdn", "--into", "phone", "--quiet"], variables: [:])
            ]
        default: return nil
        }
    }

    private static let origin = [Step.build("dist"), publish("dist", "1.0.0", [:])]

    private static func publish(
        _ build: String, _ label: String, _ variables: [String: String]
    ) -> Step {
        .packtool(
            [
                "publish", build, "--to", "cdn", "--app", "shop", "--base-url", Fixtures.url,
                "--quiet", "--label", label,
            ], variables: variables)
    }
}

extension Sandbox {
    /// Runs a script, in this process if possible.
    ///
    /// Tests of streams, signals and the process itself start the binary with
    /// ``start(_:environment:timeout:)``.
    @discardableResult
    func run(
        _ script: String, environment: [String: String] = [:], timeout: Double = 60
    ) async throws -> Run {
        try await run(Script(script), environment, stopsAtErrors: false, timeout)
    }

    /// Runs a setup script that must succeed.
    ///
    /// In an empty working directory, a script runs once in this process, and its result is copied.
    func prepare(_ script: String) async throws {
        let prepared = PreparedSandbox(script)
        if try isEmpty() {
            if script.contains(/\S/) { try await prepared.copy(to: self) }
        } else {
            try await create(prepared)
        }
    }

    /// Runs the script of a project.
    func create(_ prepared: PreparedSandbox) async throws {
        let run = try await run(
            Script(prepared.script), prepared.environment, stopsAtErrors: true, 300)
        guard run.status == 0 else {
            throw Child.Failure(
                description: """
                    the preparation failed (\(run.status)): \(prepared.script)
                    \(run.output)\(run.errors)
                    """)
        }
    }

    private func run(
        _ script: Script, _ environment: [String: String], stopsAtErrors: Bool, _ timeout: Double
    ) async throws -> Run {
        var (status, bytes, errors) = (Int32(0), [UInt8](), "")
        func add(_ run: Run) {
            status = run.status
            bytes += run.bytes
            errors += run.errors
        }
        for step in script.steps {
            switch step {
            case .packtool(let words, let variables):
                add(
                    await packtool(
                        words, environment: environment.merging(variables) { $1 }))
                if stopsAtErrors, status != 0 {
                    return Run(status: status, bytes: bytes, errors: errors)
                }
            case .build(let folder): try build(folder)
            case .second:
                try build("next")
                try work.write(Array("console.log(\"sale\")\n".utf8), as: "next/assets/sale.js")
            }
        }
        guard !script.rest.isEmpty else {
            return Run(status: status, bytes: bytes, errors: errors)
        }
        add(
            try start(
                (stopsAtErrors ? "set -e\n" : "") + Fixtures.prelude + script.rest,
                environment: environment, timeout: timeout))
        return Run(status: status, bytes: bytes, errors: errors)
    }

    private var work: TemporaryFolder { TemporaryFolder(path: path) }

    private func build(_ folder: String) throws {
        let page = "<!doctype html><title>Shop</title><script src=assets/app.js></script>\n"
        _ = try work.makeFolder(folder + "/assets")
        try work.write(Array(page.utf8), as: folder + "/index.html")
        try work.write(Array("console.log(\"shop\")\n".utf8), as: folder + "/assets/app.js")
        try work.write(Array("body { margin: 0 }\n".utf8), as: folder + "/assets/app.css")
    }
}
