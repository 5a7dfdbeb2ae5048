import PackGround

/// The conditions and delays of retries.
package struct RetryPolicy: Sendable {
    /// The maximum number of retries of a request.
    package var retries = 5
    package var firstWait = 0.2
    package var longestWait = 10.0
    /// The maximum accepted `Retry-After`, in seconds.
    package var longestDemand = 60.0
    /// The maximum number of retries of a run, so that a dead server fails in a minute, not after
    /// hours.
    ///
    /// Allows the maximum number of retries for all concurrent requests, so that a pause of a few
    /// seconds ends no run.
    package var budget = 600

    package init() {}

    package static let statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// The delay before a retry, in seconds.
    ///
    /// - Parameters:
    ///   - attempt: 0 for the first retry.
    ///   - demand: The server's `Retry-After`.
    ///   - random: A number from 0 to 1 that spreads the retries of many clients.
    package func wait(attempt: Int, demand: String?, random: Double) -> Double {
        let doubled = (0..<min(attempt, 20)).reduce(firstWait) { wait, _ in wait * 2 }
        let wait = min(doubled * (0.5 + random), longestWait)
        // A date would require a clock, so use the normal delay.
        guard let demand = demand.flatMap({ Int($0) }), demand > 0 else { return wait }
        return max(wait, min(Double(demand), longestDemand))
    }
}

/// The remaining retries of a run.
package final class RetryBudget: Sendable {
    private let left: Locked<Int>
    package let total: Int

    package init(_ total: Int) {
        self.total = total
        left = Locked(total)
    }

    /// Takes one retry; `false` if none is left.
    package func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
