package import PackGround
package import PackKeys
package import PackOrigin
import PackRelease
import PackTrust

/// A request to a `--sign-with` command, and the parser of its response (`docs/formats.md`).
package struct SignRequest: Sendable {
    package let payloadType: String
    /// The bytes to sign: the pre-authentication encoding of DSSE.
    package let message: [UInt8]
    /// A one-line description of the payload for people.
    package let summary: String
    /// The keys whose signatures are accepted.
    package let accepted: [PublicKey]

    /// The largest response in bytes.
    package static let answerLimit = 64 << 10
    /// The time limit of a command in seconds.
    package static let timeLimit = 60
    /// The largest amount of a command's messages to show, in bytes.
    package static let messageLimit = 4 << 10
    private static let schema = 1

    package init(payloadType: String, message: [UInt8], summary: String, accepted: [PublicKey]) {
        self.payloadType = payloadType
        self.message = message
        self.summary = summary
        self.accepted = accepted
    }

    /// The JSON on the command's standard input.
    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(Self.schema), "operation": .string("sign"),
                "payloadType": .string(payloadType),
                "message": .string(Base64.string(message)),
                "sha256": .string(StreamHasher.digest(of: message).description),
                "summary": .string(summary),
                "keyids": .strings(accepted.map(\.keyID.description)),
            ]))
    }

    /// Reads a response; every signature in it must be valid.
    ///
    /// - Parameter command: The command's name, for messages.
    /// - Throws: ``Failure/signWithBadAnswer(command:problem:)``.
    package func signatures(
        _ answer: [UInt8], command: String
    ) throws(Failure) -> [Envelope.Signature] {
        do {
            return try read(answer)
        } catch {
            throw .signWithBadAnswer(command: command, problem: "\(error)")
        }
    }

    private func read(_ answer: [UInt8]) throws -> [Envelope.Signature] {
        let object = try JSONObject(JSONParser.parse(answer))
        _ = try object.integer("schema", in: Self.schema...Self.schema)
        let signatures = try object.array("signatures", atMost: 16).enumerated().map {
            number, value in
            let signature = try JSONObject(value, path: "signatures[\(number)]")
            let id = try signature.digest("keyid")
            guard let key = accepted.first(where: { $0.keyID == id }) else {
                throw signature.error("keyid", "is \(id), whose signature does not count here")
            }
            let bytes = key.algorithm.fixedLength(try Envelope.base64(signature, "sig"))
            guard key.isValid(bytes, over: message) else {
                throw signature.error("sig", "is not a signature by \(id) over the message")
            }
            return Envelope.Signature(keyID: id.description, bytes: bytes)
        }
        guard !signatures.isEmpty else { throw object.error("signatures", "is empty") }
        return signatures
    }
}

extension Failure.Code {
    package static let signWithInvalid = Self("usage.sign-with")
    package static let signWithCannotStart = Self("sign-with.cannot-start")
    package static let signWithFailed = Self("sign-with.failed")
    package static let signWithTimeout = Self("sign-with.timeout")
    package static let signWithTooMuch = Self("sign-with.too-much")
    package static let signWithBadAnswer = Self("sign-with.bad-answer")
}

/// A `--sign-with` command returned no signature.
extension Failure {
    private static func signWith(
        _ code: Code, _ description: String, exitCode: ExitCode = .couldNotDo
    ) -> Failure {
        Failure(
            code, description, unaffected: "published files; nothing was signed",
            exitCode: exitCode)
    }

    package static let signWithEmpty = signWith(
        .signWithInvalid, "--sign-with names no command", exitCode: .usage)

    package static func signWithUnbalanced(command: String) -> Failure {
        signWith(
            .signWithInvalid, "the command '\(command)' has an unclosed quote", exitCode: .usage)
    }

    package static func signWithCannotStart(command: String, reason: String) -> Failure {
        signWith(.signWithCannotStart, "cannot start '\(command)': \(reason)")
    }

    /// - Parameter status: The exit code, or 128 and the number of the signal.
    package static func signWithFailed(command: String, status: Int32) -> Failure {
        signWith(
            .signWithFailed,
            status < 128
                ? "'\(command)' ended with exit code \(status)"
                : "'\(command)' was ended by signal \(status - 128)")
    }

    package static func signWithTimeout(command: String) -> Failure {
        signWith(
            .signWithTimeout, "'\(command)' took longer than \(SignRequest.timeLimit) s")
    }

    package static func signWithTooMuch(command: String) -> Failure {
        signWith(
            .signWithTooMuch,
            "'\(command)' wrote more than \(readableSize(UInt64(SignRequest.answerLimit)))")
    }

    package static func signWithBadAnswer(command: String, problem: String) -> Failure {
        signWith(.signWithBadAnswer, "'\(command)' gave an unusable answer: \(problem)")
    }
}

/// Splits a command line into words: blanks separate, quotes and backslashes work as in a shell.
///
/// No other shell syntax is supported.
package func shellWords(_ line: String) throws(Failure) -> [String] {
    var words: [[Unicode.Scalar]] = []
    var word: [Unicode.Scalar]?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in line.unicodeScalars {
        if isEscaped {
            // Within double quotes, a backslash is literal unless it escapes a quotation mark or
            // backslash.
            if quote != nil, scalar != "\"", scalar != "\\" { word?.append("\\") }
            word = (word ?? []) + [scalar]
            isEscaped = false
        } else if scalar == "\\", quote != "'" {
            isEscaped = true
            word = word ?? []
        } else if let open = quote {
            if scalar == open { quote = nil } else { word?.append(scalar) }
        } else if scalar == "'" || scalar == "\"" {
            quote = scalar
            word = word ?? []
        } else if scalar == " " || scalar == "\t" || scalar == "\n" {
            if let done = word { words.append(done) }
            word = nil
        } else {
            word = (word ?? []) + [scalar]
        }
    }
    guard quote == nil, !isEscaped else { throw .signWithUnbalanced(command: line) }
    if let word { words.append(word) }
    guard let first = words.first, !first.isEmpty else { throw .signWithEmpty }
    return words.map { String(String.UnicodeScalarView($0)) }
}
