import CArchive
import PackGround
import PackOrigin

/// One request and its response while it arrives.
///
/// After the caller creates it, only the engine's thread uses it, except for ``cancel()``.
@safe final class CurlTransfer: @unchecked Sendable {
    private let request: HTTPRequest
    private let sink: any HTTPSink
    private let cancelled = Locked(false)
    var continuation: CheckedContinuation<HTTPHead, any Error>?

    private var lines: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>

    private var status = 0
    private var fields: [HTTPHeader] = []
    private var hasBegun = false
    private var reader: HTTPBodyReader?
    /// The error thrown by the sink or while reading the body's file.
    private var failure: (any Error)?
    /// Whether the sink declined the rest.
    private var isCut = false
    /// Received bytes of the response, including headers, chunk sizes, extensions and trailers.
    private var received: UInt64 = 0

    /// More headers than any legitimate response has.
    private static let mostFields = 256
    private static let messageSize = Int(CURL_ERROR_SIZE)
    /// The largest read of libcurl; between two reads it checks up to a hundred times for more.
    private static let bufferSize = 256 << 10

    init(_ request: HTTPRequest, _ sink: any HTTPSink) {
        self.request = request
        self.sink = sink
        unsafe message = .allocate(capacity: Self.messageSize)
        unsafe message.initialize(repeating: 0, count: Self.messageSize)
    }

    deinit {
        unsafe curl_slist_free_all(lines)
        unsafe message.deallocate()
    }

    func cancel() { cancelled.withLock { $0 = true } }

    var isCancelled: Bool { cancelled.withLock { $0 } }

    var hasBody: Bool { request.body != nil }

    // MARK: The request

    /// The largest body, in bytes, sent without `Expect: 100-continue`.
    ///
    /// That header costs a round trip (RFC 9110, section 10.1.1), which pays off if a rejection
    /// saves a long upload.
    private static let unannounced: UInt64 = 32 << 20

    /// Describes the request to libcurl; false if that fails.
    ///
    /// - Parameter handle: New or reset; not to be used for another request before the end of this
    ///   one.
    func prepare(_ handle: UnsafeMutableRawPointer, _ settings: CurlTransport.Settings) -> Bool {
        var results: [CURLcode] = []
        func set(_ option: CURLoption, _ value: Int) {
            results.append(unsafe carchive_curl_set_number(handle, option, value))
        }
        func set(_ option: CURLoption, _ value: String) {
            results.append(unsafe carchive_curl_set_text(handle, option, value))
        }
        set(CURLOPT_URL, request.url)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_USERAGENT, settings.agent)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_CONNECTTIMEOUT, settings.connectTimeout)
        set(CURLOPT_LOW_SPEED_LIMIT, 1024)
        set(CURLOPT_LOW_SPEED_TIME, settings.patience)
        // A small file is read in small pieces, so that a flood ends soon after its limit.
        set(CURLOPT_BUFFERSIZE, sink.limit < 1 << 20 ? 16 << 10 : Self.bufferSize)
        if let file = settings.authorityFile {
            set(CURLOPT_CAINFO, file)
            // Debian's libcurl would also trust this directory, and then reads the file for each
            // connection, which takes 40 ms.
            results.append(unsafe carchive_curl_set_pointer(handle, CURLOPT_CAPATH, nil))
        }
        if request.method == .head {
            set(CURLOPT_NOBODY, 1)
        } else if request.method != .get {
            set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        for header in request.headers {
            unsafe lines = unsafe curl_slist_append(lines, "\(header.name): \(header.value)")
        }
        if let body = request.body, body.content.size <= Self.unannounced {
            // Removes a header that libcurl would set.
            unsafe lines = unsafe curl_slist_append(lines, "Expect:")
        }
        results.append(unsafe carchive_curl_set_pointer(handle, CURLOPT_HTTPHEADER, lines))
        results.append(unsafe carchive_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message))
        results.append(unsafe setBody(of: handle))
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let receivers = unsafe carchive_curl_set_receivers(
            handle, { unsafe CurlTransfer.take($0, $1 * $2, $3) { $0.header($1) } },
            { unsafe CurlTransfer.take($0, $1 * $2, $3) { $0.content($1) } }, context)
        results.append(receivers)
        results.append(
            unsafe carchive_curl_set_watchers(
                handle,
                { _, kind, _, count, context in
                    unsafe CurlTransfer.note(kind, count, context)
                }, { context, _, _, _, _ in unsafe CurlTransfer.goesOn(context) }, context))
        return results.allSatisfy { $0 == CURLE_OK }
    }

    private func setBody(of handle: UnsafeMutableRawPointer) -> CURLcode {
        guard let body = request.body else { return CURLE_OK }
        do {
            reader = try HTTPBodyReader(body)
        } catch {
            failure = error
            return CURLE_READ_ERROR
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe carchive_curl_set_sender(
            handle, { unsafe CurlTransfer.give($0, $1 * $2, $3) },
            { context, offset, _ in unsafe CurlTransfer.rewind(context, to: offset) }, context,
            curl_off_t(clamping: body.content.size))
    }

    /// Copies the next bytes of the body.
    ///
    /// - Returns: The number of bytes copied; 0 at the end.
    private static func give(
        _ start: UnsafeMutablePointer<CChar>?, _ room: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        guard let start = unsafe start, let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        do {
            let piece = try transfer.reader?.next(atMost: room) ?? []
            unsafe UnsafeMutableRawBufferPointer(start: start, count: room).copyBytes(from: piece)
            return piece.count
        } catch {
            transfer.failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Rewinds the body.
    ///
    /// - Returns: 0, or another number if that is not possible.
    private static func rewind(_ context: UnsafeMutableRawPointer?, to offset: curl_off_t) -> Int32
    {
        guard offset == 0, let context = unsafe context else { return CURL_SEEKFUNC_FAIL }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        transfer.reader?.rewind()
        return CURL_SEEKFUNC_OK
    }

    // MARK: The answer

    /// Receives bytes of the content.
    ///
    /// - Returns: The number of bytes accepted; any other number than `count` ends the transfer.
    private static func take(
        _ start: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ body: (CurlTransfer, [UInt8]) -> Bool
    ) -> Int {
        guard count > 0, let start = unsafe start, let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        return body(transfer, bytes) ? count : 0
    }

    /// Counts the received bytes of a response, without TLS overhead.
    private static func note(
        _ kind: curl_infotype, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard kind == CURLINFO_HEADER_IN || kind == CURLINFO_DATA_IN, let context = unsafe context
        else { return 0 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        transfer.received &+= UInt64(clamping: count)
        return 0
    }

    /// Checks whether the transfer should continue.
    ///
    /// - Returns: 0 to continue.
    private static func goesOn(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context = unsafe context else { return 1 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.isFlood ? 1 : 0
    }

    private var isFlood: Bool { received > sink.mostReceived }

    private func header(_ line: [UInt8]) -> Bool {
        if isFlood { return false }
        // Lines after the content are trailers, not headers.
        if hasBegun { return true }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // The final response after '100 Continue' also starts here.
            fields = []
            let words = text.split(whereSeparator: \.isWhitespace)
            status = words.dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":"), fields.count < Self.mostFields {
            fields.append(
                HTTPHeader(String(text[..<colon]), Self.trimmed(text[colon...].dropFirst())))
        }
        return true
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }

    private var head: HTTPHead { HTTPHead(status: status, headers: fields) }

    private func begin() throws {
        guard !hasBegun else { return }
        hasBegun = true
        try sink.begin(head)
    }

    private func content(_ bytes: [UInt8]) -> Bool {
        if isFlood { return false }
        do {
            try begin()
            if try sink.receive(bytes) { return true }
            isCut = true
        } catch {
            failure = error
        }
        return false
    }

    // MARK: The end

    func finish(_ result: CURLcode) {
        let continuation = continuation
        self.continuation = nil
        continuation?.resume(with: outcome(result))
    }

    private func outcome(_ result: CURLcode) -> Result<HTTPHead, any Error> {
        if isCancelled { return .failure(CancellationError()) }
        if let failure { return .failure(failure) }
        if isFlood { return .failure(HTTPFailure.flood(sink)) }
        if isCut { return .success(head) }
        guard result == CURLE_OK, status > 0 else { return .failure(reason(result)) }
        do {
            try begin()
            return .success(head)
        } catch {
            return .failure(error)
        }
    }

    private func reason(_ result: CURLcode) -> HTTPFailure {
        let text = unsafe String(cString: message)
        let usual = unsafe String(cString: curl_easy_strerror(result))
        let kind: HTTPFailure.Kind =
            switch result {
            // "CONNECT tunnel failed, response 403"
            case _ where text.contains("CONNECT") && text.contains("response 4"): .proxy
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
                CURLE_SSL_CONNECT_ERROR, CURLE_PROXY:
                .unreachable
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_ISSUER_ERROR:
                .certificate
            case CURLE_OPERATION_TIMEDOUT: .tooSlow
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_FAILED_INIT,
                CURLE_OUT_OF_MEMORY, CURLE_NOT_BUILT_IN:
                .impossible
            default: .interrupted
            }
        // Replaces libcurl's text if it has times or repeats the URL.
        let reason =
            switch result {
            case CURLE_COULDNT_RESOLVE_HOST: "its host name is not known here"
            case CURLE_COULDNT_RESOLVE_PROXY: "the proxy's host name is not known here"
            case CURLE_COULDNT_CONNECT: "nothing accepts the connection"
            case CURLE_OPERATION_TIMEDOUT:
                "no connection in time, or less than 1 KiB/s for too long"
            default: text.isEmpty ? usual : text
            }
        return HTTPFailure(kind, printable(reason.utf8.prefix(300)))
    }
}
