// A window that shows a release of the example pages, keeps it up to date, and prints what happens as JSON lines.
//
// Everything but this file and the C shim is the library's.

import CWebView
import Foundation
import PackClient
import PackClientURLSession
import PackPages

let options = Options(CommandLine.arguments.dropFirst())
let client: PackClient
do {
    client = try PackClient(options.configuration)
} catch {
    print(line("error", ["code": error.code, "text": error.description]))
    exit(2)
}
let app = App(client, options)
app.open()

/// The state of the window, on the main thread.
@MainActor final class App {
    nonisolated private static let scheme = "customscheme"
    private static let buttons = ["Update", "Run update", "Preview", "Production"]
    private let client: PackClient
    private let options: Options
    private let view: PageView
    private var readiness = PageReadiness(.automatic)
    /// Whether the document of a new page has not been requested yet.
    private var isLoading = false

    init(_ client: PackClient, _ options: Options) {
        self.client = client
        self.options = options
        view = PageView { client.pages(scheme: App.scheme, host: "shop") }
    }

    func open() {
        let opened = Self.buttons.withCStrings { titles in
            webview_open(
                "packtool: an example app", Self.scheme, PageScript.source, titles,
                Int32(Self.buttons.count), delegate)
        }
        guard opened != 0 else {
            print(line("error", ["code": "no-display"]))
            exit(2)
        }
        start()
        if let channel = options.channel {
            switchChannel(to: channel)
        } else if options.updates {
            update(options.apply)
        }
        webview_run()
        note(.left)
    }

    /// Shows what the library decides to run.
    private func start() {
        show(client.start())
    }

    private func show(_ start: PackClient.Start) {
        readiness = PageReadiness(.automatic)
        if let problem = start.problem { print(line("problem", ["code": problem.code])) }
        switch start.choice {
        case .release(let release):
            print(
                line(
                    "start",
                    ["version": release.version, "label": release.label ?? "",
                     "embedded": release.isEmbedded, "mustUpdate": start.mustUpdate]))
            webview_show("release \(release.label ?? release.version)", -1)
            webview_load(client.pages(scheme: Self.scheme, host: "shop").launchURL ?? "about:blank")
        case .web, .nothing:
            print(line("start", ["web": true]))
            webview_show("the website", -1)
            webview_load(options.website)
        }
    }

    /// Updates in the background, and shows the progress.
    func update(_ apply: PackClient.Apply = .nextStart) {
        var update = PackClient.UpdateOptions()
        update.isForced = true
        update.apply = apply
        let events = client.update(update)
        Task.detached {
            do {
                for try await event in events { onMain { app.handle(event) } }
            } catch {
                onMain { app.fail(error) }
            }
        }
    }

    private func handle(_ event: PackClient.Event) {
        switch event {
        case .checking: print(line("checking", [:]))
        case .downloading(let bytes, let total):
            print(line("downloading", ["bytes": bytes, "of": total]))
            webview_show("downloading", total == 0 ? 1 : Double(bytes) / Double(total))
        case .installed(let release):
            print(line("installed", ["version": release.version, "label": release.label ?? ""]))
            webview_show("release \(release.label ?? release.version) runs at the next start", -1)
        case .started(let start): show(start)
        case .upToDate(let version):
            print(line("upToDate", ["version": version]))
            webview_show("up to date", -1)
        case .held(let reason):
            print(line("held", ["reason": "\(reason)"]))
            webview_show("no update: \(reason)", -1)
        }
    }

    private func fail(_ error: any Error) {
        let error = error as? PackError
        print(line("error", ["code": error?.code ?? "", "text": error?.description ?? ""]))
        webview_show("the update failed", -1)
    }

    // MARK: The view's calls

    private var delegate: webview_delegate {
        webview_delegate(
            context: nil,
            request: { _, task in
                nonisolated(unsafe) let task = task
                MainActor.assumeIsolated { if let task { app.answer(task) } }
            },
            message: { _, text in
                let text = text.map { String(cString: $0) } ?? ""
                MainActor.assumeIsolated { app.receive(text) }
            },
            started: { _ in MainActor.assumeIsolated { app.isLoading = true } },
            loaded: { _, succeeded in
                MainActor.assumeIsolated { print(line("loaded", ["ok": succeeded != 0])) }
            },
            ended: { _ in
                MainActor.assumeIsolated { app.note(.ended) }
            },
            clicked: { _, button in
                MainActor.assumeIsolated { app.click(Int(button)) }
            })
    }

    private func click(_ button: Int) {
        switch button {
        case 0: update()
        case 1: update(.now)
        default: switchChannel(to: button == 2 ? "preview" : "production")
        }
    }

    private func switchChannel(to name: String) {
        do { try client.use(channel: name) } catch { fail(error) }
        update(.now)
    }

    private func receive(_ text: String) {
        if let event = PageReadiness.Event(message: text) {
            note(event)
        } else {
            print(line("page", ["report": text]))
        }
    }

    private func note(_ event: PageReadiness.Event) {
        let now = ProcessInfo.processInfo.systemUptime
        guard readiness.handle(event, now: now) else { return }
        do {
            try client.markReady()
            print(line("ready", [:]))
        } catch {
            fail(error)
        }
    }

    /// Answers a request of the page from its release, or from the network.
    private func answer(_ task: OpaquePointer) {
        let url = String(cString: webview_url(task))
        let names = ["Range", "If-None-Match", "If-Range", "Origin", "Accept"]
        let headers = names.compactMap { name in
            webview_header(task, name).map { PageHeader(name, String(cString: $0)) }
        }
        let wantsPage = headers.value(of: "accept")?.contains("text/html") == true
        let isDocument = isLoading && wantsPage
        if isDocument { isLoading = false }
        let request = PageRequest(
            method: String(cString: webview_method(task)), url: url, headers: headers,
            isMainDocument: isDocument, page: webview_shown().map { String(cString: $0) })
        switch view.plan(request) {
        case .answer(let answer):
            view.delivered(request)
            answer.send(to: task)
        case .fetch: webview_fail(task, "the example has no network fallback")
        }
    }
}

extension PageAnswer {
    /// Gives WebKit the head, and the body as a stream that it reads on a thread of its own.
    fileprivate func send(to task: OpaquePointer) {
        let names = head.headers.map(\.name), values = head.headers.map(\.value)
        names.withCStrings { names in
            values.withCStrings { values in
                webview_answer(
                    task, Int32(head.status), nil, head.mediaType, names, values,
                    Int32(head.headers.count), Int64(clamping: body.length),
                    Unmanaged.passRetained(body).toOpaque(),
                    { body, bytes, count in
                        guard let body, let bytes else { return -1 }
                        let source = Unmanaged<PageBody>.fromOpaque(body).takeUnretainedValue()
                        do {
                            guard let piece = try source.next(upTo: count) else { return 0 }
                            bytes.update(from: piece, count: piece.count)
                            return piece.count
                        } catch { return -1 }
                    },
                    { body in
                        guard let body else { return }
                        let source = Unmanaged<PageBody>.fromOpaque(body)
                        source.takeUnretainedValue().close()
                        source.release()
                    })
            }
        }
    }
}

extension [PageHeader] {
    fileprivate func value(of name: String) -> String? {
        first { $0.name.lowercased() == name }?.value
    }
}

// MARK: Helpers

extension [String] {
    /// Calls a function with the texts as C strings.
    fileprivate func withCStrings<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return copies.map { $0.map { UnsafePointer($0) } }.withUnsafeBufferPointer {
            body($0.baseAddress)
        }
    }
}

/// Runs work on the main thread, between two events of GTK.
private func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
    final class Box {
        let work: @MainActor @Sendable () -> Void
        init(_ work: @escaping @MainActor @Sendable () -> Void) { self.work = work }
    }
    webview_later(
        { context in
            guard let context else { return }
            let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
            let work = box.work
            MainActor.assumeIsolated { work() }
        }, Unmanaged.passRetained(Box(work)).toOpaque())
}

/// A JSON line for the check and for people.
private func line(_ event: String, _ values: [String: Any]) -> String {
    var values = values
    values["event"] = event
    let data = try? JSONSerialization.data(withJSONObject: values, options: [.sortedKeys])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? event
}

/// The command line.
struct Options {
    var configuration: PackClient.Configuration
    var website = "about:blank"
    /// Whether to look for an update at the start.
    var updates = true
    var apply = PackClient.Apply.nextStart
    /// A channel to switch to.
    var channel: String?

    init(_ words: some Sequence<String>) {
        var origin = "", directory = "phone", embedded: String?, native: String?
        var words = Array(words)[...]
        while let word = words.popFirst() {
            switch word {
            case "--origin": origin = words.popFirst() ?? ""
            case "--into": directory = words.popFirst() ?? ""
            case "--embedded": embedded = words.popFirst()
            case "--native": native = words.popFirst()
            case "--website": website = words.popFirst() ?? ""
            case "--no-update": updates = false
            case "--now": apply = .now
            case "--channel": channel = words.popFirst()
            default:
                print(
                    """
                    usage: App --origin URL --into DIR [--embedded DIR] [--native VERSION]
                        [--website URL] [--channel NAME] [--now] [--no-update]
                    """)
                exit(64)
            }
        }
        configuration = .init(origin: origin, app: "shop", directory: directory)
        configuration.embedded = embedded
        configuration.nativeVersion = native
        configuration.transport = .urlSession()
    }
}
