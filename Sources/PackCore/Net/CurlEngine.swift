import CArchive
import PackGround
import PackOrigin

/// The thread running the transfers.
///
/// Only this thread uses libcurl's `transfers`, except for `curl_multi_wakeup`, which any thread
/// may call. The engine lives as long as the process, and there is one per run.
@safe final class CurlEngine: @unchecked Sendable {
    private let settings: CurlTransport.Settings
    private let transfers: UnsafeMutableRawPointer
    /// Lives as long as the engine.
    private let early: OpaquePointer
    /// The number of connections to open before they are needed.
    private let wanted: Locked<Int>
    private let waiting = Locked<[CurlTransfer]>([])
    /// Used only by the engine's thread.
    private var active: [UnsafeMutableRawPointer: CurlTransfer] = unsafe [:]

    // A new handle reads the resolver's configuration, which takes longer than to reset one. There
    // are no more than were active at once.
    private var idle: [UnsafeMutableRawPointer] = unsafe []

    /// In seconds; see ``HTTPTransport/shortestDelay``.
    let shortestDelay = Locked<Double?>(nil)

    /// The largest number of open connections: enough for a store's parallel requests, plus a few
    /// for other requests.
    private static let connections = 200

    init(_ settings: CurlTransport.Settings) throws {
        self.settings = settings
        wanted = Locked(settings.earlyConnections)
        guard carchive_curl_start() == CURLE_OK,
            let handle = unsafe curl_multi_init(), let early = unsafe carchive_connections_make()
        else {
            throw Failure.httpFailed(
                path: "libcurl", .impossible, reason: "it cannot be started")
        }
        unsafe transfers = handle
        unsafe self.early = early
        unsafe carchive_curl_set_many(
            handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, Self.connections)
        // Otherwise idle connections are closed when few requests are left, and opened again later.
        unsafe carchive_curl_set_many(handle, CURLMOPT_MAXCONNECTS, Self.connections)
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe carchive_start_thread(
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue().run()
            }, context)
        guard result == 0 else {
            throw Failure.httpFailed(
                path: "libcurl", .impossible, reason: "no thread can be started")
        }
    }

    func add(_ transfer: CurlTransfer) {
        waiting.withLock { $0.append(transfer) }
        wake()
    }

    /// Opens connections to the server of the first transfer before they are needed.
    func openConnections(_ count: Int) {
        wanted.withLock { $0 = max($0, count) }
        wake()
    }

    func wake() { _ = unsafe curl_multi_wakeup(transfers) }

    private func run() {
        while true {
            let new = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for transfer in new { start(transfer) }
            for unsafe(handle, transfer) in unsafe active where transfer.isCancelled {
                unsafe end(handle, CURLE_ABORTED_BY_CALLBACK)
            }
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(transfers, &running)
            openEarly()
            var result = CURLE_OK
            while let handle = unsafe carchive_curl_next_ended(transfers, &result) {
                unsafe end(handle, result)
            }
            _ = unsafe curl_multi_poll(transfers, nil, 0, 1000, nil)
        }
    }

    private func openEarly() {
        wanted.withLock { wanted in
            guard wanted > 0,
                unsafe carchive_connections_open(early, Int32(clamping: wanted)) != 0
            else { return }
            wanted = 0
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard let handle = unsafe idle.popLast() ?? curl_easy_init() else {
            return transfer.finish(CURLE_FAILED_INIT)
        }
        guard unsafe transfer.prepare(handle, settings),
            unsafe carchive_curl_set_early(handle, early) == CURLE_OK,
            unsafe curl_multi_add_handle(transfers, handle) == CURLM_OK
        else {
            unsafe curl_easy_cleanup(handle)
            return transfer.finish(CURLE_FAILED_INIT)
        }
        unsafe active[handle] = transfer
    }

    private func note(delay: Double) {
        guard delay > 0 else { return }
        shortestDelay.withLock { $0 = min($0 ?? delay, delay) }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ result: CURLcode) {
        guard let transfer = unsafe active.removeValue(forKey: handle) else { return }
        // With a body, libcurl measures until the first byte is sent, not received.
        if result == CURLE_OK, !transfer.hasBody {
            note(delay: Double(unsafe carchive_curl_wait(handle)) / 1e6)
        }
        _ = unsafe curl_multi_remove_handle(transfers, handle)
        // After an error, it may keep a buffer whose size cannot be changed (libcurl 7.88, for a host that
        // is not found).
        if result == CURLE_OK {
            unsafe curl_easy_reset(handle)
            unsafe idle.append(handle)
        } else {
            unsafe curl_easy_cleanup(handle)
        }
        transfer.finish(result)
    }
}
