import PackDeltaFile

/// Divides the limit of bytes coded one by one among the streams of a delta.
package struct CodingBudget: Equatable, Sendable {
    /// The limit of each stream; `nil` if together they may exceed the limit.
    ///
    /// Then the streams take what they need one after another.
    package let shares: [Int]?

    /// - Parameters:
    ///   - limit: The largest number of bytes of all streams.
    ///   - expected: The number of bytes expected in each of them.
    package init(limit: Int, expecting expected: [Int]) {
        let total = expected.reduce(0, +)
        guard !Self.mayExceed(limit, total) else {
            shares = nil
            return
        }
        shares = expected.map { Int(Double(limit) * Double($0) / Double(max(1, total))) }
    }

    /// Whether streams with this number of expected bytes may exceed the limit.
    static func mayExceed(_ limit: Int, _ expected: Int) -> Bool { expected > limit / 5 * 4 }
}
