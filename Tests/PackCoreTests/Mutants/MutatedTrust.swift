import Foundation
import PackGround
import PackKeys
import PackOrigin
import PackSigning
import PackTrust
import TestSupport

/// Edited roots, signed pointers and answers of `--sign-with`, signed by keys of ``TrustLab``.
///
/// After the end of a program there are no edits, and every key signs.
enum MutatedTrust {
    /// Keys 5 and 10 are P-256 keys.
    private static let signers = [1, 2, 5, 3, 10, 6, 7]

    /// Two of three keys sign roots, two sign pointers, and one signs pointers of channel `beta`.
    static func firstRoot() throws -> SignedRoot {
        var root = try TrustLab.root(
            1, keys: [1, 2, 5], threshold: 2, release: [3, 10], releaseThreshold: 2,
            floors: ["production": 400],
            roles: [.init(name: "release:beta", keys: [try TrustLab.id(6)], threshold: 1)])
        root.keys.append(.init(try TrustLab.key(6).publicKey, name: nil))
        return try TrustLab.signed(root, by: [1, 5])
    }

    /// Written out, so that it includes everything an encoder could lose.
    private static let nextRoot = Result {
        let role = { (numbers: [Int], threshold: Int) in
            JSONValue.members([
                "keys": .strings(try numbers.map { try TrustLab.id($0).description }),
                "threshold": .integer(threshold),
            ])
        }
        return JSONValue.members([
            "schema": .integer(1), "app": .string("shop"), "version": .integer(2),
            "epoch": .integer(1), "createdAt": .string("2026-11-21T08:00:00Z"),
            "expires": .string("2027-11-21T08:00:00Z"),
            "keys": .object(
                try [2, 5, 7, 3, 10, 6].map { number in
                    let key = try TrustLab.key(number).publicKey
                    return .init(
                        key.keyID.description,
                        .members([
                            "algorithm": .string(key.algorithm.rawValue),
                            "public": .string(Data(key.spki).base64EncodedString()),
                            "name": number == 6 ? nil : .string("key \(number)"),
                        ]))
                }),
            "roles": .members([
                "root": try role([2, 5, 7], 2), "release": try role([3, 10], 2),
                "release:beta": try role([6], 1),
            ]),
            "floors": .members(["production": .integer(400), "beta": .integer(1)]),
        ])
    }

    /// The successor of ``firstRoot()``.
    static func root(_ program: inout EditProgram) throws -> [UInt8] {
        let payload = MutatedJSON.text(of: try nextRoot.get(), &program, repair: repairedRoot)
        return try envelope(TrustRoot.payloadType, payload, &program)
    }

    /// A pointer under the first root.
    static func pointer(_ program: inout EditProgram) throws -> [UInt8] {
        var root = MutatedDocument.pointer
        if case .object(let members) = root {
            root = .object(
                members + [
                    .init("root", .integer(1)), .init("previous", .integer(417)),
                    .init("operation", .string("publish")), .init("proposed", .bool(false)),
                ])
        }
        let payload = MutatedJSON.text(of: root, &program, repair: MutatedDocument.repairedPointer)
        return try envelope(Envelope.pointerType, payload, &program)
    }

    private static func signature(
        by number: Int, _ message: [UInt8]
    ) throws -> Envelope.Signature {
        let key = try TrustLab.key(number)
        return .init(keyID: key.publicKey.keyID.description, bytes: try key.sign(message))
    }

    private static func envelope(
        _ type: String, _ payload: [UInt8], _ program: inout EditProgram
    ) throws -> [UInt8] {
        let absent = program.byte()
        let form = program.byte()
        let message = Envelope.signedBytes(payloadType: type, payload: payload)
        let present = signers.enumerated().filter { absent >> $0.offset & 1 == 0 }.map(\.element)
        var signatures = try present.map { try signature(by: $0, message) }
        if form & 4 != 0, !present.isEmpty {
            let one = program.below(present.count)
            var bytes = signatures[one].bytes
            switch form & 3 {
            case 0: signatures.append(signatures[one])
            case 1:
                // A signature by one key, attributed to another one that did not sign.
                let id = try TrustLab.id(program.pick(signers)).description
                signatures.append(.init(keyID: id, bytes: bytes))
            case 2: signatures[one] = try signature(by: present[one], message + [0])
            default:
                program.damage(&bytes)
                signatures[one] = .init(keyID: signatures[one].keyID, bytes: bytes)
            }
        }
        let text = Envelope(payloadType: type, payload: payload, signatures: signatures).encode()
        // Most answers stay valid, so that the payload is read.
        guard form >> 6 == 3 else { return text }
        return MutatedJSON.text(of: try JSONParser.parse(text), &program) { root in
            root.replacing("payloadType", by: .string(type))
        }
    }

    /// Updates key IDs to match the keys, including those in roles.
    private static func repairedRoot(_ root: JSONValue) -> JSONValue {
        guard case .object(let keys)? = root.first("keys"),
            case .object(let roles)? = root.first("roles")
        else { return root }
        var names: [String: String] = [:]
        let renamed = keys.map { key in
            guard let spki = key.value.first("public")?.word.flatMap({ Data(base64Encoded: $0) })
            else { return key }
            let id = StreamHasher.digest(of: Array(spki)).description
            names[key.name] = id
            return JSONValue.Member(id, key.value)
        }
        return root.replacing("keys", by: .object(renamed)).replacing(
            "roles",
            by: .object(
                roles.map { role in
                    guard case .array(let ids)? = role.value.first("keys") else { return role }
                    return .init(
                        role.name,
                        role.value.replacing(
                            "keys",
                            by: .array(
                                ids.map { id in
                                    id.word.flatMap { names[$0] }.map { .string($0) } ?? id
                                })))
                }))
    }

    // MARK: Answers

    /// The request that the keys of an answer sign.
    static func request() throws -> SignRequest {
        SignRequest(
            payloadType: "t", message: Array("message".utf8), summary: "s",
            accepted: try [1, 5, 2].map { try TrustLab.key($0).publicKey })
    }

    /// The answer of a command that signs with three keys, with some P-256 signatures in DER.
    static func answer(to request: SignRequest, _ program: inout EditProgram) throws -> [UInt8] {
        let form = program.byte()
        var signatures = try [1, 5, 2].map { try signature(by: $0, request.message) }
        let one = program.below(3)
        var bytes = signatures[one].bytes
        switch form & 7 {
        case 1: signatures[one] = try signature(by: 3, request.message)
        case 2: signatures[one] = .init(keyID: signatures[program.below(3)].keyID, bytes: bytes)
        case 3: signatures[one] = .init(keyID: signatures[one].keyID, bytes: encoded(bytes))
        case 4:
            bytes = encoded(bytes)
            program.damage(&bytes)
            signatures[one] = .init(keyID: signatures[one].keyID, bytes: bytes)
        case 5:
            program.damage(&bytes)
            signatures[one] = .init(keyID: signatures[one].keyID, bytes: bytes)
        case 6: signatures.removeAll()
        default: break
        }
        let answer = answer(signatures)
        return form >> 6 == 3
            ? JSONWriter.write(answer) : MutatedJSON.text(of: answer, &program) { $0 }
    }

    static func answer(_ signatures: [Envelope.Signature]) -> JSONValue {
        .members([
            "schema": .integer(1),
            "signatures": .array(
                signatures.map {
                    .members([
                        "keyid": .string($0.keyID),
                        "sig": .string(Data($0.bytes).base64EncodedString()),
                    ])
                }),
        ])
    }

    /// Encodes an ECDSA signature of 64 bytes in DER.
    private static func encoded(_ raw: [UInt8]) -> [UInt8] {
        let numbers = [raw.prefix(32), raw.dropFirst(32)].map { half in
            let digits = Array(half.drop { $0 == 0 })
            return MutatedDER(0x02, (digits.first.map { $0 < 0x80 } ?? false ? [] : [0]) + digits)
        }
        return MutatedDER(0x30, inner: numbers).bytes
    }
}
