import PackGround
import PackKeys
import PackS3
import PackSigning

/// Finds credentials like the AWS CLI: in the environment, then in a profile of `~/.aws`.
///
/// The instance metadata service is not supported; use `credential_process` instead.
struct AWSCredentials: Sendable {
    private let environment: ProcessEnvironment
    private let profile: String
    private let isNamed: Bool
    private let profiles: AWSProfiles
    private let files: [String]

    private static let sizeLimit = 1 << 20
    /// The time limit of a `credential_process` in seconds.
    private static let patience = 60

    /// - Parameter profile: The profile named in the settings, if any.
    init(profile: String?, _ environment: ProcessEnvironment) throws {
        self.environment = environment
        let named = profile ?? environment.variable("AWS_PROFILE")
        self.profile = named ?? "default"
        isNamed = named != nil
        let home = environment.variable("HOME") ?? ""
        let credentials =
            environment.variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials"
        let config = environment.variable("AWS_CONFIG_FILE") ?? "\(home)/.aws/config"
        files = [credentials, config]
        profiles = Self.profiles(files)
    }

    /// - Parameter files: The credentials file and the configuration file.
    private static func profiles(_ files: [String]) -> AWSProfiles {
        var profiles = AWSProfiles()
        for (index, file) in files.enumerated() {
            guard let bytes = try? ReadableFile.read(file, limit: sizeLimit) else { continue }
            profiles.read(String(decoding: bytes, as: UTF8.self), isConfig: index == 1)
        }
        return profiles
    }

    var region: String? { profiles[profile, "region"] }

    var endpoint: String? { profiles[profile, "endpoint_url"] }

    /// Reads the files again, because expired credentials are renewed there.
    ///
    /// - Throws: ``Failure``.
    func read() throws -> S3Credentials {
        let profiles = Self.profiles(files)
        let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
        let values = names.map { environment.variable($0) }
        for (name, value) in zip(names, values) where value?.contains(where: \.isNewline) ?? false {
            throw Failure.s3IncompleteCredentials(variable: name, problem: "has a line break")
        }
        // Otherwise a CI job with a missing secret would publish with the credentials of the
        // profile. Like the AWS CLI, check the id first.
        if values[0] != nil, values[1] == nil {
            throw Failure.s3IncompleteCredentials(
                variable: names[1], problem: "is not set, and \(names[0]) is")
        }
        if let id = values[0], let secret = values[1] {
            return S3Credentials(
                keyID: id, secret: secret, token: environment.variable("AWS_SESSION_TOKEN"),
                source: "the environment")
        }
        if let credentials = profiles.credentials(of: profile) { return credentials }
        if let line = profiles[profile, "credential_process"] { return try run(line) }
        if isNamed, !profiles.has(profile) {
            throw Failure.s3NoProfile(profile: profile, looked: files)
        }
        throw Failure.s3NoCredentials(
            looked: ["the environment"] + files.map { "\($0) [\(profile)]" })
    }

    /// Runs a program without a shell and with limits, like `--sign-with`.
    private func run(_ line: String) throws -> S3Credentials {
        let bad = { (problem: String) in
            Failure.s3CredentialProcess(profile: profile, problem: problem)
        }
        guard let words = try? shellWords(line), !words.isEmpty else {
            throw bad("its command line has a quote that does not end, or is empty")
        }
        let program = OutsideProgram(words, hidden: ["PACKTOOL_PASSPHRASE"])
        let answer: [UInt8]
        var message = ""
        do throws(OutsideProgram.Failure) {
            answer = try program.run([], seconds: Self.patience, answerLimit: 64 << 10) {
                message = Self.lastLine(of: $0)
            }
        } catch {
            switch error {
            case .cannotStart(let reason): throw bad("it cannot be started: \(reason)")
            case .tookTooLong: throw bad("it took longer than \(Self.patience) s")
            case .tooMuch: throw bad("its answer is too long")
            case .ended(let status):
                throw bad(
                    "it ended with exit code \(status)" + (message.isEmpty ? "" : ": \(message)"))
            }
        }
        return try S3Credentials(processAnswer: answer, profile: profile)
    }

    /// The last line of a program's output, which usually contains the error.
    private static func lastLine(of bytes: [UInt8]) -> String {
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
        guard let last = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return "" }
        return printable(last.prefix(mostOfMessage))
    }

    /// In bytes.
    private static let mostOfMessage = 200
}

/// Returns the initial value once, then reads a new one on every call.
final class FirstThen<Value: Sendable>: Sendable {
    private let first: Locked<Value?>
    private let read: @Sendable () throws -> Value

    init(_ first: Value, _ read: @escaping @Sendable () throws -> Value) {
        self.first = Locked(first)
        self.read = read
    }

    func next() throws -> Value {
        let present = first.withLock { first in
            defer { first = nil }
            return first
        }
        return try present ?? read()
    }
}
