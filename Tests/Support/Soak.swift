import Foundation

/// The extent of slow tests: everything in `make soak`, a sample otherwise.
package enum Soak {
    private static let variables = ProcessInfo.processInfo.environment

    package static let isLong = variables["PACKTOOL_SOAK"] != nil

    /// The days since 1970, so that each day tests another sample; `PACKTOOL_DAY` repeats one.
    package static let day =
        variables["PACKTOOL_DAY"].flatMap { UInt64($0) }
        ?? UInt64(Date().timeIntervalSince1970 / 86_400)

    /// All cases in the long form, otherwise `count` of them in their order.
    package static func sample<Cases: RandomAccessCollection>(
        _ cases: Cases, _ count: Int
    ) -> [Cases.Element] {
        guard !isLong, count < cases.count else { return Array(cases) }
        var noise = Noise(seed: day)
        return cases.indices.shuffled(using: &noise).prefix(count).sorted().map { cases[$0] }
    }
}
