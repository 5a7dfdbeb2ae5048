import PackGround
import PackKeys
package import PackOrigin
package import PackTrust

extension SignRequest {
    /// A one-line summary of a pointer's signed bytes: `shop production 419: publish 2.4.2
    /// (4320573858a8fa3567a1)`.
    package static func summary(ofPointer message: [UInt8]) -> String {
        // The payload follows the third blank after the type, whose length is known.
        let head = Array("DSSEv1 \(Envelope.pointerType.utf8.count) \(Envelope.pointerType) ".utf8)
        guard message.starts(with: head),
            let blank = message[head.count...].firstIndex(of: UInt8(ascii: " ")),
            let pointer = try? PointerCoding.decode(Array(message[(blank + 1)...]))
        else { return "a pointer" }
        return summary(of: pointer)
    }

    /// A one-line summary of a pointer.
    package static func summary(of pointer: Pointer) -> String {
        let release =
            pointer.label.map { "\(printable($0.utf8)) (\(pointer.version))" }
            ?? "\(pointer.version)"
        let operation = pointer.operation.map { "\($0.rawValue) " } ?? ""
        let end = pointer.isClosed ? ", and ends the channel" : ""
        return "\(pointer.app) \(pointer.channel) \(pointer.sequence): \(operation)\(release)\(end)"
    }

    /// A one-line summary of a root.
    package static func summary(of root: TrustRoot) -> String {
        "\(root.app) root \(root.version), epoch \(root.epoch)"
    }
}
