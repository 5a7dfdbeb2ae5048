import Foundation

/// Runs mutants one by one in a single process; run.py starts it, and reports crashes.
///
///     worker ROOT FOLDER seeds FROM COUNT    the mutants of seeds
///     worker ROOT FOLDER write SEED TO       writes a mutant without running it
///     worker ROOT FOLDER case FROM           runs a mutant written before
///
/// It prints a line before each mutant, `run SEED`, and one for each fault: `bad SEED TEXT`. It
/// ends with a signal on a crash, and if a mutant exceeds the limits of CPU time or memory.
@main
struct Worker {
    /// The limit of CPU seconds for a mutant: a debug build on a slow machine takes less than one.
    private static let seconds = 30
    /// The limit of address space in bytes.
    private static let memory: rlim_t = 6 << 30

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 4, arguments[2] == "case" || arguments.count == 5 else {
            throw CocoaError(.featureUnsupported)
        }
        let (root, folder) = (arguments[0], arguments[1])
        let report = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let worker = Worker(folder: folder, report: report, runner: Runner(folder: folder))
        limitMemory()
        if arguments[2] == "case" {
            await worker.run(try Case(folder: arguments[3]), named: "0")
            return
        }
        guard let first = UInt64(arguments[3]) else { throw CocoaError(.formatting) }
        let corpus = try await Corpus(root: root, worker.runner, folder: folder)
        guard arguments[2] == "seeds", let count = UInt64(arguments[4]) else {
            try Case(seed: first, corpus).write(to: arguments[4])
            return
        }
        for seed in first..<(first + count) {
            worker.say("run \(seed)")
            await worker.run(Case(seed: seed, corpus), named: "\(seed)")
        }
    }

    private let folder: String
    private let report: Int32
    private let runner: Runner

    private func say(_ line: String) {
        let text =
            line.prefix(2000).split(whereSeparator: \.isNewline).joined(separator: " | ") + "\n"
        _ = text.withCString { write(report, $0, strlen($0)) }
    }

    private func run(_ subject: Case, named name: String) async {
        let project = "\(folder)/project"
        try? FileManager.default.removeItem(atPath: project)
        do {
            try subject.place(in: project)
            guard chdir(project) == 0 else { throw CocoaError(.fileNoSuchFile) }
            Self.limitTime()
            var scenario = Scenario(runner: runner, folder: project)
            try await scenario.run(subject)
            for fault in scenario.faults { say("bad \(name) \(subject.kind): \(fault)") }
        } catch {
            say("bad \(name) cannot run: \(error)")
        }
    }

    // MARK: - Limits

    private static func limitMemory() {
        var limit = rlimit(rlim_cur: memory, rlim_max: memory)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// SIGPROF ends a mutant that exceeds its time.
    private static func limitTime() {
        var timer = itimerval()
        timer.it_value.tv_sec = seconds
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }
}
