import Crypto
package import PackGround

/// A public key that verifies signatures.
package struct PublicKey: Hashable, Sendable {
    /// The supported signature algorithms.
    package enum Algorithm: String, Sendable, CaseIterable {
        case ed25519 = "ed25519"
        case p256 = "ecdsa-p256-sha256"
    }

    package let algorithm: Algorithm
    /// The SubjectPublicKeyInfo in DER, in the algorithm's one form: a fixed prefix, then the key.
    package let spki: [UInt8]

    /// Reads a SubjectPublicKeyInfo.
    ///
    /// - Returns: `nil` for another algorithm or encoding, a point that is not on the curve, and
    ///   for Ed25519 a point that is not in its shortest form or of small order: for such a point,
    ///   signatures can be made without a private key.
    package init?(spki: [UInt8]) {
        guard
            let algorithm = Algorithm.allCases.first(where: {
                spki.starts(with: $0.prefix) && spki.count == $0.prefix.count + $0.size
            })
        else { return nil }
        self.algorithm = algorithm
        self.spki = spki
        switch algorithm {
        case .ed25519: guard !Ed25519Point.isWeak(raw) else { return nil }
        case .p256:
            guard (try? P256.Signing.PublicKey(x963Representation: [4] + raw)) != nil else {
                return nil
            }
        }
    }

    /// The SHA-256 of the SubjectPublicKeyInfo, which identifies the key everywhere.
    package var keyID: PackGround.Digest { StreamHasher.digest(of: spki) }

    /// The raw key: 32 bytes, or x and y of 32 bytes each.
    package var raw: [UInt8] { Array(spki.dropFirst(algorithm.prefix.count)) }

    /// Whether a signature of 64 bytes over a message was made with the matching private key.
    package func isValid(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        switch algorithm {
        case .ed25519:
            return (try? Curve25519.Signing.PublicKey(rawRepresentation: raw))?
                .isValidSignature(signature, for: message) ?? false
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: [4] + raw),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }

    // MARK: Files

    /// Reads the PEM of a public key.
    ///
    /// - Parameter path: The file, for messages.
    package init(pem: [UInt8], path: String) throws(Failure) {
        guard let block = PEM(pem) else {
            throw .keyNotAKey(path: path, problem: "it is not one PEM block")
        }
        guard block.label == "PUBLIC KEY" else {
            throw .keyNotAKey(
                path: path,
                problem: "it contains '\(printable(block.label.utf8))', not a public key")
        }
        guard let key = PublicKey(spki: block.content) else {
            if block.content.starts(with: Algorithm.ed25519.prefix), block.content.count == 44 {
                throw .keyWeak(path: path)
            }
            throw .keyUnsupported(
                path: path, what: "it is neither an Ed25519 nor an uncompressed P-256 key")
        }
        self = key
    }

    package var pem: [UInt8] { PEM.encode("PUBLIC KEY", spki) }
}

extension PublicKey.Algorithm {
    /// The bytes before the key in its SubjectPublicKeyInfo (docs/sources.md#rfc8410,
    /// docs/sources.md#rfc5480).
    package var prefix: [UInt8] {
        switch self {
        case .ed25519: [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        case .p256:
            [
                0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06,
                0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
            ]
        }
    }

    /// The size of the key after the prefix, in bytes.
    var size: Int {
        switch self {
        case .ed25519: 32
        case .p256: 64
        }
    }

    /// Converts a signature, which a key service may have written in DER, to 64 bytes.
    package func fixedLength(_ signature: [UInt8]) -> [UInt8] {
        switch self {
        case .ed25519: return signature
        case .p256:
            guard signature.count != 64,
                let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            else { return signature }
            return Array(parsed.rawRepresentation)
        }
    }
}

/// Points that are invalid as Ed25519 keys.
enum Ed25519Point {
    /// Whether a point is of small order, or its y is not below 2^255 - 19.
    ///
    /// Comparing y is enough: such points have five values of y (Ed25519 has eight points of small
    /// order, some of which differ only in the sign of x, which is the highest bit).
    static func isWeak(_ point: [UInt8]) -> Bool {
        var y = point
        guard y.count == 32 else { return true }
        y[31] &= 0x7F
        return !isCanonical(y) || smallOrder.contains(y)
    }

    private static func isCanonical(_ y: [UInt8]) -> Bool {
        guard y[31] == 0x7F, y[1..<31].allSatisfy({ $0 == 0xFF }) else { return true }
        return y[0] < 0xED
    }

    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF,
            0x98, 0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88,
            0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10,
            0x67, 0x0F, 0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77,
            0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
}
