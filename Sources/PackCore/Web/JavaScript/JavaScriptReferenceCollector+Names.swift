/// The names that identify references, and the tokens required around them.
extension JavaScriptReferenceCollector {
    mutating func name(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        guard token.start >= mapEnd else { return }
        switch source[token.start] {
        case UInt8(ascii: "a"): namesWithA(token, source)
        case UInt8(ascii: "A"):
            if token.is("Audio", in: source), at(-1, "new", source) { assetCall(token, source) }
            functionConstructor(token, source)
        case UInt8(ascii: "b"):
            if token.is("baseURL", in: source), at(1, ":", source) || at(1, "=", source),
                isLiteral(2), !isOperand(2, source)
            {
                note(.ajaxBase, from: token.start, argument: 2, source)
                if at(-2, "defaults", source), at(1, "=", source), window[2].kind == .string {
                    instances.set(Array("axios".utf8), value(window[2], source))
                }
            }
        case UInt8(ascii: "c"): namesWithC(token, source)
        case UInt8(ascii: "E"):
            if token.is("EventSource", in: source) { constructor(.eventSource, source) }
        case UInt8(ascii: "e"): if token.is("eval", in: source) { codeFromString(token, source) }
        case UInt8(ascii: "f"):
            if token.is("fetch", in: source) {
                fetch(token, source)
            } else if token.is("fallbackLng", in: source) {
                fallbackLanguage(source)
            } else {
                buildFile(token, source)
            }
        case UInt8(ascii: "F"):
            if token.is("Function", in: source) { codeFromString(token, source) }
        case UInt8(ascii: "G"):
            functionConstructor(token, source)
            if token.is("GODOT_THREADS_ENABLED", in: source) { godotThreads(token, source) }
        case UInt8(ascii: "d"):
            if token.is("define", in: source) {
                defineName(token, source)
            } else {
                dataSet(token, source)
                buildFile(token, source)
            }
        case UInt8(ascii: "g"):
            if token.is("getImageData", in: source) { canvasRead(token, source) }
            if token.is("geolocation", in: source), isMember(of: "navigator", source) {
                secureContext(token, ["geolocation"], source)
            } else if token.is("get", in: source) || token.is("getJSON", in: source)
                || token.is("getScript", in: source)
            {
                jQueryShorthand(token, source, "GET")
                instanceCall(token, source)
                clientCall(token, source)
            }
        case UInt8(ascii: "h"):
            if token.is("host", in: source) || token.is("hostname", in: source) {
                locationMember(token, source)
            } else if token.is("href", in: source) {
                hypertextReference(token, source)
            }
        case UInt8(ascii: "i"):
            if token.is("importScripts", in: source) {
                importScripts(token, source)
            } else if token.is("indexedDB", in: source) {
                api(.storage, token, "indexedDB")
            }
        case UInt8(ascii: "l"):
            if token.is("localStorage", in: source) {
                api(.storage, token, "localStorage")
            } else if token.is("location", in: source) {
                location(token, source)
            } else if token.is("load", in: source) {
                jQueryLoad(token, source)
            } else if token.is("loadAnimation", in: source) {
                animation(token, source)
            } else if token.is("locateFile", in: source) {
                if at(1, "=", source) || at(1, ":", source) { setsLocateFile = true }
            } else if token.is("loadPath", in: source) {
                translations(token, source)
            }
        case UInt8(ascii: "m"):
            if token.is("mediaDevices", in: source), isMember(of: "navigator", source) {
                secureContext(token, ["mediaDevices"], source)
            } else if token.is("miniCssF", in: source) {
                chunkMap(token, source, isStyle: true)
                styleCall(source)
            } else if token.is("miniCss", in: source) {
                styleChunks(source)
            } else {
                buildFile(token, source)
            }
        case UInt8(ascii: "N"):
            if token.is("Notification", in: source),
                at(-1, "new", source) || at(2, "requestPermission", source)
            {
                secureContext(token, ["Notification"], source)
            }
        case UInt8(ascii: "o"):
            if token.is("open", in: source) {
                open(token, source)
            } else if token.is("origin", in: source) {
                locationMember(token, source)
            }
        case UInt8(ascii: "p"): namesWithP(token, source)
        case UInt8(ascii: "r"): namesWithR(token, source)
        case UInt8(ascii: "R"):
            if token.is("Request", in: source), at(-1, "new", source) { fetch(token, source) }
        case UInt8(ascii: "s"): namesWithS(token, source)
        case UInt8(ascii: "S"):
            if token.is("SharedWorker", in: source) { constructor(.worker, source) }
            if token.is("SharedArrayBuffer", in: source) { sharedArrayBuffer(token, source) }
            if token.is("System", in: source) {
                systemNames(source)
                systemImport(token, source)
            }
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
            if token.is("WebAssembly", in: source) {
                webAssembly(token, source)
                sharedMemory(token, source)
            }
            if token.is("Worker", in: source) { constructor(.worker, source) }
        case UInt8(ascii: "_"): namesWithUnderscore(token, source)
        default: break
        }
    }

    private mutating func namesWithA(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("ajax", in: source) {
            jQueryAjax(token, source)
        } else if token.is("addModule", in: source) {
            if at(-1, ".", source) { assetCall(token, source) }
        } else if token.is("attr", in: source) {
            setAttribute(token, source)
        } else if token.is("axios", in: source) {
            axios(token, source)
        }
    }

    private mutating func namesWithC(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("createElementNS", in: source) {
            if at(1, "(", source) { note(.namespace, from: token.start, argument: 2, source) }
        } else if token.is("cookie", in: source) {
            if isMember(of: "document", source) { cookie(token, source) }
        } else if token.is("createObjectURL", in: source) {
            objectURL(source)
        } else if token.is("createPolicy", in: source) {
            if at(1, "(", source), window[2].kind == .string {
                note(.trustedPolicy, from: token.start, argument: 2, source)
            }
        } else if token.is("createElement", in: source) {
            styleElement(source)
        } else if token.is("constructor", in: source) {
            functionConstructor(token, source)
        } else if token.is("caches", in: source) {
            if at(1, ".", source), isGlobal(source) { api(.storage, token, "caches") }
        } else if token.is("clipboard", in: source) {
            if isMember(of: "navigator", source) {
                secureContext(token, ["clipboard"], source)
            }
        } else if token.is("create", in: source) {
            instance(source)
        } else {
            buildFile(token, source)
        }
    }

    private mutating func namesWithP(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("push", in: source) {
            definedChunks(source)
        } else if token.is("pushState", in: source) {
            history(token, source)
        } else if token.is("protocol", in: source) {
            protocolName(token, source)
        } else if token.is("post", in: source) {
            jQueryShorthand(token, source, "POST")
            instanceCall(token, source)
            clientCall(token, source)
        } else if token.is("put", in: source) || token.is("patch", in: source) {
            instanceCall(token, source)
            clientCall(token, source)
        } else if token.is("poster", in: source) {
            self.source(token, source)
        } else if token.is("precacheAndRoute", in: source) {
            if at(1, "(", source) { result.isServiceWorker = true }
        } else if token.is("prop", in: source) {
            setAttribute(token, source)
        } else if token.is("postMessage", in: source), at(1, "(", source),
            let target = argument(2, ofCallAt: 1, source), window[target].kind == .string
        {
            let value = String(decoding: value(window[target], source), as: UTF8.self)
            if value.contains("://") {
                note(.messageTarget, from: token.start, argument: target, source)
            }
        }
    }

    private mutating func namesWithS(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("src", in: source) {
            self.source(token, source)
        } else if token.is("srcset", in: source) {
            if at(-1, ".", source), at(1, "=", source), isLiteral(2) {
                sourceSet(token, argument: 2, source)
            }
        } else if token.is("setAttribute", in: source) {
            setAttribute(token, source)
        } else if token.is("skipWaiting", in: source) {
            if at(1, "(", source), isMember(of: "self", source) { result.isServiceWorker = true }
        } else if token.is("sendBeacon", in: source) {
            if at(1, "(", source) {
                note(
                    .beacon, from: token.start, argument: 2, source,
                    isGuarded: isSecurityGuarded(source))
            }
        } else if token.is("setAttributeNS", in: source) {
            if at(1, "(", source) { note(.namespace, from: token.start, argument: 2, source) }
        } else if token.is("sessionStorage", in: source) {
            api(.storage, token, "sessionStorage")
        } else if token.is("subtle", in: source), isMember(of: "crypto", source) {
            secureContext(token, ["subtle", "crypto"], source)
        } else if token.is("setTimeout", in: source) || token.is("setInterval", in: source) {
            if at(1, "(", source), isLiteral(2) { codeFromString(token, source) }
        }
    }

    /// An object of secure contexts, if a member of it is used: reading the object itself has no
    /// effect.
    private mutating func secureContext(
        _ token: JavaScriptToken, _ names: [StaticString], _ source: Span<UInt8>
    ) {
        guard at(1, ".", source) || at(1, "[", source) || at(1, "(", source),
            !at(-1, "?.", source)
        else { return }
        // Code that stops watching has started it elsewhere.
        if at(2, "clearWatch", source) { return }
        // `"Notification" in window ? await Notification.…`: globals have no preceding object.
        let isGuarded = isGuarded(
            by: names + ["isSecureContext", "protocol"], from: at(-1, ".", source) ? -3 : -1,
            triesCount: true, source)
        let detail = names.count > 1 ? "crypto.subtle" : text(token, source)
        note(
            JavaScriptReference(
                .secureContext, range: token.range, expression: token.range, detail: detail,
                isGuarded: isGuarded))
    }

    /// `document.cookie`, read or written.
    ///
    /// Two libraries access it in forms of their own, regardless of the page: axios joins the
    /// parts, js-cookie returns the assignment.
    private mutating func cookie(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        let isWritten = isAssignment(1, source)
        let isLibrary =
            isWritten
            && (at(3, ".", source) && at(4, "join", source) || at(-3, "return", source)
                || at(-4, "return", source))
        note(
            JavaScriptReference(
                .cookie, range: token.range, expression: token.range,
                detail: isWritten ? "write" : "read",
                isGuarded: isLibrary || isGuarded(by: [], triesCount: true, source)))
    }

    private mutating func namesWithR(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("replaceState", in: source) {
            history(token, source)
        } else if token.is("resolve", in: source) {
            metaResolve(token, source)
        } else if token.is("require", in: source) || token.is("requirejs", in: source) {
            requireName(token, source)
        } else if token.is("register", in: source), isMember(of: "serviceWorker", source),
            at(1, "(", source)
        {
            // The object does not exist if service workers are not available.
            let isGuarded = isGuarded(
                by: ["protocol", "isSecureContext", "serviceWorker"], from: -4,
                triesCount: true, source)
            note(
                .serviceWorker, from: token.start, argument: 2, source,
                isGuarded: isGuarded || at(-1, "?.", source))
        }
    }

    private mutating func namesWithW(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("write", in: source) || token.is("writeln", in: source),
            isMember(of: "document", source), at(1, "(", source)
        {
            note(
                .documentWrite, from: token.start, argument: 2, source,
                // `window.jQuery || document.write(…)`: a fallback for a file from another host.
                isGuarded: at(-3, "||", source) || isAssetGuarded(source))
        } else if token.end &- token.start >= 12,
            source.extracting(token.range).holds("webpackChunk", at: 0)
                || source.extracting(token.range).holds("webpackJsonp", at: 0)
        {
            sawChunkGlobal = true
        }
    }

    private mutating func namesWithUnderscore(_ token: JavaScriptToken, _ source: Span<UInt8>) {
        if token.is("__vite__mapDeps", in: source) {
            preloadDependencies(source)
        } else if token.is("__webpack_public_path__", in: source), at(1, "=", source) {
            note(.publicPath, from: token.start, argument: 2, source, form: .webpack)
        } else if token.is("__webpack_require__", in: source) {
            sawChunkGlobal = true
        }
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
