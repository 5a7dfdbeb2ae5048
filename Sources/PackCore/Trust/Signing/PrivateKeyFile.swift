package import PackGround
import PackKeys
import PackTrust

/// PEM files of private keys: PKCS#8, encrypted or plain (docs/sources.md#rfc5958).
package enum PrivateKeyFile {
    /// The content of a file before decryption.
    package enum Kind: Sendable {
        case plain, encrypted
    }

    /// Whether a file needs a passphrase.
    package static func kind(_ pem: [UInt8], path: String) throws(Failure) -> Kind {
        try block(pem, path).kind
    }

    /// Reads a key.
    ///
    /// - Parameters:
    ///   - passphrase: For an encrypted key.
    ///   - place: The file, for messages.
    package static func read(
        _ pem: [UInt8], passphrase: [UInt8]?, path: String
    ) throws(Failure) -> SigningKey {
        var (kind, content) = try block(pem, path)
        defer { wipe(&content) }
        guard kind == .encrypted else {
            do {
                return try PKCS8.read(content, path)
            } catch let failure as Failure {
                throw failure
            } catch {
                throw .keyNotAKey(path: path, problem: "\(problem(error))")
            }
        }
        guard let passphrase else { throw .keyNeedsPassphrase(path: path) }
        return try PKCS8Encryption.read(content, passphrase, path)
    }

    private static func problem(_ error: any Error) -> String {
        (error as? DERError)?.problem ?? "it is damaged"
    }

    private static func block(
        _ pem: [UInt8], _ path: String
    ) throws(Failure) -> (kind: Kind, content: [UInt8]) {
        guard let block = PEM(pem) else {
            throw .keyNotAKey(path: path, problem: "it is not one PEM block")
        }
        switch block.label {
        case "PRIVATE KEY": return (.plain, block.content)
        case "ENCRYPTED PRIVATE KEY": return (.encrypted, block.content)
        case "PUBLIC KEY":
            throw .keyNotAKey(
                path: path, problem: "it is a public key; the private one is needed")
        default:
            throw .keyUnsupported(
                path: path,
                what: "it is '\(printable(block.label.utf8))'; "
                    + "'openssl pkey -in FILE -out NEW' turns it into PKCS#8")
        }
    }

    /// OWASP's recommendation for PBKDF2 with HMAC-SHA-256; takes 0.2 s on one core.
    package static let rounds = 600_000

    /// Writes an encrypted key.
    ///
    /// - Parameters:
    ///   - rounds: The iterations of PBKDF2.
    ///   - salt: 16 random bytes.
    ///   - initialization: 16 other random bytes.
    /// - Throws: ``Failure/keyEmptyPassphrase``.
    package static func encode(
        _ key: SigningKey, passphrase: [UInt8], rounds: Int = rounds, salt: [UInt8],
        initialization: [UInt8]
    ) throws(Failure) -> [UInt8] {
        guard !passphrase.isEmpty else { throw .keyEmptyPassphrase }
        var plain = PKCS8.encode(key)
        defer { wipe(&plain) }
        return PEM.encode(
            "ENCRYPTED PRIVATE KEY",
            try PKCS8Encryption.encode(
                plain, passphrase, rounds: rounds, salt: salt, initialization: initialization))
    }

    /// Writes an unencrypted key, for storage that protects secrets itself.
    package static func encodePlain(_ key: SigningKey) -> [UInt8] {
        var plain = PKCS8.encode(key)
        defer { wipe(&plain) }
        return PEM.encode("PRIVATE KEY", plain)
    }
}

/// PrivateKeyInfo (docs/sources.md#rfc5958) of the two algorithms (docs/sources.md#rfc8410,
/// docs/sources.md#rfc5915).
enum PKCS8 {
    private static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
    private static let ellipticCurve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    /// Reads a private key.
    ///
    /// - Throws: ``DERError``, ``Failure``.
    static func read(_ bytes: [UInt8], _ path: String) throws -> SigningKey {
        var outer = DERReader(bytes)
        var info = try outer.inner(.sequence)
        try outer.finish()
        let version = try info.integer()
        guard version <= 1 else { throw DERError(problem: "its version is \(version)") }
        var identifier = try info.inner(.sequence)
        let name = try identifier.element(.objectIdentifier)
        // The crypto library does not compare the algorithm, so an X25519 key would be accepted as
        // Ed25519.
        let algorithm: PublicKey.Algorithm
        switch name {
        case ed25519: algorithm = .ed25519
        case ellipticCurve:
            guard identifier.nextIs(.objectIdentifier),
                try identifier.element(.objectIdentifier) == p256
            else {
                throw Failure.keyUnsupported(
                    path: path, what: "it is on another curve than P-256")
            }
            algorithm = .p256
        default:
            throw Failure.keyUnsupported(
                path: path, what: "it is neither an Ed25519 nor a P-256 key")
        }
        try identifier.finish()
        var content = try info.element(.octetString)
        defer { wipe(&content) }
        if info.nextIs(.context0) { _ = try info.element(.context0) }
        var stated: [UInt8]?
        if version == 1, info.nextIs(.primitive1) { stated = try info.element(.primitive1) }
        try info.finish()
        var raw: [UInt8]
        if algorithm == .ed25519 {
            var inner = DERReader(content)
            raw = try inner.element(.octetString)
            try inner.finish()
        } else {
            raw = try ellipticCurveKey(content, &stated)
        }
        defer { wipe(&raw) }
        guard raw.count == 32 else { throw DERError(problem: "its number does not have 32 bytes") }
        let key = try SigningKey(algorithm, raw: raw, path: path)
        // A BIT STRING starts with the number of unused bits.
        let own = [0] + (algorithm == .p256 ? [4] : []) + key.publicKey.raw
        guard stated == nil || stated == own else {
            throw DERError(problem: "the public key in it belongs to another private key")
        }
        return key
    }

    /// ECPrivateKey.
    private static func ellipticCurveKey(
        _ bytes: [UInt8], _ stated: inout [UInt8]?
    ) throws(DERError) -> [UInt8] {
        var outer = DERReader(bytes)
        var key = try outer.inner(.sequence)
        try outer.finish()
        guard try key.integer() == 1 else { throw DERError(problem: "its version is not 1") }
        let raw = try key.element(.octetString)
        if key.nextIs(.context0) {
            var parameters = try key.inner(.context0)
            guard try parameters.element(.objectIdentifier) == p256 else {
                throw DERError(problem: "it names two curves")
            }
            try parameters.finish()
        }
        if key.nextIs(.context1) {
            var point = try key.inner(.context1)
            stated = try point.element(.bitString)
            try point.finish()
        }
        try key.finish()
        return raw
    }

    /// Encodes a key; the caller must overwrite the result.
    package static func encode(_ key: SigningKey) -> [UInt8] {
        var raw = key.raw
        defer { wipe(&raw) }
        let version = DERWriter.integer(0)
        switch key.publicKey.algorithm {
        case .ed25519:
            return DERWriter.sequence(
                version, DERWriter.sequence(DERWriter.element(.objectIdentifier, ed25519)),
                DERWriter.element(.octetString, DERWriter.element(.octetString, raw)))
        case .p256:
            let point = DERWriter.element(.bitString, [0, 4] + key.publicKey.raw)
            let inner = DERWriter.sequence(
                DERWriter.integer(1), DERWriter.element(.octetString, raw),
                DERWriter.element(.context1, point))
            return DERWriter.sequence(
                version,
                DERWriter.sequence(
                    DERWriter.element(.objectIdentifier, ellipticCurve),
                    DERWriter.element(.objectIdentifier, p256)),
                DERWriter.element(.octetString, inner))
        }
    }
}
