package import PackGround
import PackURL

/// The http or https address of an origin; keys are relative to it.
package struct HTTPAddress: Hashable, Sendable {
    /// Without fragment; its path does not end with a slash.
    private let record: URLRecord

    /// - Throws: ``Failure``.
    package init(_ text: String) throws(Failure) {
        func refuse(_ problem: String) -> Failure {
            Failure.invalidArgument(
                kind: "origin", word: text, problem: problem,
                example: "https://cdn.example.com/shop")
        }
        guard Self.isHTTP(text), var record = URLRecord.parse(text), record.host != nil else {
            throw refuse("is not an http or https address")
        }
        guard record.fragment == nil else { throw refuse("has a fragment, which no server gets") }
        if record.host?.inLowerCase.contains(where: { $0 >= 0x80 }) == true {
            throw refuse("has a host name in Unicode; write the name that begins with 'xn--'")
        }
        if record.hasCredentials, record.scheme.elementsEqual("http".utf8),
            record.host?.isLoopback != true
        {
            throw refuse("would send its password unencrypted; use https")
        }
        while record.path.last == UInt8(ascii: "/") { record.path.removeLast() }
        self.record = record
    }

    /// Whether a text is an http or https address, valid or not.
    package static func isHTTP(_ text: String) -> Bool {
        let start = text.utf8.prefix(8).map { $0 | 0x20 }
        return start.starts(with: "http:".utf8) || start.starts(with: "https:".utf8)
    }

    /// The host of an http or https address, without its port; `nil` for other texts.
    package static func hostName(of text: String) -> String? {
        guard isHTTP(text), let host = URLRecord.parse(text)?.host else { return nil }
        return String(decoding: host.inLowerCase, as: UTF8.self)
    }

    /// The address without secrets.
    package var shown: String { withoutSecrets(record.href) }

    /// The address of a key, without secrets.
    package func display(_ path: String) -> String {
        path.isEmpty ? shown : withoutSecrets(url(of: path))
    }

    /// The request URL of a key.
    ///
    /// - Parameter token: A unique text that bypasses all caches.
    package func url(of path: String, pastCaches token: String? = nil) -> String {
        var record = record
        record.path.append(UInt8(ascii: "/"))
        for byte in path.utf8 {
            if Self.isPlain(byte) {
                record.path.append(byte)
            } else {
                record.path.append(UInt8(ascii: "%"))
                record.path += hexadecimal([byte]).uppercased().utf8
            }
        }
        if let token {
            var query = record.query ?? []
            if !query.isEmpty { query.append(UInt8(ascii: "&")) }
            record.query = query + "packtool=\(token)".utf8
        }
        return record.href
    }

    /// The scheme and host of a redirect to another host, without secrets; `nil` for the same host.
    package func otherHost(of location: String) -> String? {
        if let other = URLRecord.parse(location, base: record), other.host == record.host {
            return nil
        }
        return host(of: location)
    }

    /// The scheme and host of a redirect, without secrets.
    package func host(of location: String) -> String {
        guard var other = URLRecord.parse(location, base: record), other.host != nil else {
            return printable(withoutSecrets(location).utf8.prefix(200))
        }
        (other.username, other.password) = ([], [])
        (other.path, other.query, other.fragment) = ([], nil, nil)
        return printable(other.href.utf8.prefix(200))
    }

    /// Whether a web origin is that of this address.
    package func isOrigin(_ text: String) -> Bool {
        guard let other = URLRecord.parse(text) else { return false }
        return other.scheme == record.scheme && other.host == record.host
            && other.port == record.port
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || "/-._~".utf8.contains(byte)
    }
}

/// The target of a redirect.
enum HTTPRedirect {
    /// The next request URL.
    ///
    /// User information is not passed to another host. - Throws:
    /// ``Failure/httpRedirected(path:to:problem:)``.
    static func target(of head: HTTPHead, from url: String, path: String) throws -> String {
        let location = head["location"] ?? ""
        let refuse = { (problem: String) in
            Failure.httpRedirected(path: path, to: location, problem: problem)
        }
        guard !location.isEmpty, let base = URLRecord.parse(url),
            var target = URLRecord.parse(location, base: base), target.host != nil,
            target.scheme.elementsEqual("https".utf8) || target.scheme.elementsEqual("http".utf8)
        else { throw refuse("that is no http address") }
        if base.scheme.elementsEqual("https".utf8), !target.scheme.elementsEqual("https".utf8) {
            throw refuse("from https to unencrypted http")
        }
        target.fragment = nil
        target.username = []
        target.password = []
        if target.host == base.host, target.port == base.port, target.scheme == base.scheme {
            target.username = base.username
            target.password = base.password
        }
        return target.href
    }
}
