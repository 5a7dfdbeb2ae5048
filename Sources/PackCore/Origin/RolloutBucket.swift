import PackGround
package import PackRelease

/// A device's position in a rollout: a reproducible number from 0 to 9,999.
///
/// A share of n % contains all buckets below 100 · n, so a growing share keeps its devices. The
/// salt determines the first devices. Releases have different salts, unless they are given the same
/// one.
package enum RolloutBucket {
    /// The bucket of a device (`docs/formats.md`).
    ///
    /// - Parameter salt: The entry's own salt, or its `packageHash`.
    package static func of(
        app: AppName, channel: Channel, salt: String, device: String
    ) -> Int {
        let text = "packtool rollout 1\n\(app)\n\(channel)\n\(salt)\n\(device)"
        let digest = StreamHasher.digest(of: Array(text.utf8))
        // 16 hexadecimal digits are 64 bits.
        let number = UInt64(digest.description.prefix(16), radix: 16) ?? 0
        return Int(number % 10_000)
    }

    /// Whether a bucket is in a share, in percent.
    package static func contains(_ bucket: Int, share: Int) -> Bool { bucket < 100 * share }
}
