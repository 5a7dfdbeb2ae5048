import PackGround
package import PackOrigin

/// Signs and sends requests to one bucket, and retries transient failures.
package struct S3Client: Sendable {
    /// The settings of a run.
    package struct Settings: Sendable {
        package var address: S3Address
        package var endpoint: S3Endpoint
        package var policy = RetryPolicy()
        /// The current time, in seconds since 1970.
        package var clock: @Sendable () -> Int
        /// Returns a random number from 0 to 1.
        package var random: @Sendable () -> Double
        /// The limit of concurrent requests on this machine.
        package var mostConnections = Int.max
        /// Reads the credentials at the start and after a token has expired.
        package var credentials: @Sendable () async throws -> S3Credentials

        package init(
            _ address: S3Address, _ endpoint: S3Endpoint, clock: @escaping @Sendable () -> Int,
            random: @escaping @Sendable () -> Double,
            credentials: @escaping @Sendable () async throws -> S3Credentials
        ) {
            self.address = address
            self.endpoint = endpoint
            self.clock = clock
            self.random = random
            self.credentials = credentials
        }
    }

    private struct State {
        var credentials: S3Credentials?
        /// The number of times the credentials were read.
        var readings = 0
        /// The clock correction for signatures, in seconds.
        ///
        /// 0 until the store rejects a signature because of its time.
        var offset = 0
        /// The difference between the store's clock and the local clock in the last answer, in
        /// seconds.
        var ahead = 0
    }

    /// The state shared by all copies of a client.
    private final class Shared: Sendable {
        let state = Locked(State())
        let turns = KeyedLock()
    }

    private let transport: any HTTPTransport
    let settings: Settings
    private let budget: RetryBudget
    private let shared = Shared()

    package init(_ transport: any HTTPTransport, _ settings: Settings) {
        self.transport = transport
        self.settings = settings
        budget = RetryBudget(settings.policy.budget)
    }

    /// S3 error codes to retry, whatever the status.
    private static let passing: Set<String> = [
        "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "OperationAborted",
        "ConditionalRequestConflict", "Throttling", "ThrottlingException", "TooManyRequests",
    ]
    private static let expired: Set<String> = ["ExpiredToken", "TokenRefreshRequired"]

    // MARK: Sending

    /// Sends a request whose answer is empty or XML.
    func send(_ request: S3Request) async throws -> S3Answer {
        try await send(request) {
            (ContentSink(limit: 16 << 20, keepsBytes: true), [])
        }
    }

    /// Sends a request, with retries.
    ///
    /// - Parameter make: Creates the sink and the extra headers of each attempt.
    /// - Throws: ``Failure`` if there is no answer, or the sink's error.
    func send(
        _ request: S3Request, into make: () throws -> (any HTTPSink, [HTTPHeader])
    ) async throws -> S3Answer {
        var attempt = 0
        var isRepeated = false
        var hasSetClock = false
        var hasReadAgain = false
        while true {
            let (credentials, reading) = try await credentials()
            let offset = shared.state.withLock { $0.offset }
            let (reason, demand, result) = try await attemptOnce(
                request, credentials, offset, isRepeated, make)
            switch result {
            case .success(let answer):
                guard !isFinal(answer) else { return answer }
                if isSkewed(answer), !hasSetClock {
                    hasSetClock = true
                    if setClock(answer, after: offset) { continue }
                }
                if isExpired(answer, request), !hasReadAgain {
                    hasReadAgain = true
                    shared.state.withLock { state in
                        // Another request may have read newer credentials already.
                        if state.readings == reading { state.credentials = nil }
                    }
                    continue
                }
                guard mayPass(answer) else { return answer }
                isRepeated = isRepeated || answer.head.status >= 500 || answer.head.status == 409
            case .failure(let failure):
                guard failure.mayPass else { throw failed(request, failure.kind, reason) }
                isRepeated = isRepeated || failure.kind != .unreachable
            }
            guard attempt < settings.policy.retries else {
                switch result {
                case .success(let answer): return answer
                case .failure(let failure):
                    throw failed(request, failure.kind, reason)
                }
            }
            guard budget.take() else {
                throw Failure.s3RetriesExhausted(
                    path: request.shown, retries: budget.total, reason: reason)
            }
            try await transport.wait(
                seconds: settings.policy.wait(
                    attempt: attempt, demand: demand, random: settings.random()))
            attempt += 1
        }
    }

    /// Adds the host to the message, because an origin's address does not contain it.
    private func failed(
        _ request: S3Request, _ kind: HTTPFailure.Kind, _ reason: String
    ) -> Failure {
        let host = kind == .unreachable ? " (\(settings.endpoint.host))" : ""
        return .s3Failed(path: request.shown, kind, reason: reason + host)
    }

    private typealias Attempt = (
        reason: String, demand: String?, result: Result<S3Answer, HTTPFailure>
    )

    private func attemptOnce(
        _ request: S3Request, _ credentials: S3Credentials, _ offset: Int, _ isRepeated: Bool,
        _ make: () throws -> (any HTTPSink, [HTTPHeader])
    ) async throws -> Attempt {
        let (content, extra) = try make()
        let sink = S3Sink(content)
        let signed = sign(request, credentials, offset, extra)
        do {
            let head = try await transport.send(signed, to: sink)
            noteTime(of: head)
            let answer = try self.answer(head, sink, content, request, isRepeated)
            return (Self.reason(answer), head["retry-after"], .success(answer))
        } catch let failure as HTTPFailure {
            return (failure.reason, nil, .failure(failure))
        }
    }

    private static func reason(_ answer: S3Answer) -> String {
        "status \(answer.head.status)" + (answer.code.isEmpty ? "" : " \(answer.code)")
            + (answer.head.requestName.map { " (\($0))" } ?? "")
    }

    private func isFinal(_ answer: S3Answer) -> Bool {
        answer.isSuccess || answer.isMissing || answer.head.status == 412
            || answer.head.status == 416
    }

    private func mayPass(_ answer: S3Answer) -> Bool {
        RetryPolicy.statuses.contains(answer.head.status) || Self.passing.contains(answer.code)
    }

    /// - Throws: ``HTTPFailure`` for a truncated answer that looks complete.
    private func answer(
        _ head: HTTPHead, _ sink: S3Sink, _ content: any HTTPSink, _ request: S3Request,
        _ isRepeated: Bool
    ) throws -> S3Answer {
        if head.isSuccess { return try success(head, content, request, isRepeated) }
        guard let document = S3XML.parse(sink.errorBytes) else {
            return S3Answer(
                head: head, code: "", message: "", document: nil, isRepeated: isRepeated)
        }
        return failed(head, document, isRepeated)
    }

    /// Checks the content of an answer with a success status.
    ///
    /// A proxy may send a page with status 200, and a store may send this status before it fails.
    private func success(
        _ head: HTTPHead, _ content: any HTTPSink, _ request: S3Request, _ isRepeated: Bool
    ) throws -> S3Answer {
        if request.hasTag, head["etag"]?.isEmpty ?? true {
            throw HTTPFailure(.interrupted, "the answer to an upload has no ETag")
        }
        let plain = S3Answer(
            head: head, code: "", message: "", document: nil, isRepeated: isRepeated)
        guard let bytes = (content as? ContentSink)?.bytes,
            request.root != nil || request.method == .delete && !bytes.isEmpty
        else { return plain }
        let document = S3XML.parse(bytes)
        if let document, document.name == "Error" { return failed(head, document, isRepeated) }
        guard let document, document.name == request.root else {
            if head.isPage {
                throw Failure.s3NotS3(
                    path: request.shown, problem: "it is a web page", request: head.requestName)
            }
            throw HTTPFailure(
                .interrupted,
                request.root.map { "the answer is no complete '\($0)'" }
                    ?? "the answer to a deletion has content")
        }
        return S3Answer(
            head: head, code: "", message: "", document: document, isRepeated: isRepeated)
    }

    private func failed(_ head: HTTPHead, _ document: S3XML, _ isRepeated: Bool) -> S3Answer {
        let isError = document.name == "Error"
        return S3Answer(
            head: head, code: isError ? shown(document["Code"] ?? "Error", 60) : "",
            message: isError ? shown(document["Message"] ?? "", 200) : "", document: document,
            isRepeated: isRepeated)
    }

    /// Shortens and escapes text from the store for messages.
    func shown(_ text: String, _ limit: Int) -> String {
        printable(text.utf8.prefix(limit))
    }

    // MARK: Signing

    private func sign(
        _ request: S3Request, _ credentials: S3Credentials, _ offset: Int, _ extra: [HTTPHeader]
    ) -> HTTPRequest {
        let endpoint = settings.endpoint
        let path = endpoint.path(of: request.key)
        let query = S3Encoding.query(request.query)
        let time = AWSTime.stamp(settings.clock() + offset)
        let payload = request.body?.content.sha256.description ?? Self.emptyHash
        var headers = request.headers + extra
        headers.append(HTTPHeader("x-amz-content-sha256", payload))
        headers.append(HTTPHeader("x-amz-date", time))
        if let token = credentials.token {
            headers.append(HTTPHeader("x-amz-security-token", token))
        }
        let signer = SigV4(credentials, region: endpoint.region)
        let authorization = signer.authorization(
            .init(
                method: request.method.rawValue, path: path, query: query,
                headers: headers.filter { S3Request.isSigned($0.name) }
                    + [HTTPHeader("host", endpoint.host)], payload: payload), time: time)
        headers.append(HTTPHeader("Authorization", authorization))
        headers.append(HTTPHeader("Accept-Encoding", "identity"))
        return HTTPRequest(
            request.method, endpoint.url(path: path, query: query), headers: headers,
            body: request.body)
    }

    private static let emptyHash =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// The credentials and the number of their reading.
    private func credentials() async throws -> (S3Credentials, reading: Int) {
        if let present = presentCredentials { return present }
        // Reading credentials may start a program, so read them once.
        return try await shared.turns.withLock(at: "credentials") {
            if let present = presentCredentials { return present }
            let new = try await settings.credentials()
            return shared.state.withLock { state in
                state.credentials = new
                state.readings += 1
                return (new, state.readings)
            }
        }
    }

    /// The source of the credentials, for messages.
    var shownCredentials: String {
        shared.state.withLock { $0.credentials }?.shown ?? "the credentials"
    }

    private var presentCredentials: (S3Credentials, reading: Int)? {
        shared.state.withLock { state in state.credentials.map { ($0, state.readings) } }
    }

    /// The number of concurrent requests.
    ///
    /// A nearby store is limited by processors, a distant one by latency.
    package var connections: Int {
        guard let delay = transport.shortestDelay else { return Self.fewestConnections }
        return min(
            max(Self.fewestConnections, Int(delay * 640)), Self.mostConnections,
            settings.mostConnections)
    }

    /// Opens connections for requests that will follow.
    func openConnections(_ count: Int) {
        transport.openConnections(min(count, connections))
    }

    private static let fewestConnections = 32
    private static let mostConnections = 192

    /// Whether new credentials may help.
    ///
    /// The answer to a HEAD request has no error code, so its status must suffice.
    private func isExpired(_ answer: S3Answer, _ request: S3Request) -> Bool {
        Self.expired.contains(answer.code)
            || request.method == .head && [400, 403].contains(answer.head.status)
    }

    // MARK: The clock

    private func isSkewed(_ answer: S3Answer) -> Bool {
        ["RequestTimeTooSkewed", "RequestExpired", "AuthorizationQueryParametersError"]
            .contains(answer.code)
    }

    /// Switches to the store's clock.
    ///
    /// - Parameter offset: The clock correction of the rejected request. Another rejected request
    ///   may have changed it since.
    /// - Returns: Whether a retry uses a different time.
    private func setClock(_ answer: S3Answer, after offset: Int) -> Bool {
        guard answer.head["date"].flatMap(HTTPDate.seconds) != nil else { return false }
        return shared.state.withLock { state in
            defer { state.offset = state.ahead }
            return abs(offset - state.ahead) > 2
        }
    }

    private func noteTime(of head: HTTPHead) {
        guard let time = head["date"].flatMap(HTTPDate.seconds) else { return }
        let ahead = time - settings.clock()
        shared.state.withLock { $0.ahead = ahead }
    }

    /// The difference between the store's clock and the local clock in the last answer, in seconds.
    ///
    /// 0 before the first answer.
    package var ahead: Int { shared.state.withLock { $0.ahead } }
}
