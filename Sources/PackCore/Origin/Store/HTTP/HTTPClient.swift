import PackGround

/// Sends read requests: follows redirects, retries transient failures and reports the others.
package struct HTTPClient: Sendable {
    private let transport: any HTTPTransport
    private let policy: RetryPolicy
    private let budget: RetryBudget
    private let random: @Sendable () -> Double

    static let longestRedirect = 3

    /// - Parameter random: Returns numbers from 0 to 1.
    package init(
        _ transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
        random: @escaping @Sendable () -> Double
    ) {
        self.transport = transport
        self.policy = policy
        self.random = random
        budget = RetryBudget(policy.budget)
    }

    /// Sends a request, with retries, until it has an answer.
    ///
    /// - Parameters:
    ///   - place: The requested key or address for messages, without secrets.
    ///   - make: Creates the request and the sink of each attempt: a download continues at its last
    ///     byte.
    /// - Returns: The head of the last answer: any status except a redirect.
    /// - Throws: ``Failure``; an error of the sink.
    package func send(
        _ path: String, _ make: () throws -> (HTTPRequest, any HTTPSink)
    ) async throws -> HTTPHead {
        var attempt = 0
        while true {
            let reason: String
            var demand: String?
            let result: Result<HTTPHead, Failure>
            do {
                let (request, sink) = try make()
                let head = try await follow(request, sink, path)
                guard RetryPolicy.statuses.contains(head.status) else { return head }
                demand = head["retry-after"]
                reason = "status \(head.status)"
                result = .success(head)
            } catch let failure as HTTPFailure {
                let error = Failure.httpFailed(
                    path: path, failure.kind, reason: failure.reason)
                guard failure.mayPass else { throw error }
                reason = failure.reason
                result = .failure(error)
            }
            guard attempt < policy.retries else { return try result.get() }
            guard budget.take() else {
                throw Failure.httpRetriesExhausted(
                    path: path, retries: budget.total, reason: reason)
            }
            try await transport.wait(
                seconds: policy.wait(attempt: attempt, demand: demand, random: random()))
            attempt += 1
        }
    }

    /// Waits between two polls.
    package func wait(seconds: Double) async throws { try await transport.wait(seconds: seconds) }

    private func follow(
        _ request: HTTPRequest, _ sink: any HTTPSink, _ path: String
    ) async throws -> HTTPHead {
        var request = request
        for _ in 0...Self.longestRedirect {
            let head = try await transport.send(request, to: sink)
            guard head.isRedirect else { return head }
            request.url = try HTTPRedirect.target(of: head, from: request.url, path: path)
        }
        throw Failure.httpRedirected(
            path: path, to: request.url,
            problem: "more than \(Self.longestRedirect) redirects")
    }
}
