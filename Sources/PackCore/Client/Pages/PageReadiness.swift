/// Decides when a started release counts as working, so that it is not rolled back.
///
/// One value for each start of a release. It has no clock: `now` is an argument.
public struct PageReadiness: Equatable, Sendable {
    public enum Mode: Equatable, Sendable {
        /// A page has loaded, and ``delay`` passed without the web process ending, or the user left
        /// the app; or the page called `packtool.ready()`.
        case automatic
        /// Only by `packtool.ready()`.
        case manual
    }

    public enum Event: Equatable, Sendable {
        /// A page of the release has finished loading.
        case loaded
        /// A loaded page is still running.
        case alive
        /// A page called `packtool.ready()`.
        case ready
        /// The web process ended.
        case ended
        /// The user leaves the app.
        case left

        /// The event of a message that ``PageScript`` posts; `nil` for another text.
        public init?(message: String) {
            switch message {
            case "loaded": self = .loaded
            case "alive": self = .alive
            case "ready": self = .ready
            default: return nil
            }
        }
    }

    /// The time from the end of loading until a release counts as working, in seconds.
    public static let delay = 10.0

    public let mode: Mode
    public private(set) var isReady = false
    private var loaded: Double?

    public init(_ mode: Mode) { self.mode = mode }

    /// Handles an event.
    ///
    /// - Parameter now: Seconds of a clock that stops while the device or app sleeps.
    /// - Returns: Whether the release has just become ready; true once.
    public mutating func handle(_ event: Event, now: Double) -> Bool {
        guard !isReady else { return false }
        switch event {
        case .ready: isReady = true
        case .ended: loaded = nil
        case .loaded: loaded = loaded ?? now
        // A page that works is left as often as one that does not; its process is still running.
        case .left: isReady = mode == .automatic && loaded != nil
        case .alive:
            guard mode == .automatic, let loaded else { return false }
            isReady = now - loaded >= Self.delay
        }
        return isReady
    }
}

/// The script that adapters add to each page of the app's scheme at document start, in the main
/// frame only.
///
/// It defines `packtool.ready()`, which does nothing in a browser, and posts `loaded` and `alive`.
/// Messages go to the handler `packtool`, which WKWebView and WebKitGTK name alike.
public enum PageScript {
    /// The name of the message handler.
    public static let handler = "packtool"

    // The last message is posted a little later than `PageReadiness.delay` after the first, because
    // messages take time to arrive. A page whose process ended posts nothing.
    public static let source = """
        (function () {
          "use strict";
          function post(text) {
            var handlers = window.webkit && window.webkit.messageHandlers;
            if (handlers && handlers.packtool) handlers.packtool.postMessage(text);
          }
          Object.defineProperty(window, "packtool", {
            value: Object.freeze({ ready: function () { post("ready"); } })
          });
          window.addEventListener("load", function () {
            post("loaded");
            setTimeout(function () { post("alive"); }, 10500);
          });
        })();
        """
}
