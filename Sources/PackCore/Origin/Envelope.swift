package import PackGround
import PackRelease

/// A DSSE envelope: a payload and its signatures in one file, which can be replaced atomically.
///
/// Source: secure-systems-lab/dsse, protocol version 1.
package struct Envelope: Equatable, Sendable {
    package struct Signature: Equatable, Sendable {
        /// A hint for finding the key; never trusted.
        package let keyID: String
        package let bytes: [UInt8]

        package init(keyID: String, bytes: [UInt8]) {
            self.keyID = keyID
            self.bytes = bytes
        }
    }

    /// Signs the result of ``signedBytes(payloadType:payload:)``.
    package typealias Signer = @Sendable (_ message: [UInt8]) throws -> [Signature]

    package static let pointerType = "application/vnd.packtool.pointer+json"
    /// The maximum number of signatures: two roots without common keys, each with the maximum
    /// number of keys.
    package static let signatureLimit = 64

    package let payloadType: String
    package let payload: [UInt8]
    package let signatures: [Signature]

    /// Wraps a payload, and signs it if there is a signer.
    package init(payloadType: String, payload: [UInt8], signer: Signer? = nil) throws {
        self.payloadType = payloadType
        self.payload = payload
        signatures = try signer?(Self.signedBytes(payloadType: payloadType, payload: payload)) ?? []
    }

    /// Combines a payload with existing signatures.
    package init(payloadType: String, payload: [UInt8], signatures: [Signature]) {
        self.payloadType = payloadType
        self.payload = payload
        self.signatures = signatures
    }

    /// The same payload with more signatures; replaces a key's earlier signature.
    ///
    /// Above the limit, the first signatures are dropped. The keys of one role never reach it.
    package func adding(_ new: [Signature]) -> Envelope {
        let names = Set(new.map(\.keyID))
        let all = signatures.filter { !names.contains($0.keyID) } + new
        return Envelope(
            payloadType: payloadType, payload: payload,
            signatures: all.suffix(Self.signatureLimit))
    }

    /// The pre-authentication encoding, which is the signed message.
    package static func signedBytes(payloadType: String, payload: [UInt8]) -> [UInt8] {
        Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
    }

    package func encode() -> [UInt8] {
        JSONWriter.write(
            .members([
                "payloadType": .string(payloadType),
                "payload": .string(Base64.string(payload)),
                "digest": payloadType == Self.pointerType
                    ? .string(StreamHasher.digest(of: payload).description) : nil,
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
    /// A pointer's digest shows damage where no signature is checked; it does not stop a forger.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``.
    package init(decoding bytes: [UInt8], payloadType: String) throws {
        let root = try JSONObject(JSONParser.parse(bytes))
        guard try root.string("payloadType") == payloadType else {
            throw root.error("payloadType", "is not \(payloadType)")
        }
        self.payloadType = payloadType
        payload = try Self.base64(root, "payload")
        if root.optional("digest") != nil {
            guard try root.digest("digest") == StreamHasher.digest(of: payload) else {
                throw root.error("digest", "is not the SHA-256 of the payload")
            }
        }
        signatures = try root.array("signatures", atMost: Self.signatureLimit).enumerated().map {
            let object = try JSONObject($1, path: "signatures[\($0)]")
            return Signature(
                keyID: try object.string("keyid"), bytes: try Self.base64(object, "sig"))
        }
    }

    /// The payload type of an envelope; `nil` if the bytes are not an envelope.
    package static func payloadType(of bytes: [UInt8]) -> String? {
        try? JSONObject(JSONParser.parse(bytes)).string("payloadType")
    }

    /// Decodes a member in strict base64: the standard alphabet, padded, unused bits zero.
    package static func base64(_ object: JSONObject, _ name: String) throws -> [UInt8] {
        let text = try object.string(name)
        // Reject encodings that differ only in unused bits.
        guard let content = Base64.decode(text.utf8), Base64.string(content) == text else {
            throw object.error(name, "is not base64")
        }
        return content
    }
}
