import PackGround
package import PackKeys
package import PackOrigin

/// All signers of one run: keys in memory, and commands that use keys elsewhere.
package struct Signers: Sendable {
    /// Runs a command, which receives the request, and returns verified signatures.
    package typealias Command = @Sendable (SignRequest) throws -> [Envelope.Signature]

    package let keys: [SigningKey]
    package let commands: [Command]

    package init(keys: [SigningKey], commands: [Command]) {
        self.keys = keys
        self.commands = commands
    }

    package var isEmpty: Bool { keys.isEmpty && commands.isEmpty }

    /// Signs a payload.
    ///
    /// - Parameter accepted: The keys whose signatures are accepted.
    /// - Throws: ``SigningError``, ``SignCommandError``, ``KeyError``.
    package func sign(
        payloadType: String, payload: [UInt8], summary: String, accepted: [PublicKey]
    ) throws -> [Envelope.Signature] {
        try sign(
            SignRequest(
                payloadType: payloadType,
                message: Envelope.signedBytes(payloadType: payloadType, payload: payload),
                summary: summary, accepted: accepted))
    }

    /// Signs a request with all keys and commands.
    package func sign(_ request: SignRequest) throws -> [Envelope.Signature] {
        try check(request.accepted.map(\.keyID))
        var signatures: [Envelope.Signature] = []
        for key in keys {
            let id = key.publicKey.keyID.description
            if signatures.contains(where: { $0.keyID == id }) { continue }
            signatures.append(.init(keyID: id, bytes: try key.sign(request.message)))
        }
        for command in commands {
            for signature in try command(request)
            where !signatures.contains(where: { $0.keyID == signature.keyID }) {
                signatures.append(signature)
            }
        }
        return signatures
    }

    /// Throws if a key is not accepted.
    private func check(_ accepted: [Digest]) throws(SigningError) {
        for key in keys where !accepted.contains(key.publicKey.keyID) {
            throw .unknownKey(id: key.publicKey.keyID.description)
        }
    }

    /// Checks before uploading whether enough of a role's keys can sign.
    ///
    /// A command's keys are not known before it runs, so it is assumed to provide all missing
    /// signatures.
    ///
    /// - Throws: ``SigningError``.
    package func check(
        for role: TrustRoot.Role, of root: TrustRoot
    ) throws(SigningError) {
        try check(role.keys)
        let own = Set(keys.map(\.publicKey.keyID)).count
        guard own >= role.threshold || !commands.isEmpty else {
            throw .notEnough(
                role: role.name, have: own, threshold: role.threshold,
                missing: role.keys.filter { id in
                    !keys.contains { $0.publicKey.keyID == id }
                }.map(root.shownKey))
        }
    }
}

/// The reason why a run cannot sign.
package enum SigningError: Remedied, Equatable {
    case unknownKey(id: String)
    case notEnough(role: String, have: Int, threshold: Int, missing: [String])
    /// - Parameter isNew: Whether the origin is empty.
    case noRoot(origin: String, isNew: Bool = false)
    /// The origin was signed, but its roots are missing.
    case rootsMissing(origin: String, place: String, version: Int)
    case unsignedPointer(place: String, sequence: Int, channel: String, floor: Int)
    /// The current pointer claims to be signed, but is not.
    case forgedPointer(place: String, problem: String)
    /// The next pointer would keep content that current keys never signed.
    case notOurs(place: String, reason: String)

    package var code: String {
        switch self {
        case .unknownKey: "signing.unknown-key"
        case .notEnough: "signing.not-enough"
        case .noRoot: "signing.no-root"
        case .rootsMissing: "signing.roots-missing"
        case .unsignedPointer: "signing.unsigned-pointer"
        case .forgedPointer: "signing.forged-pointer"
        case .notOurs: "signing.unauthorized"
        }
    }

    package var description: String {
        switch self {
        case .unknownKey(let id):
            "key \(id.prefix(12)) may not sign this: the root does not name it for it"
        case .notEnough(let role, let have, let threshold, let missing):
            "role '\(role)' needs \(counted(threshold, "signature")), and \(have) can be made here; "
                + "keys that could sign: \(missing.joined(separator: ", "))"
        case .unsignedPointer(let place, let sequence, let channel, let floor):
            "'\(place)' has sequence \(sequence) and is not signed, but the root's floor for channel "
                + "'\(channel)' is \(floor)"
        case .forgedPointer(let place, let problem):
            "the present pointer '\(place)' is damaged, or somebody else wrote it: \(problem)"
        case .notOurs(let place, let reason):
            "'\(place)' \(reason), so what it offers is not vouched for"
        case .rootsMissing(let origin, let place, let version):
            "'\(place)' names trust root \(version), and '\(origin)' does not have root 1"
        case .noRoot(let origin, let isNew):
            isNew
                ? "nothing is published at '\(origin)', not even a trust root, so clients could not verify a signature"
                : "'\(origin)' has no trust root, so clients could not verify a signature"
        }
    }

    package var unaffected: String? { "what is published; nothing was uploaded" }

    package var remedy: String {
        switch self {
        case .unknownKey: "use a key that 'packtool keys show' lists for this role"
        case .notEnough:
            "name the missing keys with --sign-key or --sign-with; or leave the pointer to who has them with "
                + "--propose FILE"
        case .unsignedPointer(_, let sequence, let channel, _):
            "if you published it before there were keys, publish a root with --floor "
                + "\(channel)=\(sequence + 1); if not, somebody else wrote to the origin: "
                + "restore the pointer from its log"
        case .forgedPointer(let place, _):
            "copy the newest entry that you published from the 'log' directory beside it to '\(place)', then run "
                + "the same command again; 'packtool history' lists the entries"
        case .notOurs:
            "publish the build that all devices should have: 'packtool publish' with --sign-key and "
                + "'--rollout 100 --min-native none --max-native none'"
        case .rootsMissing:
            "put the files of 'root/' back, all versions, from a copy of the origin or from where the keys are; a "
                + "new first root would lock out every app that has the old one"
        case .noRoot(let origin, true):
            "check the address; if it is to be a new origin, publish the root first: 'packtool keys publish "
                + "1.root.json --to \(origin)'"
        case .noRoot(let origin, false):
            "run 'packtool keys init' and 'packtool keys publish 1.root.json --to \(origin)', or leave out "
                + "--sign-key, --sign-with and --propose"
        }
    }
}
