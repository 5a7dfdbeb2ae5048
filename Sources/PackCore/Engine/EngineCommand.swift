package import PackGround

/// A command to an engine's process: one line of JSON.
///
/// An engine opens addresses, asks how each request of the app's scheme is answered, and reports
/// ``EngineEvent`` values. WebKitGTK is the only one; another browser needs a process with the same
/// lines.
package enum EngineCommand: Equatable, Sendable {
    /// Opens a page in a fresh view; `page` is the number in its events.
    case visit(page: Int, url: String, width: Int, height: Int)
    /// Runs a script in the page; its value is an event with the same number.
    case evaluate(number: Int, script: String)
    /// Writes a picture of the visible part to a PNG file.
    case snapshot(number: Int, path: String)
    /// Answers a request.
    case answer(number: Int, HandlerAnswer)
    /// Adds a line to the list of requests in the window.
    case list(String)
    case clearList
    case quit

    /// The line without its end.
    package var json: JSONValue {
        switch self {
        case .visit(let page, let url, let width, let height):
            .members([
                "do": .string("open"), "page": .integer(page), "url": .string(url),
                "width": .integer(width), "height": .integer(height),
            ])
        case .evaluate(let number, let script):
            .members([
                "do": .string("evaluate"), "number": .integer(number), "text": .string(script),
            ])
        case .snapshot(let number, let path):
            .members([
                "do": .string("snapshot"), "number": .integer(number), "text": .string(path),
            ])
        case .answer(let number, let answer):
            .members([
                "do": .string("answer"), "number": .integer(number),
                "file": answer.file.map { .string($0) },
                "reason": answer.reason.map { .string($0) },
                "type": .string(answer.type), "status": .integer(answer.status),
                "range": answer.range.map { .string($0) },
                "cors": .bool(answer.sendsCORS),
            ])
        case .list(let text): .members(["do": .string("list"), "text": .string(text)])
        case .clearList: .members(["do": .string("list")])
        case .quit: .members(["do": .string("quit")])
        }
    }

    /// Reads a line.
    ///
    /// - Throws: ``JSONShapeError`` or ``JSONError``.
    package init(_ line: [UInt8]) throws {
        let object = try JSONObject(try JSONParser.parse(line))
        let numbers = 0...Int(Int32.max)
        switch try object.string("do") {
        case "open":
            self = .visit(
                page: try object.integer("page", in: numbers), url: try object.string("url"),
                width: try object.integer("width", in: 1...8192),
                height: try object.integer("height", in: 1...8192))
        case "evaluate":
            self = .evaluate(
                number: try object.integer("number", in: numbers),
                script: try object.string("text"))
        case "snapshot":
            self = .snapshot(
                number: try object.integer("number", in: numbers), path: try object.string("text"))
        case "answer":
            self = .answer(
                number: try object.integer("number", in: numbers),
                HandlerAnswer(
                    file: try object.optionalString("file"),
                    reason: try object.optionalString("reason"), type: try object.string("type"),
                    status: try object.integer("status", in: 0...599),
                    range: try object.optionalString("range"),
                    sendsCORS: try object.bool("cors")))
        case "list": self = try object.optionalString("text").map { .list($0) } ?? .clearList
        case "quit": self = .quit
        default: throw object.error("do", "is not a command")
        }
    }
}
