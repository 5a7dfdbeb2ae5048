import PackGround
import PackOrigin

/// Everything that a command learns from outside its arguments and files: variables, clocks, processors, the
/// current directory and the standard streams.
package struct ProcessEnvironment: Sendable {
    let variables: any EnvironmentVariables
    /// The absolute path that relative ones start from; `nil` for that of the process.
    let workingDirectory: String?
    let streams: any StandardStreams
    private let processors: Int
    private let secondsSince1970: @Sendable () -> Int
    let monotonicSeconds: @Sendable () -> Double

    package init(
        variables: any EnvironmentVariables, workingDirectory: String?,
        streams: any StandardStreams, processors: Int, clock: @escaping @Sendable () -> Int,
        monotonicSeconds: @escaping @Sendable () -> Double
    ) {
        self.variables = variables
        self.workingDirectory = workingDirectory
        self.streams = streams
        self.processors = processors
        secondsSince1970 = clock
        self.monotonicSeconds = monotonicSeconds
    }

    /// A variable; `nil` if it is empty.
    func variable(_ name: String) -> String? {
        variables.value(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A secret variable, which this run and the programs that it starts no longer have afterwards.
    func takeSecret(_ name: String) -> [UInt8]? {
        variables.takeSecret(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The time of this run.
    ///
    /// `SOURCE_DATE_EPOCH` replaces it (reproducible-builds.org specification 1.1).
    ///
    /// - Throws: ``InvalidArgument`` where that is not a number of seconds.
    func now() throws -> Timestamp { try moment(of: "SOURCE_DATE_EPOCH") }

    /// The time by which a client judges what has expired: the machine's clock.
    ///
    /// `SOURCE_DATE_EPOCH` does not count here: a job that sets it to its commit's time would find nothing expired.
    /// `PACKTOOL_CLOCK` replaces it, for tests.
    ///
    /// - Throws: ``InvalidArgument`` where that is not a number of seconds.
    func clientTime() throws -> Timestamp { try moment(of: "PACKTOOL_CLOCK") }

    private func moment(of name: String) throws -> Timestamp {
        guard let text = variable(name) else { return clock }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Int(text), seconds <= 253_402_300_799
        else {
            throw InvalidArgument(
                kind: name, word: text,
                problem: "is not a number of seconds since 1970",
                example: "1795248000")
        }
        return Timestamp(seconds: seconds)
    }

    /// The machine's clock, even if `SOURCE_DATE_EPOCH` is set.
    var clock: Timestamp { Timestamp(seconds: secondsSince1970()) }

    /// How many files are worked on at a time: the processors, or what `PACKTOOL_JOBS` says.
    func jobs() throws -> Int {
        guard let text = variable("PACKTOOL_JOBS") else { return processors }
        guard let jobs = Int(text), (1...256).contains(jobs) else {
            throw InvalidArgument(
                kind: "PACKTOOL_JOBS", word: text, problem: "is not a number from 1 to 256",
                example: "4")
        }
        return jobs
    }

    /// Seconds that a connection may take or be idle, where `PACKTOOL_HTTP_TIMEOUT` says so.
    func networkPatience() throws -> Int? {
        guard let text = variable("PACKTOOL_HTTP_TIMEOUT") else { return nil }
        guard let seconds = Int(text), (1...3600).contains(seconds) else {
            throw InvalidArgument(
                kind: "PACKTOOL_HTTP_TIMEOUT", word: text,
                problem: "is not a number of seconds from 1 to 3600", example: "30")
        }
        return seconds
    }

    var temporaryDirectory: String { variable("TMPDIR") ?? "/tmp" }
}

/// The variables of an environment.
package protocol EnvironmentVariables: Sendable {
    func value(_ name: String) -> String?

    /// Returns a variable and removes it.
    func takeSecret(_ name: String) -> [UInt8]?
}
