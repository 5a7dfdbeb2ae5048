import Foundation
import PackGround
import PackKeys
import PackSigning

extension TrustProperty {
    /// - Parameters:
    ///   - isEncrypted: Whether to also encrypt accepted keys, which takes long.
    ///   - isRead: Whether the text was accepted as a key.
    func keyFile(_ text: [UInt8], isEncrypted: Bool, isRead: inout Bool) -> String? {
        isRead = false
        if let key = try? PublicKey(pem: text, path: "x") {
            isRead = true
            return problem(of: key)
        }
        let kind = try? PrivateKeyFile.kind(text, path: "x")
        let passphrase = MutatedKeyFile.passphrase
        do {
            let key = try PrivateKeyFile.read(text, passphrase: passphrase, path: "x")
            isRead = true
            guard let kind else { return "a file of no kind is read" }
            if kind == .encrypted {
                if (try? PrivateKeyFile.read(text, passphrase: nil, path: "x")) != nil {
                    return "an encrypted key is read without a passphrase"
                }
                let other = try? PrivateKeyFile.read(text, passphrase: [1], path: "x")
                if other?.publicKey == key.publicKey { return "any passphrase opens a key" }
            }
            return problem(of: key, text, kind) ?? (isEncrypted ? encryptionProblem(of: key) : nil)
        } catch {
            if kind == .plain,
                [.keyNeedsPassphrase, .keyWrongPassphrase, .keyEmptyPassphrase].contains(error.code)
            {
                return "a plain key needs a passphrase"
            }
            return nil
        }
    }

    private func problem(
        of key: SigningKey, _ text: [UInt8], _ kind: PrivateKeyFile.Kind
    ) -> String? {
        let publicKey = key.publicKey
        if let problem = problem(of: publicKey) { return problem }
        let again = try? PrivateKeyFile.read(
            PrivateKeyFile.encodePlain(key), passphrase: nil, path: "x")
        guard again?.publicKey == publicKey else {
            return "a key is another one when it is written and read"
        }
        guard let signature = try? key.sign(request.message),
            verify(publicKey, signature, request.message),
            publicKey.isValid(signature, over: request.message)
        else { return "a key cannot sign" }
        guard kind == .plain else { return nil }
        // If the last element is a public key, it must match the private key.
        let lines = String(decoding: text, as: UTF8.self).split { $0.isNewline }
        let body = lines.drop { !$0.hasPrefix("-----BEGIN") }.dropFirst().dropLast().joined()
        guard let der = Data(base64Encoded: body), der.count >= 70 else { return nil }
        let tail = Array(der.suffix(publicKey.raw.count + 3))
        let isStated =
            publicKey.algorithm == .ed25519
            ? tail.starts(with: [0x81, 33, 0])
            : der.suffix(70).starts(with: [0xA1, 0x44, 0x03, 66, 0, 4])
        return !isStated || tail.suffix(publicKey.raw.count).elementsEqual(publicKey.raw)
            ? nil : "a key is read with another one's public key"
    }

    private func encryptionProblem(of key: SigningKey) -> String? {
        let passphrase = Array("another".utf8)
        let file = try? PrivateKeyFile.encode(
            key, passphrase: passphrase, rounds: 10_000, salt: (0..<16).map { $0 },
            initialization: (0..<16).map { $0 })
        guard let file else { return "a key cannot be encrypted" }
        let again = try? PrivateKeyFile.read(file, passphrase: passphrase, path: "x")
        return again?.publicKey == key.publicKey
            ? nil : "a key is another one when it is encrypted and read"
    }
}
