package import PackGround

/// The version of an app in its store: 1 to 4 numbers of at most 9 digits, joined by dots.
///
/// Missing numbers of a lowest version count as 0; a highest version `3.4` includes all `3.4.x`. So
/// `3.4` and `3.4.0` are different values.
package struct NativeVersion: Sendable, CustomStringConvertible {
    package let description: String
    private let numbers: [Int]

    /// - Throws: ``Failure``.
    package init(_ text: String) throws(Failure) {
        let fail = { (problem: String) in
            Failure.invalidArgument(
                kind: "native version", word: text, problem: problem, example: "3.2")
        }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), maxSplits: 8, omittingEmptySubsequences: false)
        guard parts.count <= Self.mostNumbers else { throw fail("has more than 4 numbers") }
        var numbers: [Int] = []
        for part in parts {
            guard part.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                part.count <= Self.mostDigits, let number = Int(String(Substring(part)))
            else { throw fail("is not 1 to 4 numbers of at most 9 digits, joined by dots") }
            numbers.append(number)
        }
        description = text
        self.numbers = numbers
    }

    private static let mostNumbers = 4
    private static let mostDigits = 9

    private func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }

    /// Whether this version is older than another one.
    func isBelow(_ other: NativeVersion) -> Bool {
        for index in 0..<Self.mostNumbers where number(index) != other.number(index) {
            return number(index) < other.number(index)
        }
        return false
    }

    /// Whether this version is newer than a highest version, which includes all versions that start
    /// with it: `3.4.9` is not above `3.4`.
    func isAbove(highest: NativeVersion) -> Bool {
        for index in highest.numbers.indices where number(index) != highest.number(index) {
            return number(index) > highest.number(index)
        }
        return false
    }

    /// Whether a range up to this version includes all versions up to another one.
    fileprivate func covers(highest other: NativeVersion) -> Bool {
        // `3.4` includes all 3.4.x, so it covers `3.4.9`, but not the reverse.
        for index in numbers.indices {
            guard index < other.numbers.count else { return false }
            if number(index) != other.number(index) {
                return number(index) > other.number(index)
            }
        }
        return true
    }
}

extension NativeVersion: Hashable {
    package static func == (one: NativeVersion, other: NativeVersion) -> Bool {
        one.description == other.description
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// The versions of an app that can run a release.
package struct NativeRange: Hashable, Sendable {
    /// `nil` for no limit.
    package var lowest: NativeVersion?
    /// The highest version, including all versions that start with it; `nil` for no limit.
    package var highest: NativeVersion?

    package init(lowest: NativeVersion? = nil, highest: NativeVersion? = nil) {
        self.lowest = lowest
        self.highest = highest
    }

    package var isUnlimited: Bool { lowest == nil && highest == nil }

    /// Whether no version is within the limits.
    package var isEmpty: Bool {
        guard let lowest, let highest else { return false }
        return lowest.isAbove(highest: highest)
    }

    /// The reason why an app cannot run a release.
    package enum Problem: Equatable, Sendable { case unknown, tooOld, tooNew }

    /// The reason why a range excludes a version of an app; `nil` if it does not.
    package func problem(with version: NativeVersion?) -> Problem? {
        if isUnlimited { return nil }
        guard let version else { return .unknown }
        if let lowest, version.isBelow(lowest) { return .tooOld }
        if let highest, version.isAbove(highest: highest) { return .tooNew }
        return nil
    }

    /// Whether this range includes every version of another range.
    func includes(_ other: NativeRange) -> Bool {
        if let lowest {
            guard let least = other.lowest, !least.isBelow(lowest) else { return false }
        }
        if let highest {
            guard let most = other.highest, highest.covers(highest: most) else { return false }
        }
        return true
    }
}
