import PackGround

/// The credentials that sign requests.
///
/// Only ``shown`` may be printed.
package struct S3Credentials: Equatable, Sendable {
    package let keyID: String
    let secret: String
    let token: String?
    /// The origin of the credentials, for messages: `the environment`, `profile ci`.
    package let source: String

    package init(keyID: String, secret: String, token: String? = nil, source: String) {
        self.keyID = keyID
        self.secret = secret
        self.token = token
        self.source = source
    }

    /// The source and the first and last characters of the key ID.
    var shown: String {
        let id = printable(keyID.utf8)
        return id.count < 12
            ? "the credentials (\(source))"
            : "the credentials (\(source), \(id.prefix(4))…\(id.suffix(2)))"
    }
}

/// Keeps secrets out of messages and debuggers.
extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { shown }
    package var debugDescription: String { shown }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The profiles in `~/.aws/credentials` and `~/.aws/config`.
///
/// Source: [AWS CLI, Configuration and credential file settings](https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html).
package struct AWSProfiles: Sendable {
    private var profiles: [String: [String: String]] = [:]

    package init() {}

    /// Reads a file.
    ///
    /// Like AWS's tools, ignores lines that are neither a section nor a key-value pair.
    ///
    /// - Parameter isConfig: In the config file, sections are named `[profile ci]`, except
    ///   `[default]`.
    package mutating func read(_ text: String, isConfig: Bool) {
        var section: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let isIndented = line.first == " " || line.first == "\t"
            let line = Self.trimmed(line)
            guard let first = line.first, first != "#", first != ";" else { continue }
            if first == "[" {
                section = line.last == "]" ? Self.name(line, isConfig) : nil
                continue
            }
            // An indented pair belongs to the preceding setting, such as `s3 =`.
            guard !isIndented, let section, let equals = line.firstIndex(of: "=") else { continue }
            let key = Self.trimmed(line[..<equals]).lowercased()
            let value = Self.trimmed(line[line.index(after: equals)...])
            // The credentials file is read first and takes precedence.
            if profiles[section]?[key] == nil { profiles[section, default: [:]][key] = value }
        }
    }

    private static func name(_ line: String, _ isConfig: Bool) -> String? {
        let words = line.dropFirst().dropLast().split { $0 == " " || $0 == "\t" }.map(String.init)
        if !isConfig || words == ["default"] { return words.joined(separator: " ") }
        return words.count > 1 && words[0] == "profile"
            ? words.dropFirst().joined(separator: " ") : nil
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = Substring(text)
        while rest.first?.isWhitespace ?? false { rest.removeFirst() }
        while rest.last?.isWhitespace ?? false { rest.removeLast() }
        return String(rest)
    }

    package func has(_ profile: String) -> Bool { profiles[profile] != nil }

    package subscript(profile: String, key: String) -> String? {
        profiles[profile]?[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The keys stored in a profile.
    package func credentials(of profile: String) -> S3Credentials? {
        guard let id = self[profile, "aws_access_key_id"],
            let secret = self[profile, "aws_secret_access_key"]
        else { return nil }
        return S3Credentials(
            keyID: id, secret: secret, token: self[profile, "aws_session_token"],
            source: "profile \(profile)")
    }
}

extension S3Credentials {
    /// Parses the output of a `credential_process`.
    ///
    /// - Throws: ``Failure/s3CredentialProcess(profile:problem:)``, without any of the output.
    package init(processAnswer bytes: [UInt8], profile: String) throws {
        let bad = { (problem: String) in
            Failure.s3CredentialProcess(profile: profile, problem: problem)
        }
        guard let value = try? JSONParser.parse(bytes), let object = try? JSONObject(value) else {
            throw bad("its answer is not JSON")
        }
        guard (try? object.integer("Version", in: 1...1)) != nil else {
            throw bad("its answer has no \"Version\": 1")
        }
        guard let id = try? object.string("AccessKeyId"), !id.isEmpty,
            let secret = try? object.string("SecretAccessKey"), !secret.isEmpty
        else { throw bad("its answer has no AccessKeyId and SecretAccessKey") }
        self.init(
            keyID: id, secret: secret, token: try? object.optionalString("SessionToken"),
            source: "profile \(profile)")
    }
}
