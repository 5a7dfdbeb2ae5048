/// Sends reading requests: follows redirects, repeats what may pass, and names what does not.
package struct HTTPClient: Sendable {
    private let transport: any HTTPTransport
    private let policy: RetryPolicy
    private let budget: RetryBudget
    private let random: @Sendable () -> Double

    static let longestRedirect = 3

    /// - Parameter random: gives numbers from 0 to 1.
    package init(
        _ transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy(),
        random: @escaping @Sendable () -> Double
    ) {
        self.transport = transport
        self.policy = policy
        self.random = random
        budget = RetryBudget(policy.budget)
    }

    /// Sends a request until it is answered.
    ///
    /// - Parameters:
    ///   - place: what is requested, as it may be shown.
    ///   - make: makes the request and its sink for each attempt: a download continues where it stopped.
    /// - Returns: the head of the last answer, which is no redirect and may be any other status.
    /// - Throws: ``HTTPError``; what the sink throws.
    package func send(
        _ place: String, _ make: () throws -> (HTTPRequest, any HTTPSink)
    ) async throws -> HTTPHead {
        var attempt = 0
        while true {
            let reason: String
            var demand: String?
            let result: Result<HTTPHead, HTTPError>
            do {
                let (request, sink) = try make()
                let head = try await follow(request, sink, place)
                guard RetryPolicy.statuses.contains(head.status) else { return head }
                demand = head["retry-after"]
                reason = "status \(head.status)"
                result = .success(head)
            } catch let failure as HTTPFailure {
                let error = HTTPError.failed(
                    place: place, failure.kind, reason: failure.reason)
                guard failure.mayPass else { throw error }
                reason = failure.reason
                result = .failure(error)
            }
            guard attempt < policy.retries else { return try result.get() }
            guard budget.take() else {
                throw HTTPError.gaveUp(place: place, retries: budget.total, reason: reason)
            }
            try await transport.wait(
                seconds: policy.wait(attempt: attempt, demand: demand, random: random()))
            attempt += 1
        }
    }

    /// Waits between two requests of a poll.
    package func wait(seconds: Double) async throws { try await transport.wait(seconds: seconds) }

    private func follow(
        _ request: HTTPRequest, _ sink: any HTTPSink, _ place: String
    ) async throws -> HTTPHead {
        var request = request
        for _ in 0...Self.longestRedirect {
            let head = try await transport.send(request, to: sink)
            guard head.isRedirect else { return head }
            request.url = try HTTPRedirect.target(of: head, from: request.url, place: place)
        }
        throw HTTPError.redirected(
            place: place, to: request.url,
            problem: "more than \(Self.longestRedirect) redirects")
    }
}
