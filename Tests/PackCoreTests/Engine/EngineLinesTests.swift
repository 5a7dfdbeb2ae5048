import PackEngine
import PackGround
import Testing

/// The lines between packtool and an engine's process.
struct EngineLinesTests {
    static let commands: [EngineCommand] = [
        .visit(page: 3, url: "customscheme://shop/a b\n\"", width: 390, height: 700),
        .evaluate(number: 2, script: "1 < 2 && \"a\"\n"), .snapshot(number: 0, path: "/tmp/ü.png"),
        .answer(
            number: 7,
            HandlerAnswer(
                file: "a.js", type: "text/javascript", status: 200, range: "bytes=0-",
                sendsCORS: true)),
        .answer(number: 8, HandlerAnswer(reason: "not in the package")), .list("a"), .clearList,
        .quit,
    ]

    @Test(arguments: commands) func aCommandIsOneLineAndIsReadBack(_ command: EngineCommand) throws
    {
        let line = JSONWriter.line(command.json)
        #expect(!line.contains(UInt8(ascii: "\n")))
        #expect(try EngineCommand(line) == command)
    }

    @Test(arguments: ["{}", "{\"do\":\"erase\"}", "{\"do\":\"open\",\"page\":-1}", "open"])
    func otherCommandsAreRefused(_ line: String) {
        #expect(throws: (any Error).self) { try EngineCommand(Array(line.utf8)) }
    }

    @Test func readsEvents() throws {
        func event(_ text: String) throws -> EngineEvent? { try EngineEvent(Array(text.utf8)) }
        #expect(
            try event(#"{"event":"request","page":2,"number":5,"url":"a:b","method":"GET"}"#)
                == EngineEvent(
                    .request(number: 5, url: "a:b", method: "GET", range: nil), page: 2))
        #expect(
            try event(#"{"event":"snapshot","page":1,"number":0,"colours":"4","path":"/p"}"#)
                == EngineEvent(.snapshot(number: 0, colours: 4, path: "/p"), page: 1))
        #expect(
            try event(#"{"event":"snapshot","page":1,"number":0}"#)?.kind
                == .snapshot(number: 0, colours: nil, path: nil))
        #expect(try event(#"{"event":"tomorrow"}"#) == nil)
        #expect(throws: (any Error).self) { try event("{\"event\":") }
    }
}
