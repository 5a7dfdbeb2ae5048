import Crypto
package import PackGround
package import PackKeys
import PackTrust

/// A private key in memory.
///
/// The crypto library overwrites its memory when it is freed.
package struct SigningKey: Sendable, CustomStringConvertible {
    private enum Secret: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    private let secret: Secret
    package let publicKey: PublicKey

    /// The key's id; never the secret, so that keys can be printed.
    package var description: String { "key \(publicKey.keyID)" }

    /// Generates a new key from the system's random numbers.
    package init(generating algorithm: PublicKey.Algorithm) throws(Failure) {
        switch algorithm {
        case .ed25519:
            try self.init(.ed25519(Curve25519.Signing.PrivateKey()), path: "the new key")
        case .p256: try self.init(.p256(P256.Signing.PrivateKey()), path: "the new key")
        }
    }

    /// A key from its seed (Ed25519) or number (P-256), 32 bytes.
    package init(
        _ algorithm: PublicKey.Algorithm, raw: [UInt8], path: String
    ) throws(Failure) {
        let secret: Secret
        do {
            switch algorithm {
            case .ed25519:
                secret = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: raw))
            case .p256: secret = .p256(try P256.Signing.PrivateKey(rawRepresentation: raw))
            }
        } catch {
            throw .keyNotAKey(path: path, problem: "its number is out of range")
        }
        try self.init(secret, path: path)
    }

    private init(_ secret: Secret, path: String) throws(Failure) {
        let raw: [UInt8]
        let algorithm: PublicKey.Algorithm
        switch secret {
        case .ed25519(let key):
            (algorithm, raw) = (.ed25519, Array(key.publicKey.rawRepresentation))
        case .p256(let key): (algorithm, raw) = (.p256, Array(key.publicKey.rawRepresentation))
        }
        guard let publicKey = PublicKey(spki: algorithm.prefix + raw) else {
            throw .keyWeak(path: path)
        }
        self.secret = secret
        self.publicKey = publicKey
    }

    /// Signs a message; the signature has 64 bytes.
    ///
    /// Ed25519 signatures are randomised on some platforms, so signatures must not be compared.
    package func sign(_ message: [UInt8]) throws(Failure) -> [UInt8] {
        do {
            switch secret {
            case .ed25519(let key): return Array(try key.signature(for: message))
            case .p256(let key): return Array(try key.signature(for: message).rawRepresentation)
            }
        } catch {
            throw .keyUnsupported(path: "the key \(publicKey.keyID)", what: "signing failed")
        }
    }

    /// Seed or number; the caller must overwrite it.
    var raw: [UInt8] {
        switch secret {
        case .ed25519(let key): Array(key.rawRepresentation)
        case .p256(let key): Array(key.rawRepresentation)
        }
    }
}
