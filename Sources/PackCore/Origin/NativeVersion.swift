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

    private init(numbers: [Int]) {
        description = numbers.map { "\($0)" }.joined(separator: ".")
        self.numbers = numbers
    }

    /// The highest version, which no app has.
    fileprivate static let highestPossible = NativeVersion(
        numbers: [Int](repeating: 999_999_999, count: mostNumbers))

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
    fileprivate func includes(_ other: NativeRange) -> Bool {
        if let lowest {
            guard let least = other.lowest, !least.isBelow(lowest) else { return false }
        }
        if let highest {
            guard let most = other.highest, highest.covers(highest: most) else { return false }
        }
        return true
    }
}

/// The versions of an app that can run a release, by platform.
package struct NativeRanges: Hashable, Sendable {
    package let ios: NativeRange
    package let android: NativeRange
    /// The range of clients that name no platform.
    package let others: NativeRange

    /// Ranges as read from a pointer.
    init(ios: NativeRange, android: NativeRange, others: NativeRange) {
        self.ios = ios
        self.android = android
        self.others = others
    }

    /// One range for all platforms.
    package init(_ range: NativeRange = NativeRange()) {
        self.init(ios: range, android: range, others: range)
    }

    /// A range for each platform; clients that name none get the versions in both.
    package init(ios: NativeRange, android: NativeRange) {
        self.init(ios: ios, android: android, others: ios.intersection(android))
    }

    /// The range of a client.
    package subscript(platform: AppPlatform?) -> NativeRange {
        switch platform {
        case .ios: ios
        case .android: android
        case nil: others
        }
    }

    private var all: [NativeRange] { [ios, android, others] }

    package var isUnlimited: Bool { all.allSatisfy(\.isUnlimited) }

    /// Whether the ranges of all clients are equal.
    package var isUniform: Bool { ios == others && android == others }

    /// Whether the ranges include every version of other ranges, on each platform.
    func includes(_ other: NativeRanges) -> Bool {
        zip(all, other.all).allSatisfy { $0.includes($1) }
    }

    /// The limits in short sentences, such as `native 3.2 or later`; empty without limits.
    package func limits(of name: String) -> [String] {
        if isUniform { return others.limits(of: name) }
        return AppPlatform.allCases.flatMap { platform in
            self[platform].limits(of: name).map { "\($0) on \(platform.name)" }
        }
    }
}

extension NativeRange {
    fileprivate func limits(of name: String) -> [String] {
        [
            lowest.map { "\(name) \($0) or later" }, highest.map { "\(name) \($0) or earlier" },
        ].compactMap { $0 }
    }

    /// The versions in both ranges.
    fileprivate func intersection(_ other: NativeRange) -> NativeRange {
        var common = self
        if let lowest = other.lowest, self.lowest?.isBelow(lowest) ?? true {
            common.lowest = lowest
        }
        if let highest = other.highest, !(self.highest.map { highest.covers(highest: $0) } ?? false)
        {
            common.highest = highest
        }
        return common.isEmpty ? .nowhere : common
    }

    /// The range of a release that no version can run.
    ///
    /// Readers refuse a range without any version, so it contains only the highest possible one.
    private static let nowhere = NativeRange(lowest: .highestPossible)

    /// Whether no real version is within the limits.
    package var isNowhere: Bool { self == .nowhere }
}
