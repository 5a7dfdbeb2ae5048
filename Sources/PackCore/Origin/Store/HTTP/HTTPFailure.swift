package import PackGround

/// The reason for a missing or incomplete answer.
package struct HTTPFailure: Error, Equatable {
    package enum Kind: Equatable, Sendable {
        /// Connecting to the host or proxy, or resolving its name, failed.
        case unreachable
        /// The proxy denied the request.
        case proxy
        /// The server's certificate is not trusted.
        case certificate
        /// The answer was slower than the transport's limit.
        case tooSlow
        /// The connection ended early, or the answer is not HTTP.
        case interrupted
        /// The answer exceeds the maximum size of the file and its headers.
        case flood
        /// This machine or its libcurl does not support the request.
        case impossible
    }

    package let kind: Kind
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// More bytes arrived than a sink's file can have.
    package static func flood(_ sink: any HTTPSink) -> HTTPFailure {
        HTTPFailure(
            .flood,
            "more than \(sink.mostReceived) bytes arrived for a file of at most \(sink.limit) bytes"
        )
    }

    package var mayPass: Bool { ![.certificate, .impossible, .proxy, .flood].contains(kind) }

    /// The message after the last retry of a run.
    package static func retriesExhausted(
        _ path: String, _ retries: Int, _ reason: String
    ) -> String {
        "gave up at '\(path)' after \(counted(retries, "repeated request")): \(reason)"
    }
}

extension HTTPFailure.Kind {
    /// The message for a URL or key.
    package func description(of path: String, _ reason: String) -> String {
        switch self {
        case .unreachable: "'\(path)' cannot be reached: \(reason)"
        case .proxy: "the proxy in https_proxy rejected the request for '\(path)': \(reason)"
        case .certificate: "the certificate of the server of '\(path)' is not trusted: \(reason)"
        case .tooSlow: "'\(path)' is too slow: \(reason)"
        case .interrupted: "the answer for '\(path)' was cut off: \(reason)"
        case .flood: "the answer for '\(path)' was stopped: \(reason)"
        case .impossible: "'\(path)' cannot be requested: \(reason)"
        }
    }
}

extension Failure.Code {
    package static let httpUnreachable = Self("http.unreachable")
    package static let httpProxy = Self("http.proxy")
    package static let httpCertificate = Self("http.certificate")
    package static let httpTooSlow = Self("http.too-slow")
    package static let httpInterrupted = Self("http.interrupted")
    package static let httpFlood = Self("http.flood")
    package static let httpImpossible = Self("http.impossible")
    package static let httpRetriesExhausted = Self("http.retries-exhausted")
    package static let httpStatus = Self("http.status")
    package static let httpPageForFile = Self("http.page-for-file")
    package static let httpTransformed = Self("http.transformed")
    package static let httpTooLarge = Self("http.too-large")
    package static let httpRedirected = Self("http.redirect")
}

/// The reason for a failed read from a web server.
extension Failure {
    package static func httpFailed(
        path: String, _ kind: HTTPFailure.Kind, reason: String
    ) -> Failure {
        let code: Code
        // The server could not be reached, so the file may be intact.
        var traits: Traits = .localOrTransient
        switch kind {
        case .unreachable: code = .httpUnreachable
        case .proxy: code = .httpProxy
        case .certificate: code = .httpCertificate
        case .impossible: code = .httpImpossible
        case .tooSlow: (code, traits) = (.httpTooSlow, [])
        case .interrupted: (code, traits) = (.httpInterrupted, [])
        case .flood: (code, traits) = (.httpFlood, [])
        }
        return http(
            code, kind.description(of: path, reason),
            exitCode: kind == .flood ? .verification : .couldNotDo, traits: traits)
    }

    /// The run has no retries left.
    package static func httpRetriesExhausted(
        path: String, retries: Int, reason: String
    ) -> Failure {
        http(
            .httpRetriesExhausted, HTTPFailure.retriesExhausted(path, retries, reason),
            traits: .localOrTransient)
    }

    package static func httpStatus(path: String, status: Int, request: String?) -> Failure {
        http(
            .httpStatus, "'\(path)' is answered with status \(status)", request,
            details: ["status": "\(status)"])
    }

    /// The server answered with a page instead of the file.
    package static func httpPageForFile(path: String, request: String?) -> Failure {
        http(
            .httpPageForFile, "'\(path)' is answered with a web page instead of the file", request,
            exitCode: .verification, traits: .anotherContent)
    }

    package static func httpTransformed(
        path: String, encoding: String, request: String?
    ) -> Failure {
        http(
            .httpTransformed,
            "'\(path)' has Content-Encoding \(printable(encoding.utf8.prefix(40))), which was not "
                + "requested", request, exitCode: .verification, traits: .anotherContent)
    }

    package static func httpTooLarge(path: String, limit: UInt64, request: String?) -> Failure {
        http(
            .httpTooLarge, "'\(path)' is longer than \(readableSize(limit))", request,
            exitCode: .verification, traits: .anotherContent)
    }

    package static func httpRedirected(
        path: String, to target: String, problem: String
    ) -> Failure {
        http(
            .httpRedirected,
            "'\(path)' redirects to '\(printable(withoutSecrets(target).utf8.prefix(300)))': "
                + problem, details: ["target": target, "problem": problem])
    }

    /// All addresses of the origin failed; `first` is the failure of the first one.
    package static func httpEveryAddress(count: Int, first: Failure) -> Failure {
        Failure(
            Code(first.code.name, "every-address"),
            "none of \(count) addresses has it; the first one: \(first)",
            unaffected: first.unaffected, exitCode: first.exitCode, traits: first.traits,
            cause: first)
    }

    private static func http(
        _ code: Code, _ description: String, _ request: String? = nil,
        exitCode: ExitCode = .couldNotDo, traits: Traits = [], details: [String: String] = [:]
    ) -> Failure {
        Failure(
            code, description + (request.map { " (\($0))" } ?? ""),
            unaffected: "what is installed, and the origin: it was only read", exitCode: exitCode,
            traits: traits, details: details)
    }
}
