import PackGround
package import PackRelease

/// Which part of a rollout a device belongs to: a number from 0 to 9,999 that anybody can compute again.
///
/// A share of n % is all buckets below 100 · n, so a share that grows keeps its devices. The salt decides who is
/// first: releases have their own, unless they name one together.
package enum RolloutBucket {
    /// The bucket of a device (`docs/formats.md`).
    ///
    /// - Parameter salt: an entry's own, or its `packageHash`.
    package static func of(
        app: AppName, channel: Channel, salt: String, device: String
    ) -> Int {
        let text = "packtool rollout 1\n\(app)\n\(channel)\n\(salt)\n\(device)"
        let digest = StreamHasher.digest(of: Array(text.utf8))
        // 16 hexadecimal digits are 64 bits.
        let number = UInt64(digest.description.prefix(16), radix: 16) ?? 0
        return Int(number % 10_000)
    }

    /// Whether a bucket is in a share of the devices.
    package static func contains(_ bucket: Int, share: Int) -> Bool { bucket < 100 * share }
}
