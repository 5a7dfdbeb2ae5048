import Foundation
import PackGround
import PackKeys
import PackSigning
import TestSupport
import Testing

/// Key files are interoperable with OpenSSL in both directions.
struct KeyFileTests {
    private static let passphrase = Array("correct horse".utf8)
    private static let algorithms = PublicKey.Algorithm.allCases

    private func openssl(_ folder: TemporaryFolder, _ line: String) async throws -> Run {
        let run = try await ForeignTool("openssl").run(
            line.split(separator: " ").map(String.init), in: folder.path)
        return run
    }

    private func generate(
        _ algorithm: PublicKey.Algorithm, in folder: TemporaryFolder
    ) async throws {
        let kind = algorithm == .ed25519 ? "ed25519" : "EC -pkeyopt ec_paramgen_curve:P-256"
        let run = try await openssl(folder, "genpkey -algorithm \(kind) -out plain.pem")
        #expect(run.status == 0, "\(run.all)")
    }

    private func publicKey(_ file: String, in folder: TemporaryFolder) async throws -> [UInt8] {
        let run = try await openssl(
            folder, "pkey -in \(file) -passin pass:correct\u{20}horse -pubout -outform DER")
        return run.bytes
    }

    /// OpenSSL's encryption options, and whether packtool can read the result.
    static let encryptions: [(String, Bool)] = [
        ("-v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 600000", true),
        ("-v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 10000", true),
        ("-v2 aes-128-cbc -v2prf hmacWithSHA512 -iter 20000", true),
        ("-v2 aes-192-cbc -v2prf hmacWithSHA384 -iter 20000", true),
        ("-scrypt -scrypt_N 1024", true), ("-scrypt", true),
        ("-v2 aes-256-cbc -v2prf hmacWithSHA1 -iter 20000", false),
        ("-v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 2048", false),
        ("-v2 des3 -v2prf hmacWithSHA256 -iter 20000", false),
        ("-v2 aes-256-cbc -v2prf hmacWithSHA224 -iter 20000", false),
    ]

    @Test(arguments: algorithms, encryptions) func readsOpenSSL(
        _ algorithm: PublicKey.Algorithm, _ encryption: (options: String, isRead: Bool)
    ) async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        try await generate(algorithm, in: folder)
        _ = try folder.write(Self.passphrase, as: "pass")
        let run = try await openssl(
            folder,
            "pkcs8 -topk8 -in plain.pem -out key.pem -passout file:pass \(encryption.options)")
        #expect(run.status == 0, "\(run.all)")
        let file = try folder.read("key.pem")
        let spki = try await openssl(folder, "pkey -in plain.pem -pubout -outform DER").bytes
        guard encryption.isRead else {
            expectFailure(of: "key") {
                try PrivateKeyFile.read(file, passphrase: Self.passphrase, path: "key.pem")
            }
            return
        }
        let key = try PrivateKeyFile.read(file, passphrase: Self.passphrase, path: "key.pem")
        #expect(key.publicKey.spki == spki)
        #expect(key.publicKey.algorithm == algorithm)
        #expect(throws: Failure.keyWrongPassphrase(path: "key.pem")) {
            try PrivateKeyFile.read(file, passphrase: Array("wrong".utf8), path: "key.pem")
        }
        #expect(throws: Failure.keyNeedsPassphrase(path: "key.pem")) {
            try PrivateKeyFile.read(file, passphrase: nil, path: "key.pem")
        }
        let plain = try PrivateKeyFile.read(
            try folder.read("plain.pem"), passphrase: nil, path: "plain.pem")
        #expect(plain.publicKey == key.publicKey)
    }

    @Test(arguments: algorithms) func opensslReadsOurs(
        _ algorithm: PublicKey.Algorithm
    ) async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        #expect(PrivateKeyFile.rounds == 600_000, "docs/formats.md")
        let key = try SigningKey(generating: algorithm)
        let file = try PrivateKeyFile.encode(
            key, passphrase: Self.passphrase, salt: (0..<16).map { $0 },
            initialization: (16..<32).map { $0 })
        _ = try folder.write(file, as: "key.pem")
        _ = try folder.write(PrivateKeyFile.encodePlain(key), as: "plain.pem")
        _ = try folder.write(key.publicKey.pem, as: "key.pub")
        _ = try folder.write(Self.passphrase, as: "pass")
        for read in [
            "pkey -in key.pem -passin file:pass -pubout", "pkey -in plain.pem -pubout",
            "pkey -pubin -in key.pub -pubout",
        ] {
            let run = try await openssl(folder, read)
            #expect(run.bytes == key.publicKey.pem, "\(read)\n\(run.all)")
        }
        // Each verifies the other's signatures.
        let message = Array("what is signed".utf8)
        _ = try folder.write(message, as: "message")
        if algorithm == .ed25519 {
            _ = try folder.write(try key.sign(message), as: "sig")
            let run = try await openssl(
                folder, "pkeyutl -verify -pubin -inkey key.pub -rawin -in message -sigfile sig")
            #expect(run.output.contains("Signature Verified Successfully"), "\(run.all)")
            let made = try await openssl(
                folder, "pkeyutl -sign -inkey plain.pem -rawin -in message -out theirs")
            #expect(made.status == 0)
        } else {
            let made = try await openssl(
                folder, "dgst -sha256 -sign plain.pem -out theirs message")
            #expect(made.status == 0)
        }
        let theirs = algorithm.fixedLength(try folder.read("theirs"))
        #expect(key.publicKey.isValid(theirs, over: message))
        #expect(!key.publicKey.isValid(theirs, over: message + [0]))
    }

    /// Keys of unsupported kinds, and supported ones in other encodings.
    static let others: [String] = [
        "genpkey -algorithm X25519", "genpkey -algorithm ED448",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -pkeyopt ec_param_enc:explicit",
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048",
        "ecparam -name prime256v1 -genkey", "ecparam -name prime256v1 -genkey -noout",
    ]

    @Test(arguments: others) func otherKeysAreRefused(_ line: String) async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let run = try await openssl(folder, line + " -out key.pem")
        #expect(run.status == 0, "\(run.all)")
        let file = try folder.read("key.pem")
        expectFailure(of: "key") {
            try PrivateKeyFile.read(file, passphrase: nil, path: "key.pem")
        }
        let isReadable = try await openssl(folder, "pkey -in key.pem -pubout -out key.pub")
        guard isReadable.status == 0 else { return }
        let publicFile = try folder.read("key.pub")
        if line.contains("ecparam") {
            // The key itself is supported; only its private file has another format.
            _ = try PublicKey(pem: publicFile, path: "key.pub")
        } else {
            expectFailure(of: "key") { try PublicKey(pem: publicFile, path: "key.pub") }
        }
    }

    @Test func compressedPointsAreRefused() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        try await generate(.p256, in: folder)
        let run = try await openssl(
            folder, "ec -in plain.pem -pubout -conv_form compressed -out key.pub")
        #expect(run.status == 0, "\(run.all)")
        expectFailure(of: "key") {
            try PublicKey(pem: try folder.read("key.pub"), path: "key.pub")
        }
    }

    /// Truncated after each byte, and with each byte changed: an error, or the same key.
    @Test(arguments: algorithms) func damagedFiles(_ algorithm: PublicKey.Algorithm) throws {
        let key = try SigningKey(
            algorithm, raw: (0..<32).map { UInt8($0 + 1) }, path: "vector")
        let file = PrivateKeyFile.encodePlain(key)
        for count in 0..<(file.count - 1) {
            expectFailure(of: "key") {
                try PrivateKeyFile.read(Array(file.prefix(count)), passphrase: nil, path: "f")
            }
        }
        var refused = 0
        for index in file.indices {
            for bit in 0..<8 {
                var damaged = file
                damaged[index] ^= 1 << UInt8(bit)
                do {
                    _ = try PrivateKeyFile.read(damaged, passphrase: nil, path: "f")
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > file.count)
    }

    /// Reading an encrypted file ends soon, regardless of its parameters.
    @Test func damagedEncryptedFiles() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        try await generate(.ed25519, in: folder)
        _ = try folder.write(Self.passphrase, as: "pass")
        let run = try await openssl(
            folder,
            "pkcs8 -topk8 -in plain.pem -out key.der -outform DER -passout file:pass -v2 aes-256-cbc -v2prf hmacWithSHA256 -iter 10000"
        )
        #expect(run.status == 0)
        let file = try folder.read("key.der")
        func pem(_ bytes: [UInt8]) -> [UInt8] {
            Array(
                ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + Data(bytes).base64EncodedString()
                    + "\n-----END ENCRYPTED PRIVATE KEY-----\n").utf8)
        }
        let key = try PrivateKeyFile.read(pem(file), passphrase: Self.passphrase, path: "f")
        for count in file.indices {
            expectFailure(of: "key") {
                try PrivateKeyFile.read(
                    pem(Array(file.prefix(count))), passphrase: Self.passphrase, path: "f")
            }
        }
        for index in file.indices where !(50..<56).contains(index) {
            var damaged = file
            damaged[index] ^= 0x04
            // The content is not authenticated: damage can change the key, but no root names the
            // result.
            let other = try? PrivateKeyFile.read(
                pem(damaged), passphrase: Self.passphrase, path: "f")
            #expect(other?.publicKey != key.publicKey)
        }
    }

    @Test func wiping() {
        var secret = Array("secret".utf8)
        wipe(&secret)
        #expect(secret.isEmpty)
    }
}
