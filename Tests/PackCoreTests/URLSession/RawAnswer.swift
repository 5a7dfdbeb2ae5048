import PackOrigin
import Testing

/// The bytes of an answer, and how transports understand them.
struct RawAnswer: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let expected: Outcome
    /// The result of URLSession, if it differs.
    let differing: Outcome?

    init(_ name: String, _ text: String, _ expected: Outcome, urlSession: Outcome? = nil) {
        self.init(name, Array(text.utf8), expected, urlSession: urlSession)
    }

    init(_ name: String, _ bytes: [UInt8], _ expected: Outcome, urlSession: Outcome? = nil) {
        (self.name, self.bytes, self.expected, differing) = (name, bytes, expected, urlSession)
    }

    var testDescription: String { name }

    func expected(of engine: Engine) -> Outcome {
        engine == .urlSession ? differing ?? expected : expected
    }

    private static let cut = Outcome(failure: .interrupted)
    private static let ok = Outcome(status: 200, text: "hi")
    /// "hello" as gzip.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10,
        0x36, 5,
        0, 0, 0,
    ]

    static let all: [RawAnswer] = [
        RawAnswer("a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", ok),
        RawAnswer("no length", "HTTP/1.0 200 OK\r\n\r\nhi", ok),
        RawAnswer(
            "chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", ok
        ),
        RawAnswer(
            "chunk extensions",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n", ok),
        RawAnswer(
            "a folded header", "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 2\r\n\r\nhi", ok),
        RawAnswer(
            "early hints",
            "HTTP/1.1 103 X\r\nX-A: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", ok),
        RawAnswer("nothing but hints", "HTTP/1.1 100 Continue\r\n\r\n", cut),
        RawAnswer(
            "an error", "HTTP/1.1 503 X\r\nContent-Length: 2\r\n\r\nhi",
            Outcome(status: 503, text: "hi")),
        RawAnswer("not modified", "HTTP/1.1 304 X\r\nETag: \"a\"\r\n\r\n", Outcome(status: 304)),
        RawAnswer(
            "a redirect", "HTTP/1.1 302 X\r\nLocation: /y\r\nContent-Length: 2\r\n\r\nhi",
            Outcome(status: 302, text: "hi")),
        // Foundation on Linux receives its content, and passes none of it on.
        RawAnswer(
            "a redirect to nowhere", "HTTP/1.1 302 X\r\nContent-Length: 2\r\n\r\nhi",
            Outcome(status: 302, text: "hi"), urlSession: Outcome(status: 302)),
        RawAnswer(
            "a redirect to a file",
            "HTTP/1.1 301 X\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            Outcome(status: 301)),
        RawAnswer(
            "a demand for a password",
            "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 2\r\n\r\nhi",
            Outcome(status: 401, text: "hi")),
        RawAnswer(
            "another demand",
            "HTTP/1.1 401 X\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n"
                + "Content-Length: 2\r\n\r\nhi", Outcome(status: 401, text: "hi")),
        // The store sees `Content-Encoding` and refuses both.
        RawAnswer(
            "gzip",
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n".utf8)
                + gzip,
            Outcome(status: 200, text: String(decoding: gzip, as: UTF8.self)),
            urlSession: Outcome(status: 200, text: "hello")),
        RawAnswer("a short body", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi", cut),
        RawAnswer(
            "a cut chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nhi", cut),
        RawAnswer("no answer", "", cut),
        RawAnswer("no HTTP", "hi there\r\n\r\n", Outcome(failure: .impossible)),
        RawAnswer(
            "too many headers",
            "HTTP/1.1 200 OK\r\n"
                + String(repeating: "X-A: \(String(repeating: "a", count: 4000))\r\n", count: 100)
                + "\r\n", cut),
        // Foundation on Linux reads headers more strictly, until Swift 6.4.
        RawAnswer("no space", "HTTP/1.1 200 OK\r\nContent-Length:2\r\n\r\nhi", ok, urlSession: cut),
        RawAnswer("no reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi", ok, urlSession: cut),
        RawAnswer(
            "other bytes",
            Array("HTTP/1.1 200 OK\r\nX-A: ".utf8) + [0xFF]
                + Array("\r\nContent-Length: 2\r\n\r\nhi".utf8), ok, urlSession: cut),
    ]
}
