import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// A trust root as text and as data.
enum RootText {
    static func text(_ proposal: RootProposal, _ bytes: [UInt8], _ file: String) -> Text {
        let root = proposal.root
        var lines = Lines("\(file): root \(root.version) of app '\(root.app)'")
        lines.add("epoch", "\(root.epoch)")
        lines.add("valid", "\(root.createdAt) to \(root.expires)")
        for (index, role) in root.roles.enumerated() {
            lines.add(
                index == 0 ? "roles" : "",
                "\(role.name): \(role.threshold) of "
                    + role.keys.map(root.shownKey).joined(separator: ", "))
        }
        for (index, key) in root.keys.enumerated() {
            lines.add(
                index == 0 ? "keys" : "",
                "\(key.keyID) \(key.algorithm)" + (key.name.map { " \($0)" } ?? "")
                    + (key.publicKey == nil ? " (unknown algorithm)" : ""))
        }
        for (index, floor) in root.floors.enumerated() {
            lines.add(index == 0 ? "floors" : "", "\(floor.channel): \(floor.sequence)")
        }
        let signers = signed(proposal)
        lines.add("signed", signers.isEmpty ? "by no key" : "by " + signers.joined(separator: ", "))
        // Each signature changes the file, and therefore the pin.
        if isWhole(proposal) {
            lines.add("pin", pin(proposal, bytes))
        } else {
            lines.add("pin", "none until enough keys have signed it")
        }
        return lines.text
    }

    /// A note about implausible times in a new root, if any.
    static func note(_ root: TrustRoot, by clock: Timestamp) -> String? {
        if root.expires <= clock {
            return
                "root \(root.version) expired at \(root.expires); 'keys publish' rejects it"
        }
        return root.lead(over: clock).map {
            "root \(root.version) was created at \(root.createdAt), \($0); 'keys publish' rejects it until then"
        }
    }

    /// The root's own keys that have signed it.
    private static func signed(_ proposal: RootProposal) -> [String] {
        let role = TrustRoot.Role(
            name: "", keys: proposal.root.keys.map(\.keyID), threshold: 1)
        let found = proposal.root.signers(of: proposal.envelope, as: role)
        return role.keys.filter(found.contains).map(proposal.root.shownKey)
    }

    /// Whether enough of its own keys have signed it.
    static func isWhole(_ proposal: RootProposal) -> Bool {
        proposal.root.accepts(proposal.envelope, as: proposal.root.role(TrustRoot.rootRole))
    }

    static func pin(_ proposal: RootProposal, _ bytes: [UInt8]) -> String {
        "sha256:\(StreamHasher.digest(of: bytes))@\(proposal.root.version)"
    }

    static func json(_ proposal: RootProposal, _ bytes: [UInt8]) -> JSONValue {
        let root = proposal.root
        return .members([
            "app": .string(root.app.description), "version": .integer(root.version),
            "epoch": .integer(root.epoch), "createdAt": .string(root.createdAt.description),
            "expires": .string(root.expires.description),
            "keys": .array(
                root.keys.map {
                    .members([
                        "keyid": .string($0.keyID.description), "algorithm": .string($0.algorithm),
                        "name": $0.name.json,
                    ])
                }),
            "roles": .array(
                root.roles.map {
                    .members([
                        "role": .string($0.name), "threshold": .integer($0.threshold),
                        "keys": .strings($0.keys.map(\.description)),
                    ])
                }),
            "floors": .array(
                root.floors.map {
                    .members([
                        "channel": .string($0.channel.description),
                        "sequence": .integer($0.sequence),
                    ])
                }),
            "signed": .strings(signed(proposal)),
            "pin": isWhole(proposal) ? .string(pin(proposal, bytes)) : .null,
        ])
    }
}
