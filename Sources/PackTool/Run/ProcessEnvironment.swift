import PackGround
package import PackNet
package import PackOrigin
import PackSigning

/// The inputs of a command besides arguments and files: variables, clocks, processors, the current
/// directory and the standard streams.
package struct ProcessEnvironment: Sendable {
    let variables: any EnvironmentVariables
    /// The absolute base of relative paths; `nil` for the working directory of the process.
    let workingDirectory: String?
    let streams: any StandardStreams
    private let processors: Int
    private let secondsSince1970: @Sendable () -> Int
    let monotonicSeconds: @Sendable () -> Double
    /// The iterations that make a passphrase of a new key expensive to guess.
    let passphraseRounds: Int
    /// The program's own file, to start it again; `nil` in tests.
    let program: String?
    /// Makes the transport of HTTP requests.
    ///
    /// Only the tests of another transport replace libcurl.
    package var makeTransport: @Sendable (CurlTransport.Settings) throws -> any HTTPTransport = {
        try CurlTransport($0)
    }

    package init(
        variables: any EnvironmentVariables, workingDirectory: String?,
        streams: any StandardStreams, processors: Int, clock: @escaping @Sendable () -> Int,
        monotonicSeconds: @escaping @Sendable () -> Double,
        passphraseRounds: Int = PrivateKeyFile.rounds, program: String? = nil
    ) {
        self.program = program
        self.variables = variables
        self.workingDirectory = workingDirectory
        self.streams = streams
        self.processors = processors
        secondsSince1970 = clock
        self.monotonicSeconds = monotonicSeconds
        self.passphraseRounds = passphraseRounds
    }

    /// A variable; `nil` if it is empty or not set.
    func variable(_ name: String) -> String? {
        variables.value(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a secret variable and removes it, so that child processes do not inherit it.
    func takeSecret(_ name: String) -> [UInt8]? {
        variables.takeSecret(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The time of this run.
    ///
    /// `SOURCE_DATE_EPOCH` overrides it (reproducible-builds.org specification 1.1).
    ///
    /// - Throws: ``Failure`` if the variable is not a number of seconds.
    func now() throws -> Timestamp { try moment(of: "SOURCE_DATE_EPOCH") }

    /// The time at which a client checks expirations: the machine's clock.
    ///
    /// `SOURCE_DATE_EPOCH` is ignored: in a job that sets it to the commit's time, nothing would
    /// ever expire. `PACKTOOL_CLOCK` overrides the clock for tests.
    ///
    /// - Throws: ``Failure`` if the variable is not a number of seconds.
    func clientTime() throws -> Timestamp { try moment(of: "PACKTOOL_CLOCK") }

    private func moment(of name: String) throws -> Timestamp {
        guard let text = variable(name) else { return clock }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let seconds = Int(text), seconds <= 253_402_300_799
        else {
            throw Failure.invalidArgument(
                kind: name, word: text,
                problem: "is not a number of seconds since 1970",
                example: "1795248000")
        }
        return Timestamp(seconds: seconds)
    }

    /// The machine's clock, regardless of `SOURCE_DATE_EPOCH`.
    var clock: Timestamp { Timestamp(seconds: secondsSince1970()) }

    /// The number of files to process concurrently: `PACKTOOL_JOBS`, or the number of processors.
    func jobs() throws -> Int {
        guard let text = variable("PACKTOOL_JOBS") else { return processors }
        guard let jobs = Int(text), (1...256).contains(jobs) else {
            throw Failure.invalidArgument(
                kind: "PACKTOOL_JOBS", word: text, problem: "is not a number from 1 to 256",
                example: "4")
        }
        return jobs
    }

    /// The timeout of connecting and of an idle connection in seconds, if `PACKTOOL_HTTP_TIMEOUT`
    /// sets one.
    func networkPatience() throws -> Int? {
        guard let text = variable("PACKTOOL_HTTP_TIMEOUT") else { return nil }
        guard let seconds = Int(text), (1...3600).contains(seconds) else {
            throw Failure.invalidArgument(
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
