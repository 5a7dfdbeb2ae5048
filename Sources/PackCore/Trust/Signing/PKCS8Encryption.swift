import Crypto
import CryptoExtras
import PackGround
import PackKeys
import PackTrust

/// EncryptedPrivateKeyInfo with PBES2 (docs/sources.md#rfc8018).
///
/// It writes PBKDF2 with HMAC-SHA-256 and AES-256-CBC, and reads the formats of OpenSSL's safer
/// settings.
enum PKCS8Encryption {
    // Limits for the numbers in a file, so that an untrusted file cannot keep the tool busy for
    // minutes.
    private static let roundLimits = 10_000...10_000_000
    private static let scryptCosts: Set<Int> = Set((10...14).map { 1 << $0 })

    private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    private static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
    private static let scrypt: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]
    private static let hmac: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02]
    private static let aes: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01]
    private static let aes256CBC = aes + [0x2A]

    private struct Parameters {
        var derivation: Derivation
        /// Bytes of the AES key.
        var keySize: Int
        var initialization: [UInt8]
    }

    private enum Derivation {
        case pbkdf2(salt: [UInt8], rounds: Int, KDF.Insecure.PBKDF2.HashFunction)
        case scrypt(salt: [UInt8], cost: Int, blockSize: Int, parallelism: Int)
    }

    static func read(
        _ bytes: [UInt8], _ passphrase: [UInt8], _ path: String
    ) throws(Failure) -> SigningKey {
        let parameters: Parameters
        let encrypted: [UInt8]
        do {
            var outer = DERReader(bytes)
            var info = try outer.inner(.sequence)
            try outer.finish()
            parameters = try readParameters(info.inner(.sequence), path)
            encrypted = try info.element(.octetString)
            try info.finish()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .keyNotAKey(
                path: path, problem: (error as? DERError)?.problem ?? "it is damaged")
        }
        do {
            var plain = Array(
                try AES._CBC.decrypt(
                    encrypted, using: derive(passphrase, parameters),
                    iv: .init(ivBytes: parameters.initialization)))
            defer { wipe(&plain) }
            return try PKCS8.read(plain, path)
        } catch let failure as Failure {
            throw failure
        } catch {
            // One in 256 wrong passphrases gives valid padding, but then the text is not DER.
            throw .keyWrongPassphrase(path: path)
        }
    }

    private static func derive(
        _ passphrase: [UInt8], _ parameters: Parameters
    ) throws -> SymmetricKey {
        switch parameters.derivation {
        case .pbkdf2(let salt, let rounds, let hash):
            try KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase, salt: salt, using: hash, outputByteCount: parameters.keySize,
                unsafeUncheckedRounds: rounds)
        case .scrypt(let salt, let cost, let blockSize, let parallelism):
            try KDF.Scrypt.deriveKey(
                from: passphrase, salt: salt, outputByteCount: parameters.keySize, rounds: cost,
                blockSize: blockSize, parallelism: parallelism)
        }
    }

    private static func readParameters(
        _ algorithm: DERReader, _ path: String
    ) throws -> Parameters {
        var algorithm = algorithm
        guard try algorithm.element(.objectIdentifier) == pbes2 else {
            throw Failure.keyUnsupported(path: path, what: "it is not encrypted with PBES2")
        }
        var parameters = try algorithm.inner(.sequence)
        try algorithm.finish()
        var derivation = try parameters.inner(.sequence)
        var cipher = try parameters.inner(.sequence)
        try parameters.finish()
        let name = try cipher.element(.objectIdentifier)
        // AES-128, 192 and 256 in CBC mode.
        guard name.count == aes.count + 1, name.starts(with: aes),
            let size = [2: 16, 0x16: 24, 0x2A: 32][name[aes.count]]
        else {
            throw Failure.keyUnsupported(path: path, what: "it is not encrypted with AES-CBC")
        }
        let initialization = try cipher.element(.octetString)
        try cipher.finish()
        guard initialization.count == 16 else {
            throw DERError(problem: "the initialization vector does not have 16 bytes")
        }
        return Parameters(
            derivation: try readDerivation(&derivation, keySize: size, path), keySize: size,
            initialization: initialization)
    }

    private static func readDerivation(
        _ derivation: inout DERReader, keySize: Int, _ path: String
    ) throws -> Derivation {
        let name = try derivation.element(.objectIdentifier)
        guard name == pbkdf2 || name == scrypt else {
            throw Failure.keyUnsupported(
                path: path, what: "its passphrase is not used by PBKDF2 or scrypt")
        }
        var values = try derivation.inner(.sequence)
        try derivation.finish()
        let salt = try values.element(.octetString)
        let cost = try values.integer()
        if name == scrypt {
            let blockSize = try values.integer()
            let parallelism = try values.integer()
            try readKeySize(&values, keySize)
            try values.finish()
            guard scryptCosts.contains(cost), (1...8).contains(blockSize),
                (1...4).contains(parallelism)
            else {
                throw Failure.keyUnsupported(
                    path: path,
                    what: "its scrypt cost is \(cost), block size \(blockSize), parallelism "
                        + "\(parallelism); the limits are 1,024 to 16,384, 8 and 4")
            }
            return .scrypt(
                salt: salt, cost: cost, blockSize: blockSize, parallelism: parallelism)
        }
        try readKeySize(&values, keySize)
        let hash = try readHash(&values, path)
        try values.finish()
        guard roundLimits.contains(cost) else {
            throw Failure.keyUnsupported(
                path: path,
                what: "its passphrase is hashed \(grouped(cost)) times; the limits are 10,000 to "
                    + "10,000,000")
        }
        return .pbkdf2(salt: salt, rounds: cost, hash)
    }

    private static func readKeySize(_ values: inout DERReader, _ size: Int) throws(DERError) {
        guard values.nextIs(.integer) else { return }
        guard try values.integer() == size else {
            throw DERError(problem: "its key size is not that of its cipher")
        }
    }

    private static func readHash(
        _ values: inout DERReader, _ path: String
    ) throws -> KDF.Insecure.PBKDF2.HashFunction {
        // The default is SHA-1.
        var name: [UInt8] = []
        if values.nextIs(.sequence) {
            var function = try values.inner(.sequence)
            name = try function.element(.objectIdentifier)
            if function.nextIs(.null) { _ = try function.element(.null) }
            try function.finish()
        }
        guard name.count == hmac.count + 1, name.starts(with: hmac) else {
            throw Failure.keyUnsupported(path: path, what: "its passphrase is hashed with SHA-1")
        }
        switch name[hmac.count] {
        case 9: return .sha256
        case 10: return .sha384
        case 11: return .sha512
        default:
            throw Failure.keyUnsupported(
                path: path, what: "its passphrase is hashed with SHA-1 or SHA-224")
        }
    }

    /// Encrypts a private key with a passphrase.
    static func encode(
        _ plain: [UInt8], _ passphrase: [UInt8], rounds: Int, salt: [UInt8],
        initialization: [UInt8]
    ) throws(Failure) -> [UInt8] {
        let parameters = Parameters(
            derivation: .pbkdf2(salt: salt, rounds: rounds, .sha256), keySize: 32,
            initialization: initialization)
        let encrypted: [UInt8]
        do {
            encrypted = Array(
                try AES._CBC.encrypt(
                    plain, using: derive(passphrase, parameters),
                    iv: .init(ivBytes: initialization)))
        } catch {
            throw .keyUnsupported(path: "the new key", what: "encrypting it failed")
        }
        let derivation = DERWriter.sequence(
            DERWriter.element(.objectIdentifier, pbkdf2),
            DERWriter.sequence(
                DERWriter.element(.octetString, salt), DERWriter.integer(rounds),
                DERWriter.sequence(
                    DERWriter.element(.objectIdentifier, hmac + [9]), DERWriter.element(.null, [])))
        )
        let cipher = DERWriter.sequence(
            DERWriter.element(.objectIdentifier, aes256CBC),
            DERWriter.element(.octetString, initialization))
        return DERWriter.sequence(
            DERWriter.sequence(
                DERWriter.element(.objectIdentifier, pbes2),
                DERWriter.sequence(derivation, cipher)),
            DERWriter.element(.octetString, encrypted))
    }
}
