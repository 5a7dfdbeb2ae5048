/// The names that identify references, and the tokens that must surround them.
extension JavaScriptReferenceCollector {
    /// Whether the token at an offset is this punctuator or name.
    func at(_ offset: Int, _ text: StaticString, _ source: Span<UInt8>) -> Bool {
        window[offset].is(text, in: source)
    }

    /// Whether the current name is a member of one of the objects through which scripts reach the
    /// page's own, or of none.
    func isGlobal(_ source: Span<UInt8>) -> Bool {
        guard at(-1, ".", source) || at(-1, "?.", source) else {
            return !at(-1, "function", source)
                && !window[0].traits.contains(.isMemberName)
        }
        return at(-2, "window", source) || at(-2, "self", source)
            || at(-2, "globalThis", source)
    }

    func isMember(of object: StaticString, _ source: Span<UInt8>) -> Bool {
        (at(-1, ".", source) || at(-1, "?.", source)) && at(-2, object, source)
    }

    mutating func name(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.start >= mapEnd else { return }
        switch source[token.start] {
        case UInt8(ascii: "a"): namesWithA(token, source)
        case UInt8(ascii: "b"):
            if token.is("baseURL", in: source), at(1, ":", source) || at(1, "=", source),
                isLiteral(2), !isOperand(2, source)
            {
                note(.ajaxBase, from: token.start, argument: 2, source)
            }
        case UInt8(ascii: "c"): namesWithC(token, source)
        case UInt8(ascii: "E"):
            if token.is("EventSource", in: source) { constructor(.eventSource, source) }
        case UInt8(ascii: "e"): if token.is("eval", in: source) { codeFromString(token, source) }
        case UInt8(ascii: "f"): if token.is("fetch", in: source) { fetch(token, source) }
        case UInt8(ascii: "F"):
            if token.is("Function", in: source) { codeFromString(token, source) }
        case UInt8(ascii: "g"):
            if token.is("getImageData", in: source) { canvasRead(token, source) }
            if token.is("geolocation", in: source), isMember(of: "navigator", source) {
                api(.secureContext, token, "geolocation")
            }
        case UInt8(ascii: "h"):
            if token.is("host", in: source) || token.is("hostname", in: source) {
                locationMember(token, source)
            }
        case UInt8(ascii: "i"):
            if token.is("importScripts", in: source), at(1, "(", source) {
                note(.importScripts, from: token.start, argument: 2, source)
            } else if token.is("indexedDB", in: source) {
                api(.storage, token, "indexedDB")
            }
        case UInt8(ascii: "l"):
            if token.is("localStorage", in: source) {
                api(.storage, token, "localStorage")
            } else if token.is("location", in: source) {
                location(token, source)
            }
        case UInt8(ascii: "m"):
            if token.is("mediaDevices", in: source), isMember(of: "navigator", source) {
                api(.secureContext, token, "mediaDevices")
            } else if token.is("miniCssF", in: source) {
                chunkMap(token, source, detail: "css")
            }
        case UInt8(ascii: "N"):
            if token.is("Notification", in: source),
                at(-1, "new", source) || at(2, "requestPermission", source)
            {
                api(.secureContext, token, "Notification")
            }
        case UInt8(ascii: "o"):
            if token.is("open", in: source) {
                open(token, source)
            } else if token.is("origin", in: source) {
                locationMember(token, source)
            }
        case UInt8(ascii: "p"): namesWithP(token, source)
        case UInt8(ascii: "r"): namesWithR(token, source)
        case UInt8(ascii: "s"): namesWithS(token, source)
        case UInt8(ascii: "S"):
            if token.is("SharedWorker", in: source) { constructor(.worker, source) }
        case UInt8(ascii: "t"):
            if token.is("toDataURL", in: source) || token.is("toBlob", in: source)
                || token.is("texImage2D", in: source)
            {
                canvasRead(token, source)
            }
        case UInt8(ascii: "U"): if token.is("URL", in: source) { newURL(token, source) }
        case UInt8(ascii: "w"): namesWithW(token, source)
        case UInt8(ascii: "W"):
            if token.is("WebSocket", in: source) { constructor(.webSocket, source) }
            if token.is("WebAssembly", in: source) { webAssembly(token, source) }
            if token.is("Worker", in: source) { constructor(.worker, source) }
        case UInt8(ascii: "_"): namesWithUnderscore(token, source)
        default: break
        }
    }

    private mutating func namesWithA(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("ajax", in: source), at(-1, ".", source), at(1, "(", source) {
            options(.ajax, from: token.start, object: 2, source)
        } else if token.is("axios", in: source) {
            if at(1, ".", source), at(3, "(", source) {
                let name = text(window[2], source)
                let verbs = ["get", "post", "put", "patch", "delete", "head"]
                if verbs.contains(name) {
                    note(
                        .ajax, from: token.start, argument: 4, source, detail: name.uppercased())
                }
            } else if at(1, "(", source) {
                if at(2, "{", source) {
                    options(.ajax, from: token.start, object: 2, source)
                } else if window[2].kind == .string {
                    note(.ajax, from: token.start, argument: 2, source, detail: "GET")
                }
            }
        }
    }

    private mutating func namesWithC(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("createElementNS", in: source) {
            if at(1, "(", source) { note(.namespace, from: token.start, argument: 2, source) }
        } else if token.is("cookie", in: source) {
            if isMember(of: "document", source) {
                api(.cookie, token, isAssignment(1, source) ? "write" : "read")
            }
        } else if token.is("createObjectURL", in: source) {
            objectURL(source)
        } else if token.is("caches", in: source) {
            if at(1, ".", source), isGlobal(source) { api(.storage, token, "caches") }
        } else if token.is("clipboard", in: source) {
            if isMember(of: "navigator", source) { api(.secureContext, token, "clipboard") }
        }
    }

    private mutating func namesWithP(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("pushState", in: source) {
            history(token, source)
        } else if token.is("protocol", in: source) {
            protocolName(token, source)
        } else if token.is("postMessage", in: source), at(1, "(", source),
            let target = argument(2, ofCallAt: 1, source), window[target].kind == .string
        {
            let value = String(decoding: value(window[target], source), as: UTF8.self)
            if value.contains("://") {
                note(.messageTarget, from: token.start, argument: target, source)
            }
        }
    }

    private mutating func namesWithR(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("replaceState", in: source) { history(token, source) }
        if token.is("register", in: source), isMember(of: "serviceWorker", source),
            at(1, "(", source)
        {
            note(
                .serviceWorker, from: token.start, argument: 2, source,
                isGuarded: isGuarded(source))
        }
    }

    private mutating func namesWithS(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("sendBeacon", in: source) {
            if at(1, "(", source) { note(.beacon, from: token.start, argument: 2, source) }
        } else if token.is("setAttributeNS", in: source) {
            if at(1, "(", source) { note(.namespace, from: token.start, argument: 2, source) }
        } else if token.is("sessionStorage", in: source) {
            api(.storage, token, "sessionStorage")
        } else if token.is("subtle", in: source), isMember(of: "crypto", source) {
            api(.secureContext, token, "crypto.subtle")
        } else if token.is("setTimeout", in: source) || token.is("setInterval", in: source) {
            if at(1, "(", source), isLiteral(2) { codeFromString(token, source) }
        }
    }

    private mutating func namesWithW(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("write", in: source) || token.is("writeln", in: source),
            isMember(of: "document", source), at(1, "(", source)
        {
            note(.documentWrite, from: token.start, argument: 2, source)
        } else if token.end &- token.start >= 12,
            source.extracting(token.range).holds("webpackChunk", at: 0)
                || source.extracting(token.range).holds("webpackJsonp", at: 0)
        {
            sawChunkGlobal = true
        }
    }

    private mutating func namesWithUnderscore(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("__vite__mapDeps", in: source) {
            // The list is the first array of strings after the name where it is defined.
            guard at(1, "=", source) || at(1, ".", source) || at(-1, "function", source) else {
                return
            }
            for offset in 1...40 where at(offset, "[", source) {
                if window[offset + 1].kind == .string { startPreloadList() }
                return
            }
        } else if token.is("__webpack_public_path__", in: source), at(1, "=", source) {
            note(.publicPath, from: token.start, argument: 2, source, detail: "webpack")
        } else if token.is("__webpack_require__", in: source) {
            sawChunkGlobal = true
        }
    }

    /// `n.p = …` and `n.u = …` of webpack's runtime.
    mutating func shortName(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.end &- token.start == 1, at(1, "=", source), at(-1, ".", source),
            window[-2].kind == .identifier, token.start >= mapEnd
        else { return }
        if source[token.start] == UInt8(ascii: "u") {
            chunkMap(token, source, detail: "js")
        } else if source[token.start] == UInt8(ascii: "p") {
            publicPath(token, source)
        }
    }

    func text(_ token: JavaScriptToken, _ source: Span<UInt8>) -> String {
        String(decoding: token.range.map { source[$0] }, as: UTF8.self)
    }

    func isAssignment(_ offset: Int, _ source: Span<UInt8>) -> Bool {
        at(offset, "=", source) || at(offset, "+=", source)
    }

    mutating func api(
        _ kind: JavaScriptReference.Kind, _ token: JavaScriptToken, _ detail: String
    ) {
        note(
            JavaScriptReference(
                kind, range: token.range, expression: token.range, detail: detail))
    }

    private mutating func canvasRead(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard at(-1, ".", source), at(1, "(", source) else { return }
        api(.canvasRead, token, text(token, source))
    }
}
