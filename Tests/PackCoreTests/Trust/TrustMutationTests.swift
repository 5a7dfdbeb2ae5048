import Foundation
import PackGround
import PackKeys
import PackOrigin
import PackSigning
import PackTrust
import TestSupport
import Testing

/// Random edits of external input: nothing crashes, and accepted input is equivalent.
struct TrustMutationTests {
    /// Edits a text: bytes are changed, removed, inserted, repeated or moved.
    private func edited(_ text: [UInt8], _ dice: inout Dice) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...4, using: &dice) where !text.isEmpty {
            let position = Int.random(in: 0..<text.count, using: &dice)
            let end = min(text.count, position + Int.random(in: 1...12, using: &dice))
            switch Int.random(in: 0..<6, using: &dice) {
            case 0: text[position] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            case 1: text[position] = UInt8.random(in: 0...255, using: &dice)
            case 2: text.removeSubrange(position..<end)
            case 3: text.insert(contentsOf: text[position..<end], at: position)
            case 4: text.removeLast(text.count - position)
            default: text.append(contentsOf: text[position..<end])
            }
        }
        return text
    }

    private let count = Soak.isLong ? 1_000_000 : 3_000

    @Test func roots() throws {
        let file = try TrustLab.file(TrustLab.root(1, keys: [1, 2], threshold: 2), by: [1, 2])
        let root = try SignedRoot(file, path: "r")
        var dice = Dice(1)
        for _ in 0..<count {
            guard let read = try? SignedRoot(edited(file, &dice), path: "r") else { continue }
            #expect(read.root == root.root)
        }
    }

    /// An edited payload that is signed again, so that only the reader's own rules apply.
    @Test func payloads() throws {
        let payload = TrustRootCoding.encode(
            try TrustLab.root(1, keys: [1, 2], threshold: 2, floors: ["production": 3]))
        var dice = Dice(2)
        var accepted = 0
        for _ in 0..<count {
            guard let root = try? TrustRootCoding.decode(edited(payload, &dice)) else { continue }
            accepted += 1
            #expect(root.role(TrustRoot.rootRole) != nil)
            for role in root.roles {
                #expect((1...role.keys.count).contains(role.threshold))
                #expect(Set(role.keys).count == role.keys.count)
                #expect(role.keys.allSatisfy { root.key($0) != nil })
            }
        }
        #expect(accepted > 10)
    }

    @Test func keyFiles() throws {
        var dice = Dice(3)
        for algorithm in PublicKey.Algorithm.allCases {
            let key = try SigningKey(generating: algorithm)
            let file = PrivateKeyFile.encodePlain(key)
            // Edit the decoded base64, which has the structure.
            let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
            let der = Array(try #require(Data(base64Encoded: lines[1...].dropLast().joined())))
            for _ in 0..<count {
                let text = Data(edited(der, &dice)).base64EncodedString()
                let pem = Array("\(lines[0])\n\(text)\n\(lines[lines.count - 1])\n".utf8)
                _ = try? PrivateKeyFile.read(pem, passphrase: nil, path: "f")
                _ = try? PrivateKeyFile.read(edited(file, &dice), passphrase: nil, path: "f")
                _ = try? PublicKey(pem: edited(key.publicKey.pem, &dice), path: "f")
            }
        }
    }

    @Test func answers() throws {
        let key = try SigningKey(generating: .p256)
        let request = SignRequest(
            payloadType: "t", message: Array("message".utf8), summary: "s",
            accepted: [key.publicKey])
        let id = key.publicKey.keyID.description
        let signature = try key.sign(request.message)
        let answer = Array(
            "{\"schema\": 1, \"signatures\": [{\"keyid\": \"\(id)\", \"sig\": \"\(Data(signature).base64EncodedString())\"}]}"
                .utf8)
        var dice = Dice(4)
        for _ in 0..<count {
            guard let read = try? request.signatures(edited(answer, &dice), command: "c") else {
                continue
            }
            #expect(
                read.allSatisfy {
                    $0.keyID == id && key.publicKey.isValid($0.bytes, over: request.message)
                })
        }
    }
}
