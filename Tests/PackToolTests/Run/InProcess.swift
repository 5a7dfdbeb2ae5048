import Foundation
import PackCommands
import PackGround
import PackKeys
import PackSigning
import Synchronization
import TestSupport

extension Sandbox {
    /// Runs packtool in this process, in the working directory.
    ///
    /// Several runs can be concurrent.
    ///
    /// - Parameter words: Arguments without the program's name.
    func packtool(_ words: [String], environment more: [String: String] = [:]) async -> Run {
        let streams = MemoryStreams()
        let environment = ProcessEnvironment(
            variables: TestVariables(environment.merging(more) { $1 }), workingDirectory: path,
            streams: streams, processors: ProcessInfo.processInfo.activeProcessorCount,
            clock: { Int(Date().timeIntervalSince1970) },
            monotonicSeconds: { ProcessInfo.processInfo.systemUptime }, passphraseRounds: 10_000)
        await Turnstile.shared.enter()
        let status = await CommandRun(words, in: environment).finish()
        await Turnstile.shared.leave()
        return streams.written.withLock {
            Run(
                status: status, bytes: $0.output, errors: String(decoding: $0.errors, as: UTF8.self)
            )
        }
    }

    /// The words of a command line, or `nil` if it needs more of a shell than splitting words.
    static func words(of line: String) -> [String]? {
        let line = line.replacing("$URL", with: Fixtures.url)
        guard !line.contains(where: { "$`\"~|;<>&(){}\\\n".contains($0) }) else { return nil }
        return try? shellWords(line)
    }
}

extension Run {
    /// The code of the error that a run with `--json` printed.
    var code: String? { (try? JSONDocument(bytes))?["error"]?["code"]?.text }
}

/// Limits concurrent runs to the number of processors.
///
/// More runs would slow each other down until they report progress.
private actor Turnstile {
    static let shared = Turnstile()

    private var free = ProcessInfo.processInfo.activeProcessorCount
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// Stores the output of a run.
///
/// There is no input and no terminal.
private final class MemoryStreams: StandardStreams {
    let written = Mutex<(output: [UInt8], errors: [UInt8])>(([], []))

    var terminalWidth: Int? { nil }

    func isTerminal(_ stream: StandardStream) -> Bool { false }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    func write(_ bytes: [UInt8], to stream: StandardStream) -> Int32 {
        written.withLock {
            if stream == .errors { $0.errors += bytes } else { $0.output += bytes }
        }
        return 0
    }
}

private final class TestVariables: EnvironmentVariables {
    private let values: Mutex<[String: String]>

    init(_ values: [String: String]) { self.values = Mutex(values) }

    func value(_ name: String) -> String? { values.withLock { $0[name] } }

    func takeSecret(_ name: String) -> [UInt8]? {
        values.withLock { $0.removeValue(forKey: name) }.map { Array($0.utf8) }
    }
}

extension Sequence where Element: Sendable {
    /// Transforms elements sequentially.
    func mapInTurn<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
