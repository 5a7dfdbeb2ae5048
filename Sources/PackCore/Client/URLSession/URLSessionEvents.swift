import Foundation
import PackGround

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes the events of a session to its transfers.
final class URLSessionEvents: NSObject, URLSessionDataDelegate {
    private let transfers = Locked<[Int: URLSessionTransfer]>([:])

    func add(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
        transfers.withLock { $0[task.taskIdentifier] }
    }

    /// Refuses to follow a redirect, which makes it the answer.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // It traps if the task is cancelled before it processes this decision.
            guard let transfer = transfer(of: task), !transfer.hasEnded else { return }
        #endif
        completionHandler(nil)
    }

    #if canImport(FoundationNetworking)
        /// Makes a demand for a password the answer.
        ///
        /// Until Swift 6.4, the default on Linux is that the task never ends.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            transfer(of: task)?.complete(task, nil)
        }
    #endif

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(task, error)
    }
}

extension OperationQueue {
    /// The queue on which a session calls its delegate, one call at a time.
    static var forEvents: OperationQueue {
        #if canImport(FoundationNetworking)
            return InlineQueue()
        #else
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return queue
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// Makes each call of the delegate immediately, on the session's own thread.
    ///
    /// So the session reads no faster than files are written. Foundation on Linux does not wait for
    /// its delegate: another queue would hold all bytes that are not written yet, and suspending a
    /// task there starts its request again. While a file is written, all sessions of the process
    /// wait.
    private final class InlineQueue: OperationQueue, @unchecked Sendable {
        override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
    }
#endif
