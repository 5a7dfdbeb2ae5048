import Testing

@testable import PackCheck

/// Texts with private keys, and texts that only mention them.
struct KeyTextTests {
    private static let digits = String(repeating: "MIIEvQIBADANBgkqhkiG9w0B", count: 3)

    @Test(arguments: [
        "-----BEGIN PRIVATE KEY-----\r\nMIIE\r\n", "\r\n \n-----BEGIN EC PRIVATE KEY-----\nMHcC\n",
        "\u{FEFF}-----BEGIN RSA PRIVATE KEY-----\nMIIE", "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY", "PuTTY-User-Key-File-2: ssh-rsa\r\n",
        "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n\(digits)",
        "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n\(digits)\\n\"}",
        "'{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\\\n\(digits)'",
        "const key = `-----BEGIN RSA PRIVATE KEY-----\n\(digits)`",
        "x: |\n  -----BEGIN RSA PRIVATE KEY-----\n  Proc-Type: 4,ENCRYPTED\n  DEK-Info: AES-128-CBC,00\n\n  \(digits)",
    ])
    func privateKeys(text: String) {
        #expect(KeyText(Array(text.utf8)) == .privateKey)
    }

    @Test(arguments: [
        "-----BEGIN CERTIFICATE-----\n\(digits)", "-----BEGIN PUBLIC KEY-----\n\(digits)",
        "if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) return parse(pem)",
        "a=\"-----BEGIN PRIVATE KEY-----\\n\"+e.match(/.{1,64}/g).join(\"\\n\")+\"\\n-----END PRIVATE KEY-----\"",
        "see -----BEGIN OPENSSH PRIVATE KEY----- in the manual", "x -----BEGIN PRIVATE KEY-----",
    ])
    func textsAboutKeys(text: String) {
        #expect(KeyText(Array(text.utf8)) == .publicBlocks)
    }

    @Test func otherFilesHaveNone() {
        #expect(KeyText([]) == .none)
        #expect(KeyText(Array("-----BEGIN".utf8)) == .none)
        #expect(KeyText(Array(repeating: UInt8(ascii: "-"), count: KeyText.limit)) == .none)
    }

    @Test func aKeyInUTF16IsFound() {
        let text = "-----BEGIN PRIVATE KEY-----\r\nMIIE".utf16
        #expect(
            KeyText([0xFF, 0xFE] + text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
                == .privateKey)
        #expect(
            KeyText([0xFE, 0xFF] + text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
                == .privateKey)
    }
}
