package import PackGround
package import PackOrigin
import PackRelease

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
    /// - Throws: ``SignCommandError/badAnswer(command:problem:)``.
    package func signatures(
        _ answer: [UInt8], command: String
    ) throws(SignCommandError) -> [Envelope.Signature] {
        do {
            return try read(answer)
        } catch {
            throw .badAnswer(command: command, problem: "\(error)")
        }
    }

    private func read(_ answer: [UInt8]) throws -> [Envelope.Signature] {
        let object = try JSONObject(JSONParser.parse(answer))
        _ = try object.integer("schema", in: Self.schema...Self.schema)
        let signatures = try object.array("signatures", atMost: 16).enumerated().map {
            number, value in
            let signature = try JSONObject(value, place: "signatures[\(number)]")
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

/// The reason why a `--sign-with` command returned no signature.
package enum SignCommandError: Remedied, Equatable {
    case empty
    case unbalanced(command: String)
    case cannotStart(command: String, reason: String)
    case failed(command: String, status: Int32)
    case tookTooLong(command: String)
    case tooMuch(command: String)
    case badAnswer(command: String, problem: String)

    package var code: String {
        switch self {
        case .empty, .unbalanced: "usage.sign-with"
        case .cannotStart: "sign-with.cannot-start"
        case .failed: "sign-with.failed"
        case .tookTooLong: "sign-with.timeout"
        case .tooMuch: "sign-with.too-much"
        case .badAnswer: "sign-with.bad-answer"
        }
    }

    package var description: String {
        switch self {
        case .empty: "--sign-with names no command"
        case .unbalanced(let command): "the command '\(command)' has a quote that does not end"
        case .cannotStart(let command, let reason): "cannot start '\(command)': \(reason)"
        case .failed(let command, let status):
            status < 128
                ? "'\(command)' ended with exit code \(status)"
                : "'\(command)' was ended by signal \(status - 128)"
        case .tookTooLong(let command):
            "'\(command)' took longer than \(SignRequest.timeLimit) s"
        case .tooMuch(let command):
            "'\(command)' wrote more than \(readableSize(UInt64(SignRequest.answerLimit)))"
        case .badAnswer(let command, let problem):
            "the answer of '\(command)' is not usable: \(problem)"
        }
    }

    package var unaffected: String? { "what is published; nothing was signed" }

    package var exitCode: ExitCode {
        switch self {
        case .empty, .unbalanced: .usage
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .empty, .unbalanced: "use a value such as --sign-with './sign.sh --profile release'"
        case .cannotStart: "check its path; it is not looked up by a shell"
        case .failed, .tookTooLong: "read its messages above, and run it by hand"
        case .tooMuch, .badAnswer: "see 'Signing with a command' in docs/formats.md"
        }
    }
}

/// Splits a command line into words: blanks separate, quotes and backslashes work as in a shell.
///
/// No other shell syntax is supported.
package func shellWords(_ line: String) throws(SignCommandError) -> [String] {
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
    guard quote == nil, !isEscaped else { throw .unbalanced(command: line) }
    if let word { words.append(word) }
    guard let first = words.first, !first.isEmpty else { throw .empty }
    return words.map { String(String.UnicodeScalarView($0)) }
}
