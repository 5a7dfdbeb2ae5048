package import PackGround

/// The reason for a failed read from a web server.
package enum HTTPError: Remedied, Equatable, StorageFailure {
    case failed(place: String, HTTPFailure.Kind, reason: String)
    /// The run has no retries left.
    case gaveUp(place: String, retries: Int, reason: String)
    case status(place: String, status: Int, request: String?)
    /// The server answered with a page instead of the file.
    case pageForFile(place: String, request: String?)
    case transformed(place: String, encoding: String, request: String?)
    case tooLarge(place: String, limit: UInt64, request: String?)
    case redirected(place: String, to: String, problem: String)
    /// All addresses of the origin failed; `first` is the failure of the first one.
    indirect case everyAddress(count: Int, first: HTTPError)

    package var code: String {
        switch self {
        case .failed(_, let kind, _):
            switch kind {
            case .unreachable: "http.unreachable"
            case .proxy: "http.proxy"
            case .certificate: "http.certificate"
            case .tooSlow: "http.too-slow"
            case .interrupted: "http.interrupted"
            case .flood: "http.flood"
            case .impossible: "http.impossible"
            }
        case .gaveUp: "http.retries-exhausted"
        case .status: "http.status"
        case .pageForFile: "http.page-for-file"
        case .transformed: "http.transformed"
        case .tooLarge: "http.too-large"
        case .redirected: "http.redirect"
        case .everyAddress(_, let first): first.code
        }
    }

    package var description: String {
        switch self {
        case .failed(let place, let kind, let reason):
            switch kind {
            case .unreachable: "'\(place)' cannot be reached: \(reason)"
            case .proxy:
                "the proxy of https_proxy does not let a request for '\(place)' pass: \(reason)"
            case .certificate: "the server of '\(place)' does not prove who it is: \(reason)"
            case .tooSlow: "'\(place)' is too slow: \(reason)"
            case .interrupted: "the answer for '\(place)' was cut off: \(reason)"
            case .flood: "the answer for '\(place)' was stopped: \(reason)"
            case .impossible: "'\(place)' cannot be requested: \(reason)"
            }
        case .gaveUp(let place, let retries, let reason):
            "gave up at '\(place)' after \(counted(retries, "repeated request")): \(reason)"
        case .status(let place, let status, let request):
            "'\(place)' is answered with status \(status)\(Self.suffix(request))"
        case .pageForFile(let place, let request):
            "'\(place)' is answered with a web page instead of the file\(Self.suffix(request))"
        case .transformed(let place, let encoding, let request):
            """
            '\(place)' arrives with Content-Encoding \(printable(encoding.utf8.prefix(40))), which nobody \
            asked for\(Self.suffix(request))
            """
        case .tooLarge(let place, let limit, let request):
            "'\(place)' is longer than \(readableSize(limit))\(Self.suffix(request))"
        case .redirected(let place, let target, let problem):
            "'\(place)' redirects to '\(printable(withoutSecrets(target).utf8.prefix(300)))': \(problem)"
        case .everyAddress(let count, let first):
            "none of \(count) addresses has it; the first one: \(first)"
        }
    }

    private static func suffix(_ request: String?) -> String { request.map { " (\($0))" } ?? "" }

    package var unaffected: String? { "what is installed, and the origin: it was only read" }

    package var exitCode: ExitCode {
        switch self {
        case .pageForFile, .transformed, .tooLarge, .failed(_, .flood, _): .verification
        case .everyAddress(_, let first): first.exitCode
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .failed(_, let kind, _):
            switch kind {
            case .unreachable:
                "check the address, the network and https_proxy, or name another address with --mirror"
            case .proxy: HTTPFailure.proxyRemedy
            case .certificate:
                "check the address; for a certificate authority of your own give --ca-file"
            case .tooSlow, .interrupted:
                "run the same command again: it continues where it stopped; or give a --mirror"
            case .flood: HTTPFailure.floodRemedy
            case .impossible: "check the address and the installed libcurl"
            }
        case .gaveUp:
            "wait until the server works again, then run the same command; or give a --mirror"
        case .status(_, let status, _) where status == 401 || status == 407:
            "check user and password of the address or the proxy"
        case .status(_, let status, _) where status >= 500:
            "wait until the server works again, then run the same command"
        case .status: "look for the request in the server's log, then run the same command again"
        case .pageForFile:
            "check the address, and turn off the fallback to a page for missing files of this host"
        case .transformed: "turn off compression and rewriting for this path at the server or CDN"
        case .tooLarge: "check the address: no file of an origin is so long at this place"
        case .redirected: "give the address that the files have themselves"
        case .everyAddress(_, let first): first.remedy
        }
    }

    /// The server could not be reached, so the file may be intact.
    package var isLocalOrTransient: Bool {
        switch self {
        case .failed(_, .unreachable, _), .failed(_, .certificate, _), .failed(_, .impossible, _),
            .failed(_, .proxy, _),
            .gaveUp:
            true
        case .everyAddress(_, let first): first.isLocalOrTransient
        default: false
        }
    }

    /// The server's answer shows that the key has other content.
    package var meansAnotherContent: Bool {
        switch self {
        case .pageForFile, .transformed, .tooLarge: true
        case .everyAddress(_, let first): first.meansAnotherContent
        default: false
        }
    }
}
