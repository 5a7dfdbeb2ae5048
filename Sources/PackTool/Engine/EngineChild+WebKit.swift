// The engine's process on macOS, with WKWebView. It has not been compiled or run yet: docs/guide/engine.md says so.
#if canImport(WebKit) && canImport(AppKit)
    import AppKit
    import Foundation
    import PackEngine
    import PackGround
    import PackPages
    import WebKit

    extension EngineChild {
        /// Runs the engine until its input ends.
        static func runWebKit(_ launch: EngineLaunch) -> Never {
            MainActor.assumeIsolated {
                guard let build = try? Directory.open(launch.build) else { exit(1) }
                let application = NSApplication.shared
                application.setActivationPolicy(launch.hasWindow ? .regular : .prohibited)
                let view = MacEngine(launch, build)
                Thread.detachNewThread {
                    while let line = readLine() {
                        guard let command = try? EngineCommand(Array(line.utf8)) else { continue }
                        DispatchQueue.main.async { MainActor.assumeIsolated { view.run(command) } }
                    }
                    // The parent is gone.
                    try? FileManager.default.removeItem(atPath: launch.scratch)
                    exit(0)
                }
                view.send(["event": .string("ready"), "version": .string("of macOS")])
                application.run()
                exit(0)
            }
        }
    }

    /// The view and its delegates.
    @MainActor
    private final class MacEngine: NSObject, WKURLSchemeHandler, WKNavigationDelegate,
        WKUIDelegate, WKScriptMessageHandler
    {
        private let launch: EngineLaunch
        private let build: Directory
        private var window: NSWindow?
        private var view: WKWebView?
        private var page = 0
        private var nextRequest = 0
        private var tasks: [Int: any WKURLSchemeTask] = [:]

        init(_ launch: EngineLaunch, _ build: Directory) {
            self.launch = launch
            self.build = build
        }

        func send(_ members: KeyValuePairs<String, JSONValue?>) {
            let line = JSONWriter.line(.members(members)) + [UInt8(ascii: "\n")]
            FileHandle.standardOutput.write(Data(line))
        }

        func run(_ command: EngineCommand) {
            switch command {
            case .visit(let page, let url, let width, let height):
                visit(page, url, width, height)
            case .evaluate(let number, let script):
                view?.evaluateJavaScript(script) { [self] value, _ in
                    send([
                        "event": .string("value"), "page": .integer(page),
                        "number": .integer(number), "text": (value as? String).map { .string($0) },
                    ])
                }
            case .snapshot(let number, let path): snapshot(number, path)
            case .answer(let number, let answer): reply(answer, to: number)
            case .list, .clearList: break
            case .quit: exit(0)
            }
        }

        private func visit(_ page: Int, _ url: String, _ width: Int, _ height: Int) {
            self.page = page
            let configuration = WKWebViewConfiguration()
            configuration.websiteDataStore = .nonPersistent()
            configuration.setURLSchemeHandler(self, forURLScheme: launch.scheme)
            configuration.userContentController.add(self, name: "packtool")
            for script in [ObserverScript.observer, Self.console] {
                configuration.userContentController.addUserScript(
                    WKUserScript(
                        source: script, injectionTime: .atDocumentStart, forMainFrameOnly: false))
            }
            let frame = NSRect(x: 0, y: 0, width: width, height: height)
            let view = WKWebView(frame: frame, configuration: configuration)
            view.navigationDelegate = self
            view.uiDelegate = self
            window = NSWindow(
                contentRect: frame, styleMask: [.titled, .closable], backing: .buffered,
                defer: false)
            window?.contentView = view
            if launch.hasWindow { window?.makeKeyAndOrderFront(nil) }
            self.view = view
            if let url = URL(string: url) { view.load(URLRequest(url: url)) }
        }

        /// WKWebView has no console: errors are passed on in the form of WebKitGTK's.
        private static let console = """
            (() => {
              const port = webkit.messageHandlers.packtool;
              const say = text => port.postMessage('CONSOLE ' + String(text).slice(0, 2000));
              const error = console.error;
              console.error = (...values) => { say('ERROR ' + values.join(' ')); error(...values); };
              addEventListener('error', event => {
                if (event.message) say('JS ERROR ' + event.message);
              });
              addEventListener('unhandledrejection', event =>
                say('JS ERROR Unhandled Promise Rejection: ' + event.reason));
            })();
            """

        func userContentController(
            _ controller: WKUserContentController, didReceive message: WKScriptMessage
        ) {
            guard let text = message.body as? String else { return }
            let kind = text.hasPrefix("CONSOLE ") ? "console" : "message"
            send(["event": .string(kind), "page": .integer(page), "text": .string(text)])
        }

        private func snapshot(_ number: Int, _ path: String) {
            view?.takeSnapshot(with: nil) { [self] image, _ in
                let bitmap = image?.tiffRepresentation.flatMap(NSBitmapImageRep.init(data:))
                let png = bitmap?.representation(using: .png, properties: [:])
                let isWritten = (try? png?.write(to: URL(fileURLWithPath: path))) != nil
                send([
                    "event": .string("snapshot"), "page": .integer(page),
                    "number": .integer(number), "colours": bitmap.map { .string("\(colours($0))") },
                    "path": .string(isWritten && png != nil ? path : ""),
                ])
            }
        }

        private func colours(_ bitmap: NSBitmapImageRep) -> Int {
            var found: Set<NSColor> = []
            for y in 0..<bitmap.pixelsHigh {
                for x in 0..<bitmap.pixelsWide where found.count < 4 {
                    if let color = bitmap.colorAt(x: x, y: y) { found.insert(color) }
                }
            }
            return found.count
        }

        // MARK: Requests

        func webView(_ webView: WKWebView, start task: any WKURLSchemeTask) {
            tasks[nextRequest] = task
            send([
                "event": .string("request"), "page": .integer(page),
                "number": .integer(nextRequest),
                "url": .string(task.request.url?.absoluteString ?? ""),
                "method": .string(task.request.httpMethod ?? "GET"),
                "range": task.request.value(forHTTPHeaderField: "Range").map { .string($0) },
            ])
            nextRequest += 1
        }

        func webView(_ webView: WKWebView, stop task: any WKURLSchemeTask) {
            tasks = tasks.filter { $0.value !== task }
        }

        private func reply(_ answer: HandlerAnswer, to number: Int) {
            guard let task = tasks.removeValue(forKey: number), let url = task.request.url else {
                return
            }
            var content: [UInt8] = []
            if answer.reason == nil, let file = answer.file {
                guard let bytes = try? build.readFile(file, limit: 256 << 20) else {
                    return task.didFailWithError(URLError(.cannotOpenFile))
                }
                content = bytes
            }
            guard answer.reason == nil else {
                return task.didFailWithError(URLError(.resourceUnavailable))
            }
            var status = answer.status
            var headers = ["Content-Type": answer.type, "Cache-Control": "no-cache"]
            if answer.sendsCORS { headers["Access-Control-Allow-Origin"] = "*" }
            if case .part(let offset, let count) = ByteRange(
                answer.range, size: UInt64(content.count))
            {
                status = 206
                headers["Content-Range"] = "bytes \(offset)-\(offset + count - 1)/\(content.count)"
                content = Array(content[Int(offset)..<Int(offset + count)])
            }
            let response =
                status == 0
                ? URLResponse(
                    url: url, mimeType: answer.type, expectedContentLength: content.count,
                    textEncodingName: nil)
                : HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
            guard let response else { return }
            task.didReceive(response)
            task.didReceive(Data(content))
            task.didFinish()
        }

        // MARK: Events

        private func load(_ state: String, _ view: WKWebView) {
            send([
                "event": .string("load"), "page": .integer(page), "state": .string(state),
                "url": .string(view.url?.absoluteString ?? ""),
            ])
        }

        func webView(_ view: WKWebView, didCommit navigation: WKNavigation?) {
            load("committed", view)
        }

        func webView(_ view: WKWebView, didFinish navigation: WKNavigation?) {
            load("finished", view)
        }

        func webView(
            _ view: WKWebView, didFailProvisionalNavigation navigation: WKNavigation?,
            withError error: any Error
        ) {
            let url = (error as NSError).userInfo[NSURLErrorFailingURLStringErrorKey] as? String
            send([
                "event": .string("unloaded"), "page": .integer(page), "url": .string(url ?? ""),
                "text": .string("\(error)"),
            ])
        }

        func webViewWebContentProcessDidTerminate(_ view: WKWebView) {
            send(["event": .string("crashed"), "page": .integer(page), "text": .string("crash")])
        }

        func webView(
            _ view: WKWebView, decidePolicyFor action: WKNavigationAction
        ) async -> WKNavigationActionPolicy {
            let url = action.request.url
            send([
                "event": .string("navigation"), "page": .integer(page),
                "url": .string(url?.absoluteString ?? ""),
            ])
            // Without a network, other hosts are refused here; requests of parts of a page are not.
            let isWeb = url?.scheme == "http" || url?.scheme == "https"
            return isWeb && !launch.hasNetwork ? .cancel : .allow
        }

        func webViewDidClose(_ view: WKWebView) {
            send(["event": .string("closed"), "page": .integer(page)])
        }

        func webView(
            _ view: WKWebView, runJavaScriptAlertPanelWithMessage message: String,
            initiatedByFrame frame: WKFrameInfo
        ) async { dialog("alert", message) }

        func webView(
            _ view: WKWebView, runJavaScriptConfirmPanelWithMessage message: String,
            initiatedByFrame frame: WKFrameInfo
        ) async -> Bool {
            dialog("confirm", message)
            return false
        }

        func webView(
            _ view: WKWebView, runJavaScriptTextInputPanelWithPrompt prompt: String,
            defaultText: String?, initiatedByFrame frame: WKFrameInfo
        ) async -> String? {
            dialog("prompt", prompt)
            return nil
        }

        private func dialog(_ kind: String, _ text: String) {
            send([
                "event": .string("dialog"), "page": .integer(page), "kind": .string(kind),
                "text": .string(text),
            ])
        }
    }
#endif
