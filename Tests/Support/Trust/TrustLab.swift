package import PackGround
import PackKeys
package import PackOrigin
import PackRelease
package import PackSigning
package import PackTrust

/// Roots and pointers for tests, signed by numbered keys.
package enum TrustLab {
    package static let now = Timestamp(seconds: 1_795_248_000)  // 2026-11-21T08:00:00Z

    package static func key(_ number: Int) throws -> SigningKey {
        if number < keys.count { return keys[number] }
        return try make(number)
    }

    /// Created once, because this takes the most time.
    private static let keys = (0..<24).compactMap { try? make($0) }

    private static func make(_ number: Int) throws -> SigningKey {
        try SigningKey(
            number.isMultiple(of: 5) ? .p256 : .ed25519,
            raw: [UInt8](repeating: UInt8(number + 1), count: 32), path: "key \(number)")
    }

    package static func id(_ number: Int) throws -> Digest { try key(number).publicKey.keyID }

    /// - Parameters:
    ///   - keys: The keys of the root role.
    ///   - release: The keys of the release role.
    package static func root(
        _ version: Int, keys: [Int], threshold: Int = 1, release: [Int] = [100],
        releaseThreshold: Int = 1, epoch: Int = 1, app: String = "shop",
        created: Timestamp = now, days: Int = 365, floors: [String: Int] = [:],
        roles: [TrustRoot.Role] = []
    ) throws -> TrustRoot {
        let all = Set(keys + release).sorted()
        return TrustRoot(
            app: try AppName(app), version: version, epoch: epoch, createdAt: created,
            expires: created.adding(days: days),
            keys: try all.map { TrustRoot.Key(try key($0).publicKey, name: "key \($0)") },
            roles: [
                .init(name: "root", keys: try keys.map(id), threshold: threshold),
                .init(name: "release", keys: try release.map(id), threshold: releaseThreshold),
            ] + roles,
            floors: try floors.sorted { $0.key < $1.key }.map {
                .init(channel: try Channel($0.key), sequence: $0.value)
            })
    }

    package static func file(_ root: TrustRoot, by signers: [Int]) throws -> [UInt8] {
        try envelope(TrustRoot.payloadType, TrustRootCoding.encode(root), by: signers).encode()
    }

    package static func signed(_ root: TrustRoot, by signers: [Int]) throws -> SignedRoot {
        try SignedRoot(file(root, by: signers), path: "root")
    }

    package static func envelope(
        _ type: String, _ payload: [UInt8], by signers: [Int]
    ) throws -> Envelope {
        let message = Envelope.signedBytes(payloadType: type, payload: payload)
        return Envelope(
            payloadType: type, payload: payload,
            signatures: try signers.map {
                let key = try key($0)
                return .init(
                    keyID: key.publicKey.keyID.description, bytes: try key.sign(message))
            })
    }

    package static func envelope(_ pointer: Pointer, by signers: [Int]) throws -> Envelope {
        try envelope(Envelope.pointerType, PointerCoding.encode(pointer), by: signers)
    }
}

/// A small generator with a seed, so that failures can be reproduced.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

    // Sebastiano Vigna's SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
