package import PackGround
package import PackOrigin
import PackRelease

/// An error of a bucket operation.
package enum S3Error: Remedied, Equatable, StorageFailure {
    /// The store does not support the conditional writes that concurrent publishers need.
    case noConditions(origin: String, problem: String, isIgnored: Bool)
    case wrongRegion(bucket: String, actual: String?, given: String, request: String?)
    case denied(credentials: String, action: String, place: String, request: String?)
    /// The key is unknown, the secret is wrong, or the token has expired.
    case credentialsRefused(credentials: String, code: String, request: String?)
    case clock(seconds: Int, request: String?)
    case noCredentials(looked: [String])
    /// A variable is missing although a related one is set, or its value is invalid.
    case halfSet(variable: String, problem: String)
    case noProfile(profile: String, looked: [String])
    case badCredentialProcess(profile: String, problem: String)
    case noBucket(bucket: String, request: String?)
    case unencrypted(endpoint: String)
    case failed(place: String, HTTPFailure.Kind, reason: String)
    case gaveUp(place: String, retries: Int, reason: String)
    case status(place: String, status: Int, code: String, message: String, request: String?)
    /// The quota of the bucket or account is exhausted.
    case full(place: String, code: String, request: String?)
    /// The store redirects to another host, which must not receive the credentials.
    case redirected(place: String, target: String, request: String?)
    /// The answer does not follow the S3 protocol.
    case notS3(place: String, problem: String, request: String? = nil)
    case tooLarge(place: String, limit: UInt64, request: String?)
    /// The file exceeds S3's limit for one request.
    case uploadTooLarge(place: String, size: UInt64, limit: UInt64)
    /// A file uploaded by this run has different bytes when read back.
    case damagedUpload(place: String)
    /// A write received no answer, and the file could not be read afterwards.
    case outcomeUnknown(place: String, reason: String)

    package var code: String {
        switch self {
        case .noConditions: "s3.no-conditions"
        case .wrongRegion: "s3.wrong-region"
        case .denied: "s3.denied"
        case .credentialsRefused: "s3.credentials-refused"
        case .clock: "s3.clock"
        case .noCredentials: "s3.no-credentials"
        case .halfSet: "s3.incomplete-credentials"
        case .noProfile: "s3.no-profile"
        case .badCredentialProcess: "s3.credential-process"
        case .noBucket: "s3.no-bucket"
        case .unencrypted: "s3.unencrypted"
        case .failed(_, let kind, _):
            switch kind {
            case .unreachable: "s3.unreachable"
            case .proxy: "s3.proxy"
            case .certificate: "s3.certificate"
            case .tooSlow: "s3.too-slow"
            case .interrupted: "s3.interrupted"
            case .flood: "s3.flood"
            case .impossible: "s3.impossible"
            }
        case .gaveUp: "s3.retries-exhausted"
        case .status: "s3.status"
        case .full: "s3.full"
        case .redirected: "s3.redirected"
        case .notS3: "s3.not-s3"
        case .tooLarge: "s3.too-large"
        case .uploadTooLarge: "s3.upload-too-large"
        case .damagedUpload: "s3.damaged-upload"
        case .outcomeUnknown: "s3.outcome-unknown"
        }
    }

    package var description: String {
        switch self {
        case .noConditions(let origin, let problem, let isIgnored):
            isIgnored
                ? "'\(origin)' \(problem): two publishers could mix releases"
                : "'\(origin)' \(problem), which keeps two publishers apart"
        case .wrongRegion(let bucket, let actual, let given, let request):
            (actual.map {
                "bucket '\(bucket)' is in \(printable($0.utf8.prefix(60))), not \(given)"
            }
                ?? "bucket '\(bucket)' is not in \(given)") + Self.suffix(request)
        case .denied(let credentials, let action, let place, let request):
            "\(credentials) may not \(action) on '\(place)'\(Self.suffix(request))"
        case .credentialsRefused(let credentials, let code, let request):
            "the store does not accept \(credentials): \(code)\(Self.suffix(request))"
        case .clock(let seconds, let request):
            "this machine's clock is \(readableSpan(abs(seconds))) \(seconds > 0 ? "behind" : "ahead of") the store"
                + Self.suffix(request)
        case .noCredentials(let looked):
            "no credentials: looked in \(looked.joined(separator: ", "))"
        case .halfSet(let variable, let problem): "\(variable) \(problem)"
        case .noProfile(let profile, let looked):
            "no profile '\(printable(profile.utf8))' in \(looked.joined(separator: " or "))"
        case .badCredentialProcess(let profile, let problem):
            "the credential_process of profile '\(printable(profile.utf8))' failed: \(problem)"
        case .noBucket(let bucket, let request):
            "there is no bucket '\(bucket)'\(Self.suffix(request))"
        case .unencrypted(let endpoint):
            "the endpoint '\(endpoint)' is not encrypted: the release could be changed on its way"
        case .failed(let place, let kind, let reason):
            switch kind {
            case .unreachable: "'\(place)' cannot be reached: \(reason)"
            case .proxy:
                "the proxy of https_proxy does not let a request for '\(place)' pass: \(reason)"
            case .certificate: "the server of '\(place)' does not prove who it is: \(reason)"
            case .tooSlow: "'\(place)' is too slow: \(reason)"
            case .flood: "the answer for '\(place)' was stopped: \(reason)"
            case .interrupted: "the answer for '\(place)' was cut off: \(reason)"
            case .impossible: "'\(place)' cannot be requested: \(reason)"
            }
        case .gaveUp(let place, let retries, let reason):
            "gave up at '\(place)' after \(counted(retries, "repeated request")): \(reason)"
        case .status(let place, let status, let code, let message, let request):
            "'\(place)' is answered with status \(status)\(code.isEmpty ? "" : " \(code)")"
                + (message.isEmpty ? "" : ", \"\(message)\"") + Self.suffix(request)
        case .full(let place, let code, let request):
            "the store has no room for '\(place)': \(code)\(Self.suffix(request))"
        case .redirected(let place, let target, let request):
            "'\(place)' is redirected to '\(target)'\(Self.suffix(request))"
        case .notS3(let place, let problem, let request):
            "'\(place)' is not answered as S3 does: \(problem)\(Self.suffix(request))"
        case .tooLarge(let place, let limit, let request):
            "'\(place)' is longer than \(readableSize(limit))\(Self.suffix(request))"
        case .uploadTooLarge(let place, let size, let limit):
            "'\(place)' would have \(readableSize(size)); the limit for one upload is \(readableSize(limit))"
        case .damagedUpload(let place):
            "the store, or a proxy before it, damages uploads: '\(place)' reads back with other bytes than this run "
                + "uploaded"
        case .outcomeUnknown(let place, let reason):
            "it is not known whether '\(place)' was written: \(reason)"
        }
    }

    /// The remedy for a missing permission; the publishers' policy does not grant every action.
    private static func permission(to action: String, at place: String) -> String {
        let folder = place.pathComponents().dropLast().last ?? ""
        if action == "DeleteObject", !place.contains("/\(OriginLayout.workspace)/") {
            return "prune with an identity that may delete below the prefix; the policy of "
                + "'packtool init --policy aws' is for publishers, which need not"
        }
        if action == "PutObject", folder == OriginLayout.roots {
            return "publish trust roots with an identity that may; the policy of "
                + "'packtool init --policy aws' is for publishers, which must not"
        }
        return "allow it; 'packtool init --policy aws' prints a policy"
    }

    private static func suffix(_ request: String?) -> String { request.map { " (\($0))" } ?? "" }

    package var unaffected: String? {
        switch self {
        case .outcomeUnknown: "clients; they see the old release or the new one, whole"
        default: "the live release and its clients"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .unencrypted: .usage
        case .tooLarge, .failed(_, .flood, _): .verification
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .noConditions:
            "use a store with conditional writes (docs/guide/s3.md), or --no-conditional-writes where this is the only publisher"
        case .wrongRegion(_, let actual, _, _):
            actual.map { "give --region \(printable($0.utf8.prefix(60)))" }
                ?? "give the bucket's region with --region"
        case .denied(_, let action, let place, _): Self.permission(to: action, at: place)
        case .credentialsRefused(_, let code, _):
            code == "ExpiredToken"
                ? "log in again, then run the same command"
                : "check the access key, its secret, and that --endpoint is where they are from"
        case .clock: "set the clock, then run the same command again"
        case .noCredentials:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile with AWS_PROFILE"
        case .halfSet(let variable, _):
            "set \(variable) as the store gave it, or unset both variables to use a profile"
        case .noProfile: "check AWS_PROFILE and 's3.profile:'"
        case .badCredentialProcess: "run the command of the profile by hand and read its messages"
        case .noBucket: "check the name and --endpoint, or make the bucket; packtool does not"
        case .unencrypted: "use an https address; http is for this machine only"
        case .failed(_, let kind, _):
            switch kind {
            case .unreachable:
                "check --endpoint (without one it is Amazon's store), the network and https_proxy"
            case .proxy: HTTPFailure.proxyRemedy
            case .certificate:
                "check --endpoint; for a certificate authority of your own set SSL_CERT_FILE"
            case .tooSlow, .interrupted: "run the same command again: it continues where it stopped"
            case .flood: HTTPFailure.floodRemedy
            case .impossible: "check --endpoint and the installed libcurl"
            }
        case .gaveUp: "wait until the store works again, then run the same command"
        case .status(_, let status, let code, _, _) where status >= 500 && code.isEmpty:
            "ask whoever runs the store or the gateway before it, or wait; then run the same command again"
        case .status:
            "look for the code in the store's documentation, then run the same command again"
        case .full:
            "raise the bucket's quota, or let 'packtool prune' delete what no release needs; then run the same "
                + "command again: it continues where it stopped"
        case .redirected:
            "give --endpoint the address that the store has itself; credentials are sent nowhere else"
        case .notS3: "check --endpoint: it must be the S3 API, not a web page or console"
        case .tooLarge: "check the address: no file of an origin is so long at this place"
        case .uploadTooLarge:
            "exclude the largest files from the build ('exclude:' in packtool.yaml), or publish to a directory"
        case .damagedUpload:
            "check the store and every proxy or gateway between it and this machine (each upload carries its "
                + "Content-MD5); then run the same command again, which replaces the damaged file"
        case .outcomeUnknown: "run the same command again: it finds out and continues"
        }
    }

    /// Whether the error is unrelated to the file.
    package var isLocalOrTransient: Bool {
        if case .tooLarge = self { false } else { true }
    }

    package var meansAnotherContent: Bool { !isLocalOrTransient }

    package var meansDenial: Bool {
        if case .denied = self { true } else { false }
    }
}
