import Foundation
import PackGround
package import PackOrigin

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the requests of an app with Foundation's `URLSession`.
///
/// Each request is sent once. Redirects are not followed, and there are no cookies, cached answers
/// or stored passwords: the modules above decide about redirects and retries. Answers are passed on
/// in pieces, so memory does not grow with the size of a file.
///
/// Proxies and trusted certificates are those of the system. On iOS, App Transport Security refuses
/// `http://` addresses unless the app's `Info.plist` allows them.
///
/// Transfers end when the system suspends the app; the next update continues them at the last byte.
/// Background sessions are not used: they deliver complete files only.
///
/// On Linux, Foundation ends the process if a connection breaks within the headers of an answer or
/// a chunked answer has trailers (both until Swift 6.4), or if the host of a redirect is invalid.
package final class URLSessionTransport: Sendable {
    private let session: URLSession
    private let delegate: URLSessionEvents
    /// Makes the calls that wait for the session's thread on Linux.
    ///
    /// That thread may be the current one, or busy with a hostile answer.
    private let calls = OperationQueue()
    private let userAgent: String
    private let patience: Int

    /// Makes a session with its own connections.
    ///
    /// - Parameters:
    ///   - userAgent: The value of the header `User-Agent`. It must not identify a device.
    ///   - patience: A request fails if less than 1 KiB/s arrives for this number of seconds. This
    ///     includes the time to connect, for which `URLSession` has no limit of its own.
    ///   - usesMeteredNetworks: Whether requests may use cellular networks, personal hotspots, and
    ///     networks in Low Data Mode. Linux does not know such networks, and ignores it.
    package init(userAgent: String, patience: Int = 30, usesMeteredNetworks: Bool = true) {
        self.userAgent = userAgent
        self.patience = max(1, patience)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        // With fewer connections, requests would wait in the session, and their time would run.
        configuration.httpMaximumConnectionsPerHost = HTTPStore.connections
        // Transfers measure their own pace, so this limit only has to be longer.
        configuration.timeoutIntervalForRequest = Double(self.patience) * 2 + 10
        #if !canImport(FoundationNetworking)
            configuration.allowsExpensiveNetworkAccess = usesMeteredNetworks
            configuration.allowsConstrainedNetworkAccess = usesMeteredNetworks
        #endif
        calls.maxConcurrentOperationCount = 1
        delegate = URLSessionEvents()
        session = URLSession(
            configuration: configuration, delegate: delegate, delegateQueue: .forEvents)
    }

    // The session keeps its connections and its delegate until then.
    deinit { session.finishTasksAndInvalidate() }
}

extension URLSessionTransport: HTTPTransport {
    package func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead {
        let request = try URLRequest(request, userAgent: userAgent)
        let transfer = URLSessionTransfer(sink, patience: patience, calls: calls)
        let watch = Task {
            while true {
                try await Task.sleep(for: .seconds(1))
                transfer.checkPace()
            }
        }
        defer { watch.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.expect(continuation)
                calls.addOperation { self.start(transfer, request) }
            }
        } onCancel: {
            transfer.cancel()
        }
    }

    private func start(_ transfer: URLSessionTransfer, _ request: URLRequest) {
        guard !transfer.hasEnded else { return }
        let task = session.dataTask(with: request)
        delegate.add(transfer, for: task)
        transfer.start(task)
    }

    package func wait(seconds: Double) async throws {
        try await Task.sleep(for: .seconds(seconds))
    }
}
