package import PackGround
package import PackOrigin

extension Failure.Code {
    package static let s3NoConditions = Self("s3.no-conditions")
    package static let s3WrongRegion = Self("s3.wrong-region")
    package static let s3Denied = Self("s3.denied")
    package static let s3CredentialsRefused = Self("s3.credentials-refused")
    package static let s3Clock = Self("s3.clock")
    package static let s3NoCredentials = Self("s3.no-credentials")
    package static let s3IncompleteCredentials = Self("s3.incomplete-credentials")
    package static let s3NoProfile = Self("s3.no-profile")
    package static let s3CredentialProcess = Self("s3.credential-process")
    package static let s3NoBucket = Self("s3.no-bucket")
    package static let s3Unencrypted = Self("s3.unencrypted")
    package static let s3Unreachable = Self("s3.unreachable")
    package static let s3Proxy = Self("s3.proxy")
    package static let s3Certificate = Self("s3.certificate")
    package static let s3TooSlow = Self("s3.too-slow")
    package static let s3Interrupted = Self("s3.interrupted")
    package static let s3Flood = Self("s3.flood")
    package static let s3Impossible = Self("s3.impossible")
    package static let s3RetriesExhausted = Self("s3.retries-exhausted")
    package static let s3Status = Self("s3.status")
    package static let s3Full = Self("s3.full")
    package static let s3Redirected = Self("s3.redirected")
    package static let s3NotS3 = Self("s3.not-s3")
    package static let s3TooLarge = Self("s3.too-large")
    package static let s3UploadTooLarge = Self("s3.upload-too-large")
    package static let s3DamagedUpload = Self("s3.damaged-upload")
    package static let s3OutcomeUnknown = Self("s3.outcome-unknown")
}

/// A failed operation on a bucket.
extension Failure {
    /// The store does not support the conditional writes that concurrent publishers need.
    package static func s3NoConditions(
        origin: String, problem: String, isIgnored: Bool
    ) -> Failure {
        s3(
            .s3NoConditions,
            isIgnored
                ? "'\(origin)' \(problem): two publishers could mix releases"
                : "'\(origin)' \(problem), which keeps two publishers apart")
    }

    package static func s3WrongRegion(
        bucket: String, actual: String?, given: String, request: String?
    ) -> Failure {
        let actual = actual.map { printable($0.utf8.prefix(60)) }
        return s3(
            .s3WrongRegion,
            "bucket '\(bucket)' is "
                + (actual.map { "in \($0), not \(given)" } ?? "not in \(given)"),
            request, details: ["actual": actual ?? ""])
    }

    package static func s3Denied(
        credentials: String, action: String, path: String, request: String?
    ) -> Failure {
        s3(
            .s3Denied, "\(credentials) may not \(action) on '\(path)'", request,
            traits: [.localOrTransient, .denial], details: ["action": action, "path": path])
    }

    /// The key is unknown, the secret is wrong, or the token has expired.
    package static func s3CredentialsRefused(
        credentials: String, code: String, request: String?
    ) -> Failure {
        s3(
            .s3CredentialsRefused, "the store does not accept \(credentials): \(code)", request,
            details: ["code": code])
    }

    package static func s3Clock(seconds: Int, request: String?) -> Failure {
        s3(
            .s3Clock,
            "this machine's clock is \(readableSpan(abs(seconds))) "
                + "\(seconds > 0 ? "behind" : "ahead of") the store", request)
    }

    package static func s3NoCredentials(looked: [String]) -> Failure {
        s3(.s3NoCredentials, "no credentials: looked in \(looked.joined(separator: ", "))")
    }

    /// A variable is missing although a related one is set, or its value is invalid.
    package static func s3IncompleteCredentials(variable: String, problem: String) -> Failure {
        s3(.s3IncompleteCredentials, "\(variable) \(problem)", details: ["variable": variable])
    }

    package static func s3NoProfile(profile: String, looked: [String]) -> Failure {
        s3(
            .s3NoProfile,
            "no profile '\(printable(profile.utf8))' in \(looked.joined(separator: " or "))")
    }

    package static func s3CredentialProcess(profile: String, problem: String) -> Failure {
        s3(
            .s3CredentialProcess,
            "the credential_process of profile '\(printable(profile.utf8))' failed: \(problem)")
    }

    package static func s3NoBucket(bucket: String, request: String?) -> Failure {
        s3(.s3NoBucket, "there is no bucket '\(bucket)'", request)
    }

    package static func s3Unencrypted(endpoint: String) -> Failure {
        s3(
            .s3Unencrypted,
            "the endpoint '\(endpoint)' is not encrypted: the release could be changed in transit",
            exitCode: .usage)
    }

    package static func s3Failed(
        path: String, _ kind: HTTPFailure.Kind, reason: String
    ) -> Failure {
        let code: Code =
            switch kind {
            case .unreachable: .s3Unreachable
            case .proxy: .s3Proxy
            case .certificate: .s3Certificate
            case .tooSlow: .s3TooSlow
            case .interrupted: .s3Interrupted
            case .flood: .s3Flood
            case .impossible: .s3Impossible
            }
        return s3(
            code, kind.description(of: path, reason),
            exitCode: kind == .flood ? .verification : .couldNotDo)
    }

    /// The run has no retries left.
    package static func s3RetriesExhausted(
        path: String, retries: Int, reason: String
    ) -> Failure {
        s3(.s3RetriesExhausted, HTTPFailure.retriesExhausted(path, retries, reason))
    }

    package static func s3Status(
        path: String, status: Int, code: String, message: String, request: String?
    ) -> Failure {
        s3(
            .s3Status,
            "'\(path)' is answered with status \(status)\(code.isEmpty ? "" : " \(code)")"
                + (message.isEmpty ? "" : ", \"\(message)\""), request,
            details: ["status": "\(status)", "code": code])
    }

    /// The quota of the bucket or account is exhausted.
    package static func s3Full(path: String, code: String, request: String?) -> Failure {
        s3(.s3Full, "the store has no space for '\(path)': \(code)", request)
    }

    /// The store redirects to another host, which must not receive the credentials.
    package static func s3Redirected(path: String, target: String, request: String?) -> Failure {
        s3(.s3Redirected, "'\(path)' is redirected to '\(target)'", request)
    }

    /// The answer does not follow the S3 protocol.
    package static func s3NotS3(
        path: String, problem: String, request: String? = nil
    ) -> Failure {
        s3(.s3NotS3, "the response for '\(path)' is not valid S3: \(problem)", request)
    }

    package static func s3TooLarge(path: String, limit: UInt64, request: String?) -> Failure {
        s3(
            .s3TooLarge, "'\(path)' is longer than \(readableSize(limit))", request,
            exitCode: .verification, traits: .anotherContent)
    }

    /// The file exceeds S3's limit for one request.
    package static func s3UploadTooLarge(path: String, size: UInt64, limit: UInt64) -> Failure {
        s3(
            .s3UploadTooLarge,
            "'\(path)' would have \(readableSize(size)); "
                + "the limit for one upload is \(readableSize(limit))")
    }

    /// A file uploaded by this run has different bytes when read back.
    package static func s3DamagedUpload(path: String) -> Failure {
        s3(
            .s3DamagedUpload,
            "the store, or a proxy in front of it, damages uploads: '\(path)' reads back with other "
                + "bytes than this run uploaded")
    }

    /// A write received no answer, and the file could not be read afterwards.
    package static func s3OutcomeUnknown(path: String, reason: String) -> Failure {
        s3(
            .s3OutcomeUnknown, "it is not known whether '\(path)' was written: \(reason)",
            unaffected: "clients: they see either the old release or the new one, complete")
    }

    /// - Parameters:
    ///   - request: The request's name in the store's log, if known.
    ///   - traits: Most failures do not depend on the file.
    private static func s3(
        _ code: Code, _ description: String, _ request: String? = nil,
        unaffected: String = "the live release and its clients", exitCode: ExitCode = .couldNotDo,
        traits: Traits = .localOrTransient, details: [String: String] = [:]
    ) -> Failure {
        Failure(
            code, description + (request.map { " (\($0))" } ?? ""), unaffected: unaffected,
            exitCode: exitCode, traits: traits, details: details)
    }
}
