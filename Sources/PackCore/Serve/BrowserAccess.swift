import PackGround
import PackOrigin
import PackURL

/// Decides which browser requests a server accepts, and which pages may read the responses.
///
/// Otherwise any page in a developer's browser could read an unpublished build: by `fetch()`, or by
/// a host name that resolves to this machine (DNS rebinding).
package struct BrowserAccess: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>

    /// Creates the policy.
    ///
    /// - Parameters:
    ///   - hosts: Host names of this server, besides `localhost` and IP addresses. Pages must not
    ///     be able to obtain these names.
    ///   - origins: Web origins whose pages may read the responses, such as
    ///     `customscheme://shop.example.com`.
    package init(hosts: [String] = [], origins: [String] = []) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
    }

    /// The reason to refuse a request; `nil` to accept it.
    package func refusal(of request: ServeRequest) -> RequestRefusal? {
        let host = request.fields["host"]?.lowercased()
        if let host, !isOwn(host) {
            let name = printable(host.utf8.prefix(200))
            return RequestRefusal(
                421,
                "the host '\(name)' is not known; if it leads to this server, start it with --allow-host NAME"
            )
        }
        guard let origin = request.fields["origin"]?.lowercased(), !origins.contains(origin),
            origin != host.map({ "http://\($0)" })
        else { return nil }
        let name = printable(origin.utf8.prefix(200))
        return RequestRefusal(
            403,
            "pages of '\(name)' may not read this; if they are your app's, start the server with --allow-origin \(name)"
        )
    }

    private func isOwn(_ host: String) -> Bool {
        switch URLRecord.parse("http://\(host)/")?.host {
        case .ipv4, .ipv6: true
        case .domain(let name):
            name.elementsEqual("localhost".utf8)
                || hosts.contains(String(decoding: name, as: UTF8.self))
        default: false
        }
    }

    /// Adds the headers to a response that let permitted pages read it.
    package func opened(_ answer: ServeAnswer, for request: ServeRequest) -> ServeAnswer {
        var answer = answer
        guard !origins.isEmpty else {
            answer.fields.append(HTTPHeader("Cross-Origin-Resource-Policy", "same-origin"))
            return answer
        }
        answer.fields.append(HTTPHeader("Vary", "Origin"))
        if let origin = request.fields["origin"], origins.contains(origin.lowercased()) {
            answer.fields += [
                HTTPHeader("Access-Control-Allow-Origin", origin),
                HTTPHeader("Access-Control-Expose-Headers", "ETag, Content-Range"),
            ]
        }
        return answer
    }
}
