import Foundation
import PackGround
import PackURL
import TestSupport
import Testing

/// The cases of web-platform-tests; see `oracles/README.md` of the shared folder.
struct URLOracleTests {
    private struct Case {
        let input: String
        let base: String?
        let relativeTo: String?
        /// The expected members; empty for failure.
        let expected: [String: String]
        let fails: Bool

        init?(_ value: JSONValue) {
            // The strings between the cases are comments.
            guard case .object(let members) = value else { return nil }
            var texts: [String: String] = [:]
            for member in members {
                if case .string(let text) = member.value { texts[member.name] = text }
            }
            guard let input = texts["input"] else { return nil }
            self.input = input
            base = texts["base"]
            relativeTo = texts["relativeTo"]
            fails = members.contains { $0.name == "failure" && $0.value == .bool(true) }
            expected = texts.filter { Self.compared.contains($0.key) }
        }

        static let compared: Set<String> = [
            "href", "origin", "protocol", "username", "password", "host", "hostname", "port",
            "pathname", "search", "hash",
        ]

        /// Whether the result depends on the Unicode tables of UTS 46.
        var needsMapping: Bool { [input, base ?? ""].contains(where: Self.needsMapping) }

        /// True for a special scheme, and a host with a label in Punycode or outside ASCII.
        ///
        /// The host is percent-decoded first. Invalid UTF-8 and U+FFFD fail without tables.
        private static func needsMapping(_ text: String) -> Bool {
            guard let colon = text.firstIndex(of: ":") else { return false }
            let special = ["http", "https", "ws", "wss", "ftp", "file"]
            guard special.contains(text[..<colon].lowercased()) else { return false }
            let authority = text[text.index(after: colon)...].drop { $0 == "/" || $0 == "\\" }
                .prefix { !"/\\?#".contains($0) }
            let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            guard let decoded = String(host).removingPercentEncoding,
                !decoded.unicodeScalars.contains("\u{FFFD}")
            else { return false }
            return decoded.unicodeScalars.contains { !$0.isASCII }
                || decoded.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") }
        }
    }

    private static func components(_ url: URLRecord) -> [String: String] {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        let host = text(url.host?.serialized ?? [])
        let port = url.port.map(String.init) ?? ""
        return [
            "href": url.href,
            "origin": url.origin.serialized,
            "protocol": text(url.scheme) + ":",
            "username": text(url.username),
            "password": text(url.password),
            "hostname": host,
            "host": host + (port.isEmpty ? "" : ":" + port),
            "port": port,
            "pathname": text(url.path),
            "search": url.query.map { $0.isEmpty ? "" : "?" + text($0) } ?? "",
            "hash": url.fragment.map { $0.isEmpty ? "" : "#" + text($0) } ?? "",
        ]
    }

    private static func parse(_ input: String, base: String?) -> URLRecord? {
        guard let base else { return URLRecord.parse(input) }
        return URLRecord.parse(base).flatMap { URLRecord.parse(input, base: $0) }
    }

    @Test("every case of web-platform-tests that needs no IDNA mapping")
    func webPlatformTests() throws {
        let path = try SharedFolder.require("oracles/url/urltestdata.json")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        // The file contains no lone surrogates: a JSON escape of one would be refused here. Input
        // that is not UTF-8 is the equivalent for bytes; see 'bytesThatAreNotUTF8'.
        guard case .array(let values) = try JSONParser.parse(bytes) else {
            Issue.record("the oracle is no array")
            return
        }
        let cases = values.compactMap(Case.init)
        var excluded: [String] = []
        var run = 0
        var failed = 0
        for item in cases {
            if item.needsMapping {
                excluded.append(item.input)
                continue
            }
            run += 1
            let url = Self.parse(item.input, base: item.base)
            let found = url.map(Self.components) ?? [:]
            let isRight =
                item.fails
                ? url == nil : item.expected.allSatisfy { found[$0.key] == $0.value } && url != nil
            if !isRight { failed += 1 }
            #expect(isRight, "\(item): \(found)")
            // The meaning of 'relativeTo': the same input, with a base that has an opaque path.
            if item.relativeTo == "non-opaque-path-base" {
                #expect(Self.parse(item.input, base: "about:blank") == nil, "\(item)")
            }
        }
        print(
            "URL oracle: \(cases.count) cases, \(run) run, \(excluded.count) excluded (the host needs",
            "IDNA tables), \(failed) failed")
        print("URL oracle, excluded:", excluded.map { $0.debugDescription }.joined(separator: " "))
        #expect(cases.count == 869)
        #expect(run + excluded.count == cases.count)
        #expect(excluded.count <= 40)
        #expect(failed == 0)
    }

    @Test("serialising and parsing again changes nothing")
    func idempotent() throws {
        let path = try SharedFolder.require("oracles/url/urltestdata.json")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        guard case .array(let values) = try JSONParser.parse(bytes) else {
            Issue.record("no array in the oracle")
            return
        }
        var count = 0
        for item in values.compactMap(Case.init) {
            guard let url = Self.parse(item.input, base: item.base) else { continue }
            #expect(URLRecord.parse(url.serialized()) == url, "\(item.input.debugDescription)")
            count += 1
        }
        #expect(count > 500)
    }
}

extension URLOrigin {
    /// The form of `location.origin`: `null` for an opaque one.
    var serialized: String {
        guard case .tuple(let scheme, let host, let port) = self else { return "null" }
        let text = scheme + Array("://".utf8) + host.serialized
        return String(decoding: text, as: UTF8.self) + (port.map { ":\($0)" } ?? "")
    }
}
