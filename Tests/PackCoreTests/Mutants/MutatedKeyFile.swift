import Foundation
import PackKeys
import PackSigning
import TestSupport

/// Key files with edited DER and text.
struct MutatedKeyFile {
    let text: [UInt8]

    static let passphrase = Array("correct horse".utf8)

    private enum Kind: CaseIterable {
        case plain, stated, publicKey, encrypted, scrypt
    }

    /// - Parameter isEncrypted: Whether to include files with a passphrase, which take long to
    ///   write.
    init(_ program: inout EditProgram, isEncrypted: Bool) throws {
        let key = try TrustLab.key(program.isSet() ? 5 : 1)
        let kinds = isEncrypted ? Kind.allCases : [.plain, .stated, .publicKey]
        let kind = program.pick(kinds)
        var (label, der) = try Self.file(kind, key)
        let form = program.byte()
        for _ in 0..<Int(form & 3) where !program.isAtEnd { der.edit(&program) }
        var content = der.bytes
        if form & 0x1C == 0x1C { program.damage(&content) }
        if form & 0xE0 == 0xE0 {
            label = program.pick([
                "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PUBLIC KEY", "EC PRIVATE KEY", "",
            ])
        }
        var text = Self.text(label, content)
        if form & 0xE0 == 0x20 { program.damage(&text) }
        self.text = text
    }

    private static func text(_ label: String, _ der: [UInt8]) -> [UInt8] {
        Array(
            """
            -----BEGIN \(label)-----
            \(Data(der).base64EncodedString())
            -----END \(label)-----

            """.utf8)
    }

    private static func der(_ pem: [UInt8]) -> MutatedDER {
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
        let der = Data(base64Encoded: lines.dropFirst().dropLast().joined())
        guard let der, let element = MutatedDER(Array(der)) else {
            preconditionFailure("packtool writes no such key file")
        }
        return element
    }

    private static func file(_ kind: Kind, _ key: SigningKey) throws -> (String, MutatedDER) {
        switch kind {
        case .plain: return ("PRIVATE KEY", der(PrivateKeyFile.encodePlain(key)))
        case .stated:
            // Version 1, with the public key at its end (docs/sources.md#rfc5958).
            let point = (key.publicKey.algorithm == .p256 ? [0, 4] : [0]) + key.publicKey.raw
            return (
                "PRIVATE KEY",
                der(PrivateKeyFile.encodePlain(key)).replacing([0], by: MutatedDER(0x02, [1]))
                    .appending(MutatedDER(0x81, point))
            )
        case .publicKey: return ("PUBLIC KEY", der(key.publicKey.pem))
        case .encrypted, .scrypt:
            let file = der(
                try PrivateKeyFile.encode(
                    key, passphrase: passphrase, rounds: 10_000, salt: (0..<16).map { $0 },
                    initialization: (16..<32).map { $0 }))
            if kind == .encrypted { return ("ENCRYPTED PRIVATE KEY", file) }
            let salt = MutatedDER(0x04, (0..<16).map { $0 })
            let numbers: [[UInt8]] = [[0x40, 0], [8], [1]]
            let derivation = MutatedDER(
                0x30,
                inner: [
                    MutatedDER(0x06, [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]),
                    MutatedDER(0x30, inner: [salt] + numbers.map { MutatedDER(0x02, $0) }),
                ])
            return ("ENCRYPTED PRIVATE KEY", file.replacing([0, 1, 0], by: derivation))
        }
    }
}
