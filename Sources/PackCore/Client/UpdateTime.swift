package import PackOrigin
package import PackRelease

/// Estimates of the time that an update takes on a device, in seconds.
///
/// A device fetches the delta first, which is always smaller than the package and measures the
/// link. Then it applies it, unless fetching and unpacking the package would be faster.
package struct UpdateTime: Equatable, Sendable {
    /// The processor's speed; 1 is a core that decodes a byte of the aligned coder in 0.8 µs.
    package var speed: Double
    /// The measured link, in bytes per second; `nil` if unknown.
    package var link: Double?

    /// The speed of a device that has not applied a delta yet: a phone of about 2021.
    package static let usualSpeed = Double(usualPercent) / 100
    static let usualPercent = 30
    /// The device at which all other speeds are measured.
    package static let reference = UpdateTime(speed: 1)
    /// The smallest delta, in bytes, whose transfer measures a link.
    package static let measuring: UInt64 = 64 << 10
    /// The package must be faster than this share of the delta's time: it costs more bytes.
    private static let gain = 0.75

    package init(speed: Double = Self.usualSpeed, link: Double? = nil) {
        self.speed = speed
        self.link = link
    }

    /// The time to apply deltas one after the other.
    package func applying(_ needs: [Pointer.Needs]) -> Double {
        needs.reduce(0) { $0 + Double($1.coded) * 0.8e-6 + Double($1.copied) * 0.02e-6 } / speed
    }

    /// The time to unpack a package.
    package func unpacking(_ tree: TreeSize) -> Double {
        (Double(tree.size) * 0.03e-6 + Double(tree.assets) * 40e-6) / speed
    }

    /// The time to fetch a file; `nil` if the link is unknown.
    package func fetching(_ bytes: UInt64) -> Double? { link.map { Double(bytes) / max($0, 1) } }

    /// Whether the package is faster than deltas that are already fetched.
    package func prefersPackage(of entry: Pointer.Entry, to deltas: [Pointer.Delta]) -> Bool {
        guard deltas.contains(where: { $0.content.size >= Self.measuring }),
            let fetching = fetching(entry.package.size)
        else { return false }
        return fetching + unpacking(entry.tree) < Self.gain * applying(deltas.map(\.needs))
    }

    /// The speed of a device, in percent, after work that took some seconds.
    ///
    /// One measurement lowers the speed to half at most: an app may be suspended during the work.
    ///
    /// - Parameters:
    ///   - old: The speed before.
    ///   - reference: The time of the work at speed 1; below 20 ms, the speed stays.
    package static func speed(after old: Int?, _ seconds: Double, reference: Double) -> Int? {
        guard reference >= 0.02, seconds > 0 else { return old }
        let measured = Int(min(max(reference / seconds, 0.01), 100) * 100)
        return max(measured, (old ?? usualPercent) / 2, 1)
    }
}
