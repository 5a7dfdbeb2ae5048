package import PackGround

/// A DSSE envelope: a payload and the signatures over it, in one file that can be replaced atomically
/// (secure-systems-lab/dsse, protocol version 1).
package struct Envelope: Equatable, Sendable {
    package struct Signature: Equatable, Sendable {
        /// A hint which key was used; never a decision.
        package let keyID: String
        package let bytes: [UInt8]

        package init(keyID: String, bytes: [UInt8]) {
            self.keyID = keyID
            self.bytes = bytes
        }
    }

    /// Signs the bytes that `signedBytes` returns.
    package typealias Signer = @Sendable (_ message: [UInt8]) throws -> [Signature]

    package static let pointerType = "application/vnd.packtool.pointer+json"
    /// The most signatures: two roots whose roles have nobody in common, each with as many keys as a root can have.
    package static let signatureLimit = 64

    package let payloadType: String
    package let payload: [UInt8]
    package let signatures: [Signature]

    /// Wraps a payload, signed where a signer is given.
    package init(payloadType: String, payload: [UInt8], signer: Signer? = nil) throws {
        self.payloadType = payloadType
        self.payload = payload
        signatures = try signer?(Self.signedBytes(payloadType: payloadType, payload: payload)) ?? []
    }

    /// Puts a payload and signatures that exist together.
    package init(payloadType: String, payload: [UInt8], signatures: [Signature]) {
        self.payloadType = payloadType
        self.payload = payload
        self.signatures = signatures
    }

    /// The same payload with more signatures; a key's earlier one is replaced.
    ///
    /// Where there would be more than an envelope can have, those that were there first go: of a role's keys there
    /// are never so many.
    package func adding(_ new: [Signature]) -> Envelope {
        let names = Set(new.map(\.keyID))
        let all = signatures.filter { !names.contains($0.keyID) } + new
        return Envelope(
            payloadType: payloadType, payload: payload,
            signatures: all.suffix(Self.signatureLimit))
    }

    /// The pre-authentication encoding: what a signature is made over.
    package static func signedBytes(payloadType: String, payload: [UInt8]) -> [UInt8] {
        Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
    }

    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "payloadType": .string(payloadType),
                "payload": .string(Base64.string(payload)),
                "signatures": .array(
                    signatures.map {
                        .members([
                            "keyid": .string($0.keyID),
                            "sig": .string(Base64.string($0.bytes)),
                        ])
                    }),
            ]))
    }

    /// Decodes an envelope of the given type.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``.
    package init(decoding bytes: [UInt8], payloadType: String) throws {
        let root = try JSONObject(JSONParser.parse(bytes))
        guard try root.string("payloadType") == payloadType else {
            throw root.error("payloadType", "is not \(payloadType)")
        }
        self.payloadType = payloadType
        payload = try Self.base64(root, "payload")
        signatures = try root.array("signatures", atMost: Self.signatureLimit).enumerated().map {
            let object = try JSONObject($1, place: "signatures[\($0)]")
            return Signature(
                keyID: try object.string("keyid"), bytes: try Self.base64(object, "sig"))
        }
    }

    /// What kind of payload an envelope says that it has; `nil` for what is none.
    package static func payloadType(of bytes: [UInt8]) -> String? {
        try? JSONObject(JSONParser.parse(bytes)).string("payloadType")
    }

    /// A member in strict base64: the standard alphabet, padded, unused bits zero.
    package static func base64(_ object: JSONObject, _ name: String) throws -> [UInt8] {
        let text = try object.string(name)
        // Re-encoding refuses the spellings that differ in unused bits.
        guard let content = Base64.decode(text.utf8), Base64.string(content) == text else {
            throw object.error(name, "is not base64")
        }
        return content
    }
}
