package import PackGround
package import PackOrigin

/// A proposed pointer, whose signatures may still be missing.
package struct PointerProposal: Sendable {
    package let pointer: Pointer
    package private(set) var envelope: Envelope

    /// Reads a proposal without checking its signatures.
    ///
    /// - Throws: ``JSONError``, ``JSONShapeError``, ``Failure``.
    package init(_ bytes: [UInt8]) throws {
        envelope = try Envelope(decoding: bytes, payloadType: Envelope.pointerType)
        pointer = try PointerCoding.decode(envelope.payload)
    }

    package var bytes: [UInt8] { envelope.encode() }

    /// SHA-256 of the payload, which does not depend on the signatures collected so far.
    package var payloadHash: Digest { StreamHasher.digest(of: envelope.payload) }

    /// Adds signatures, replacing earlier ones of the same keys.
    package mutating func add(_ signatures: [Envelope.Signature]) {
        envelope = envelope.adding(signatures)
    }
}
