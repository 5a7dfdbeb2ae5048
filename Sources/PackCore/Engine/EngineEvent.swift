import PackGround

/// An event of an engine's process: one line of JSON.
package struct EngineEvent: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The engine can open pages.
        case ready(version: String)
        /// The engine cannot be used: a missing library or program.
        case unusable(String)
        /// A request of the app's scheme, to be answered.
        case request(number: Int, url: String, method: String, range: String?)
        /// A message of the observer script.
        case message(String)
        /// A line of the console.
        case console(String)
        /// A request without an answer, of any scheme.
        case failed(url: String, reason: String)
        /// The view starts, commits or finishes a document.
        case load(state: String, url: String)
        /// A document of the view itself that could not be loaded.
        case unloaded(url: String, reason: String)
        /// The page's process ended.
        case crashed(String)
        /// The page opened a dialog: alert, confirm, prompt, beforeunload or print.
        case dialog(kind: String, text: String)
        /// The page opened a window.
        case window(url: String)
        /// A frame starts to navigate.
        case navigation(url: String)
        /// The page called `window.close()`.
        case closed
        /// The user closed the window.
        case left
        case download
        /// The value of a script.
        case value(number: Int, text: String?)
        /// A picture: the number of its colours, at most 4, and its file.
        case snapshot(number: Int, colours: Int?, path: String?)
    }

    /// The page's number; 0 if the event belongs to no page in particular.
    package let page: Int
    package let kind: Kind

    package init(_ kind: Kind, page: Int = 0) {
        self.page = page
        self.kind = kind
    }

    /// Reads a line; `nil` for an unknown event.
    ///
    /// - Throws: ``JSONShapeError`` or ``JSONError``.
    package init?(_ line: [UInt8]) throws {
        let object = try JSONObject(try JSONParser.parse(line))
        page = try object.optionalInteger("page", in: 0...Int(Int32.max)) ?? 0
        func text(_ name: String) throws -> String { try object.optionalString(name) ?? "" }
        func number() throws -> Int { try object.integer("number", in: 0...Int(Int32.max)) }
        switch try object.string("event") {
        case "ready": kind = .ready(version: try text("version"))
        case "unusable": kind = .unusable(try text("text"))
        case "request":
            kind = .request(
                number: try number(), url: try text("url"), method: try text("method"),
                range: try object.optionalString("range"))
        case "message": kind = .message(try text("text"))
        case "console": kind = .console(try text("text"))
        case "failed": kind = .failed(url: try text("url"), reason: try text("text"))
        case "load": kind = .load(state: try text("state"), url: try text("url"))
        case "unloaded": kind = .unloaded(url: try text("url"), reason: try text("text"))
        case "crashed": kind = .crashed(try text("text"))
        case "dialog": kind = .dialog(kind: try text("kind"), text: try text("text"))
        case "window": kind = .window(url: try text("url"))
        case "navigation": kind = .navigation(url: try text("url"))
        case "closed": kind = .closed
        case "left": kind = .left
        case "download": kind = .download
        case "value":
            kind = .value(number: try number(), text: try object.optionalString("text"))
        case "snapshot":
            kind = .snapshot(
                number: try number(), colours: Int(try text("colours")),
                path: try object.optionalString("path"))
        default: return nil
        }
    }
}
