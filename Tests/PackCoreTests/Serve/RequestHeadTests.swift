import PackOrigin
import PackServe
import TestSupport
import Testing

struct RequestHeadTests {
    /// The request heads read from pieces, and the final rejection.
    private func read(_ pieces: [[UInt8]]) -> (heads: [RequestHead], refusal: RequestRefusal?) {
        var reader = RequestHeadReader()
        var heads: [RequestHead] = []
        do {
            for piece in pieces {
                reader.add(piece)
                while let head = try reader.next() { heads.append(head) }
            }
        } catch {
            return (heads, error)
        }
        return (heads, nil)
    }

    private func read(_ text: String) -> (heads: [RequestHead], refusal: RequestRefusal?) {
        read([Array(text.utf8)])
    }

    @Test func aHeadIsReadWithItsFields() throws {
        let found = read(
            "GET /a?b=c HTTP/1.1\r\nHost: localhost:8080\r\nRange:bytes=0-1\t\r\nX: \r\nAccept: a\r\n"
                + "accept:  b c \r\n\r\n")
        let head = try #require(found.heads.first)
        #expect(head.request.method == "GET" && head.request.target == "/a?b=c")
        #expect(
            head.request.fields == [
                "host": "localhost:8080", "range": "bytes=0-1", "x": "", "accept": "a, b c",
            ])
        #expect(head.isPersistent && !head.hasBody)
        #expect(found.heads.count == 1 && found.refusal == nil)
    }

    private static let soundTable: [(String, String, Bool, Bool)] = [
        ("GET / HTTP/1.1\r\nHost:\r\n\r\n", "/", true, false),
        ("\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "/", true, false),
        ("GET / HTTP/1.0\r\n\r\n", "/", false, false),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "/", true, false),
        ("GET / HTTP/1.9\r\nHost: h\r\nConnection: x, Close\r\n\r\n", "/", false, false),
        ("GET / HTTP/1.1\r\nHost: h\r\nConnection: closed\r\n\r\n", "/", true, false),
        ("GET http://h/a?b HTTP/1.1\r\nHost: h\r\n\r\n", "/a?b", true, false),
        ("GET HTTPS://h:1?b HTTP/1.1\r\nHost: h\r\n\r\n", "/?b", true, false),
        ("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", "/", true, false),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "*", true, false),
        ("CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n", "h:1", true, false),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 00\r\n\r\n", "/", true, false),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n", "/", true, true),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", "/", true,
            true
        ),
        ("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "/", true, true),
    ]

    @Test(arguments: soundTable) func sound(
        _ text: String, _ target: String, _ stays: Bool, _ body: Bool
    )
        throws
    {
        let found = read(text)
        let head = try #require(found.heads.first, "\(String(describing: found.refusal))")
        #expect(head.request.target == target)
        #expect(head.isPersistent == stays)
        #expect(head.hasBody == body)
    }

    private static let refusedTable: [(String, Int)] = [
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: h\n\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nx: a\rb\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\tfolded: x\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nnothing\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nx: \u{0}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nx: \u{7F}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: é\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n", 400),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
            400
        ),
        ("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400),
        ("GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
        (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("G@T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET x HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET /# HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /é HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET http:/// HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET http://?a HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("GET / http/1.1\r\nHost: h\r\n\r\n", 400), ("GET / HTTP/11\r\nHost: h\r\n\r\n", 400),
        ("GET / HTTP/1.10\r\nHost: h\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET / HTTP/0.9\r\n\r\n", 505),
    ]

    @Test(arguments: refusedTable) func refused(_ text: String, _ status: Int) {
        let found = read(text)
        #expect(found.heads.isEmpty)
        #expect(found.refusal?.status == status, "\(String(describing: found.refusal))")
    }

    @Test func lengthsHaveExactBounds() {
        func line(_ count: Int) -> String {
            "GET /\(String(repeating: "x", count: count - 14)) HTTP/1.1\r\nHost: h\r\n\r\n"
        }
        #expect(read(line(RequestHeadReader.lineLimit)).heads.count == 1)
        #expect(read(line(RequestHeadReader.lineLimit + 1)).refusal?.status == 414)
        func head(_ count: Int) -> String {
            let start = "GET / HTTP/1.1\r\nHost: h\r\nx: "
            return start + String(repeating: "y", count: count - start.utf8.count - 4) + "\r\n\r\n"
        }
        #expect(read(head(RequestHeadReader.headLimit)).heads.count == 1)
        #expect(read(head(RequestHeadReader.headLimit + 1)).refusal?.status == 431)
        func fields(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "x: y\r\n", count: count - 1)
                + "\r\n"
        }
        #expect(read(fields(RequestHeadReader.fieldLimit)).heads.count == 1)
        #expect(read(fields(RequestHeadReader.fieldLimit + 1)).refusal?.status == 431)
    }

    /// An oversized request is rejected before all of it has arrived.
    @Test func nothingEndlessIsKept() {
        for start in ["", "GET / HTTP/1.1\r\nHost: h\r\nx: "] {
            var reader = RequestHeadReader()
            var piece = Array(start.utf8)
            #expect(throws: RequestRefusal.self) {
                for _ in 0..<17 {
                    reader.add(piece)
                    _ = try reader.next()
                    piece = [UInt8](repeating: 0x78, count: 1024)
                }
            }
        }
    }

    @Test func requestsFollowEachOther() {
        let one = "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n"
        let found = read(String(repeating: one, count: 3) + "\r\nHEAD /2 HTTP/1.0\r\n\r\nx\r\n")
        #expect(found.heads.map(\.request.target) == ["/1", "/1", "/1", "/2"])
        #expect(found.refusal?.status == 400)
    }

    /// The result does not depend on how the bytes are split.
    @Test func piecesDoNotMatter() {
        let texts =
            Self.soundTable.map(\.0) + Self.refusedTable.map(\.0) + [
                "GET /\(String(repeating: "x", count: 9000)) HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\n"
                    + String(repeating: "x: \(String(repeating: "y", count: 900))\r\n", count: 20),
            ]
        var noise = Noise(seed: 5)
        for text in texts {
            let bytes = Array((text + "GET / HTTP/1.1\r\nHost: h\r\n\r\n").utf8)
            let whole = read([bytes])
            let single = read(bytes.map { [$0] })
            #expect(single.heads == whole.heads && single.refusal == whole.refusal)
            for _ in 0..<20 {
                let one = Int.random(in: 0...bytes.count, using: &noise)
                let two = Int.random(in: one...bytes.count, using: &noise)
                let pieces = [bytes[..<one], bytes[one..<two], bytes[two...]].map(Array.init)
                let found = read(pieces)
                #expect(found.heads == whole.heads && found.refusal == whole.refusal)
            }
        }
    }

    @Test func aSentHeadHasOneLineAField() {
        let answer = ServeAnswer(
            status: 302,
            fields: [HTTPHeader("Location", "/a\r\nSet-Cookie: x"), HTTPHeader("X", "y")],
            body: .none, length: 0)
        let text = String(decoding: answer.head(isPersistent: false, now: 0), as: UTF8.self)
        #expect(
            text == "HTTP/1.1 302 Found\r\nX: y\r\nContent-Length: 0\r\n"
                + "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: close\r\n\r\n")
    }
}
