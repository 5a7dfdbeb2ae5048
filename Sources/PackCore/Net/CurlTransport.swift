import CArchive
import PackGround
package import PackOrigin

/// Sends requests with libcurl: one thread runs all transfers, and each caller waits for its own.
package final class CurlTransport: HTTPTransport {
    /// Settings that are constant in a run.
    package struct Settings: Sendable {
        /// The value of `User-Agent`.
        package var agent: String
        /// Certificates to trust instead of the system's.
        package var authorityFile: String?
        /// Timeout for connecting, in seconds.
        package var connectTimeout = 10
        /// Time below 1 KiB/s after which a transfer ends, in seconds.
        package var patience = 30
        /// The number of connections to open beside the first one, before they are needed.
        package var earlyConnections = 0

        package init(agent: String) { self.agent = agent }
    }

    private let engine: CurlEngine

    /// The oldest version with all required calls and fixes.
    private static let oldest: UInt32 = 0x07_5400

    /// Starts libcurl.
    ///
    /// - Throws: ``HTTPFailure`` if libcurl is missing, too old or cannot start.
    package init(_ settings: Settings) throws {
        let version = carchive_curl_version()
        guard version > 0 else {
            throw Failure.httpFailed(
                path: "libcurl", .impossible,
                reason: "libcurl.so.4 is not installed (Debian: libcurl4)")
        }
        guard version >= Self.oldest else {
            let (major, minor) = (version >> 16, version >> 8 & 0xFF)
            throw Failure.httpFailed(
                path: "libcurl", .impossible,
                reason: "it is version \(major).\(minor); this needs 7.84 or newer")
        }
        var settings = settings
        if settings.authorityFile == nil {
            settings.authorityFile = unsafe carchive_curl_authorities().map {
                unsafe String(cString: $0)
            }
        }
        engine = try CurlEngine(settings)
    }

    package func send(
        _ request: HTTPRequest, to sink: any HTTPSink
    ) async throws -> HTTPHead {
        let transfer = CurlTransfer(request, sink)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.continuation = continuation
                engine.add(transfer)
            }
        } onCancel: {
            transfer.cancel()
            engine.wake()
        }
    }

    package var shortestDelay: Double? { engine.shortestDelay.withLock { $0 } }

    package func openConnections(_ count: Int) { engine.openConnections(count) }

    package func wait(seconds: Double) async throws {
        try await Task.sleep(for: .seconds(seconds))
    }
}
