/// The head of a request: its first line and its fields.
package struct RequestHead: Equatable, Sendable {
    package let request: ServeRequest
    /// Whether the client may send another request on the connection.
    package let isPersistent: Bool
    /// Whether content follows the head; this server does not read content.
    package let hasBody: Bool
}

/// The reason for rejecting a head.
package struct RequestRefusal: Error, Equatable, Sendable {
    /// The status of the response: 400, 403, 414, 421, 431 or 505.
    package let status: Int
    package let reason: String

    package init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    static func malformed(_ reason: String) -> RequestRefusal { RequestRefusal(400, reason) }

    /// A short text; the connection is closed after it.
    package var answer: ServeAnswer { ServeAnswer(status, reason, FileAnswer.common) }
}

/// The part of a head read so far (RFC 9112, sections 3 and 5, and RFC 9110, section 5).
///
/// Invalid syntax is never repaired: if two readers repair it differently, an attacker can smuggle
/// a second request.
struct RequestDraft: Sendable {
    private let method: String
    private let target: String
    /// Whether the version is 1.1 or a later 1.x.
    private let isModern: Bool
    private var fields: [String: String] = [:]
    private var count = 0

    // MARK: The first line

    init(requestLine line: ArraySlice<UInt8>) throws(RequestRefusal) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .malformed("the first line is not a method, a target and a version")
        }
        guard Self.isToken(parts[0]) else { throw .malformed("the method is not a word") }
        guard !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed("the target has bytes that have to be percent-encoded")
        }
        guard !parts[1].contains(UInt8(ascii: "#")) else {
            throw .malformed("the target has a fragment")
        }
        isModern = try Self.isModern(parts[2])
        method = String(decoding: parts[0], as: UTF8.self)
        target = try Self.origin(String(decoding: parts[1], as: UTF8.self), for: method)
    }

    private static func isModern(_ version: ArraySlice<UInt8>) throws(RequestRefusal) -> Bool {
        let bytes = Array(version)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[6] == UInt8(ascii: "."),
            digits.contains(bytes[5]), digits.contains(bytes[7])
        else { throw .malformed("the first line does not end with a version of HTTP") }
        guard bytes[5] == UInt8(ascii: "1") else {
            throw RequestRefusal(505, "HTTP/1.1 is answered")
        }
        return bytes[7] != UInt8(ascii: "0")
    }

    /// Extracts path and query; the form that proxies receive, `http://host/path`, is equivalent.
    private static func origin(
        _ target: String, for method: String
    ) throws(RequestRefusal) -> String {
        if target.hasPrefix("/") { return target }
        let lower = target.lowercased()
        for scheme in ["http://", "https://"] where lower.hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            let path = rest.drop { $0 != "/" && $0 != "?" }
            guard path.startIndex > rest.startIndex else { break }
            return path.hasPrefix("/") ? String(path) : "/\(path)"
        }
        // '*' and 'host:port' are for methods that are refused elsewhere.
        guard method != "GET", method != "HEAD" else {
            throw .malformed("the target does not begin with '/'")
        }
        return target
    }

    // MARK: Fields

    mutating func add(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
        guard let first = line.first, !Self.isBlank(first) else {
            throw .malformed("a line continues the field before it")
        }
        count += 1
        guard count <= RequestHeadReader.fieldLimit else {
            throw RequestRefusal(431, "more than \(RequestHeadReader.fieldLimit) fields")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), Self.isToken(line[..<colon])
        else { throw .malformed("a line is not a field's name, a colon and a value") }
        let text = line[(colon + 1)...].drop(while: Self.isBlank)
        let value = text[..<((text.lastIndex { !Self.isBlank($0) } ?? text.startIndex - 1) + 1)]
        guard value.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw .malformed("a field's value has control characters")
        }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let content = String(decoding: value, as: UTF8.self)
        guard let before = fields[name] else {
            fields[name] = content
            return
        }
        switch name {
        case "host", "content-length", "transfer-encoding":
            throw .malformed("the field '\(name)' appears twice")
        default: fields[name] = "\(before), \(content)"
        }
    }

    /// The completed head.
    func head() throws(RequestRefusal) -> RequestHead {
        if let host = fields["host"] {
            guard host.utf8.allSatisfy(Self.isHost) else { throw .malformed("'Host' is no host") }
        } else if isModern {
            throw .malformed("there is no field 'Host'")
        }
        var hasBody = false
        if let length = fields["content-length"] {
            guard !length.isEmpty,
                length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { throw .malformed("'Content-Length' is no number") }
            hasBody = length.utf8.contains { $0 != UInt8(ascii: "0") }
        }
        if fields["transfer-encoding"] != nil {
            guard fields["content-length"] == nil, isModern else {
                throw .malformed("'Transfer-Encoding' contradicts the rest of the head")
            }
            hasBody = true
        }
        let options = (fields["connection"] ?? "").lowercased().split(separator: ",")
            .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } }
        let isPersistent =
            !options.contains("close") && (isModern || options.contains("keep-alive"))
        return RequestHead(
            request: ServeRequest(method: method, target: target, fields: fields),
            isPersistent: isPersistent, hasBody: hasBody)
    }

    // MARK: Bytes

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// A token of RFC 9110, section 5.6.2.
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// Whether a host and a port may contain a byte (RFC 3986, section 3.2.2).
    private static func isHost(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~!$&'()*+,;=%:[]".utf8.contains(byte)
    }
}
