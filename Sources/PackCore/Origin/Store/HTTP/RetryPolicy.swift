import Synchronization

/// When a request is repeated, and after how long.
package struct RetryPolicy: Sendable {
    /// How often one request is repeated.
    package var retries = 5
    package var firstWait = 0.2
    package var longestWait = 10.0
    /// The longest `Retry-After` that is waited for.
    package var longestDemand = 60.0
    /// Repetitions of a whole run: a dead server fails in a minute, not after hours.
    ///
    /// Enough for all requests that can run at once to be repeated as often as one may be, so that a pause of a few
    /// seconds ends no run.
    package var budget = 600

    package init() {}

    package static let statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Seconds before a repetition.
    ///
    /// - Parameters:
    ///   - attempt: 0 for the first one.
    ///   - demand: the server's `Retry-After`.
    ///   - random: from 0 to 1, so that many clients do not return at once.
    package func wait(attempt: Int, demand: String?, random: Double) -> Double {
        let doubled = (0..<min(attempt, 20)).reduce(firstWait) { wait, _ in wait * 2 }
        let wait = min(doubled * (0.5 + random), longestWait)
        // A date is not worth a clock: the usual wait is taken.
        guard let demand = demand.flatMap({ Int($0) }), demand > 0 else { return wait }
        return max(wait, min(Double(demand), longestDemand))
    }
}

/// The repetitions that are left to a run.
package final class RetryBudget: Sendable {
    private let left: Mutex<Int>
    package let total: Int

    package init(_ total: Int) {
        self.total = total
        left = Mutex(total)
    }

    /// Takes one; `false` where none is left.
    package func take() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
