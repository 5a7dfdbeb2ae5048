#if canImport(WebKit)
    import Foundation
    import PackPages
    import WebKit

    /// The receiver of one network answer.
    struct PageTransfer {
        /// Returns whether the body is wanted.
        let head: @MainActor (URLResponse) async -> Bool
        let data: @MainActor (Data) -> Void
        let end: @MainActor ((any Error)?) -> Void
    }

    /// Sends requests to the network.
    ///
    /// It follows no redirect and has no cookies of its own.
    @MainActor
    final class PageNetwork {
        private let receiver = TransferReceiver()
        private let session: URLSession

        init() {
            let configuration = URLSessionConfiguration.default
            configuration.httpCookieStorage = nil
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpShouldSetCookies = false
            session = URLSession(
                configuration: configuration, delegate: receiver, delegateQueue: .main)
        }

        // A session keeps its delegate until then.
        deinit { session.invalidateAndCancel() }

        func start(_ request: URLRequest, _ transfer: PageTransfer) -> URLSessionDataTask {
            let task = session.dataTask(with: request)
            receiver.transfers[task.taskIdentifier] = transfer
            task.resume()
            return task
        }

        /// Ends a request, without a further callback.
        func cancel(_ task: URLSessionTask) {
            receiver.transfers[task.taskIdentifier] = nil
            task.cancel()
        }
    }

    /// Receives the callbacks of the session on the main thread, on which WebKit wants its tasks to
    /// be called.
    @MainActor
    private final class TransferReceiver: NSObject, URLSessionDataDelegate {
        var transfers: [Int: PageTransfer] = [:]

        nonisolated func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            // The redirect itself becomes the answer.
            completionHandler(nil)
        }

        nonisolated func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            MainActor.assumeIsolated {
                guard let transfer = transfers[dataTask.taskIdentifier] else {
                    return completionHandler(.cancel)
                }
                Task {
                    let isWanted = await transfer.head(response)
                    if !isWanted { transfers[dataTask.taskIdentifier] = nil }
                    completionHandler(isWanted ? .allow : .cancel)
                }
            }
        }

        nonisolated func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
        ) {
            MainActor.assumeIsolated { transfers[dataTask.taskIdentifier]?.data(data) }
        }

        nonisolated func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            MainActor.assumeIsolated {
                transfers.removeValue(forKey: task.taskIdentifier)?.end(error)
            }
        }
    }

    /// The cookies of a web view.
    @MainActor
    struct CookieJar {
        private let store: WKHTTPCookieStore

        init(_ store: WKHTTPCookieStore) { self.store = store }

        /// The `Cookie` header for a URL.
        func header(for url: String) async -> String? {
            PageCookie.header(
                await all().map(PageCookie.init), for: url, now: Date().timeIntervalSince1970)
        }

        /// Stores the new cookies of an answer: each change is a message to another process.
        func store(_ response: HTTPURLResponse) async {
            guard let url = response.url else { return }
            var fields: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                if let name = name as? String { fields[name] = "\(value)" }
            }
            let set = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
            if set.isEmpty { return }
            let known = await all()
            for cookie in set where !known.contains(cookie) {
                await withCheckedContinuation { done in
                    store.setCookie(cookie) { done.resume() }
                }
            }
        }

        private func all() async -> [HTTPCookie] {
            await withCheckedContinuation { done in
                store.getAllCookies { done.resume(returning: $0) }
            }
        }
    }

    extension PageCookie {
        init(_ cookie: HTTPCookie) {
            self.init(
                name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
                expires: cookie.expiresDate?.timeIntervalSince1970)
        }
    }
#endif
