package import PackGround
package import PackKeys
package import PackOrigin
package import PackTrust

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
    /// - Throws: ``Failure``.
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
    private func check(_ accepted: [Digest]) throws(Failure) {
        for key in keys where !accepted.contains(key.publicKey.keyID) {
            throw .signingUnknownKey(id: key.publicKey.keyID.description)
        }
    }

    /// Checks before uploading whether enough of a role's keys can sign.
    ///
    /// A command's keys are not known before it runs, so it is assumed to provide all missing
    /// signatures.
    ///
    /// - Throws: ``Failure``.
    package func check(
        for role: TrustRoot.Role, of root: TrustRoot
    ) throws(Failure) {
        try check(role.keys)
        let own = Set(keys.map(\.publicKey.keyID)).count
        guard own >= role.threshold || !commands.isEmpty else {
            throw .signingNotEnough(
                role: role.name, have: own, threshold: role.threshold,
                missing: role.keys.filter { id in
                    !keys.contains { $0.publicKey.keyID == id }
                }.map(root.shownKey))
        }
    }
}

extension Failure.Code {
    package static let signingUnknownKey = Self("signing.unknown-key")
    package static let signingNotEnough = Self("signing.not-enough")
    package static let signingNoRoot = Self("signing.no-root")
    package static let signingNewOrigin = Self("signing.no-root", "new")
    package static let signingRootsMissing = Self("signing.roots-missing")
    package static let signingUnsignedPointer = Self("signing.unsigned-pointer")
    package static let signingForgedPointer = Self("signing.forged-pointer")
    package static let signingUnauthorized = Self("signing.unauthorized")
}

extension Failure {
    private static func signing(
        _ code: Code, _ description: String, details: [String: String] = [:]
    ) -> Failure {
        Failure(
            code, description, unaffected: "published files; nothing was uploaded",
            details: details)
    }

    package static func signingUnknownKey(id: String) -> Failure {
        signing(
            .signingUnknownKey, "key \(id.prefix(12)) is not in the role that may sign this")
    }

    package static func signingNotEnough(
        role: String, have: Int, threshold: Int, missing: [String]
    ) -> Failure {
        signing(
            .signingNotEnough,
            "role '\(role)' needs \(counted(threshold, "signature")), and \(have) can be made here; "
                + "keys that could sign: \(missing.joined(separator: ", "))")
    }

    package static func signingNoRoot(origin: String) -> Failure {
        signing(
            .signingNoRoot,
            "'\(origin)' has no trust root, so clients could not verify a signature",
            details: ["origin": origin])
    }

    /// The origin is empty.
    package static func signingNewOrigin(origin: String) -> Failure {
        signing(
            .signingNewOrigin,
            "nothing is published at '\(origin)', not even a trust root, so clients could not verify "
                + "a signature",
            details: ["origin": origin])
    }

    /// The origin was signed, but its roots are missing.
    package static func signingRootsMissing(
        origin: String, path: String, version: Int
    ) -> Failure {
        signing(
            .signingRootsMissing,
            "'\(path)' names trust root \(version), and '\(origin)' does not have root 1")
    }

    package static func signingUnsignedPointer(
        path: String, sequence: Int, channel: String, floor: Int
    ) -> Failure {
        signing(
            .signingUnsignedPointer,
            "'\(path)' has sequence \(sequence) and is not signed, but the root's floor for channel "
                + "'\(channel)' is \(floor)",
            details: ["floor": "\(channel)=\(sequence + 1)"])
    }

    /// The current pointer claims to be signed, but is not.
    package static func signingForgedPointer(path: String, problem: String) -> Failure {
        signing(
            .signingForgedPointer,
            "the current pointer '\(path)' is damaged, or someone else wrote it: \(problem)",
            details: ["path": path])
    }

    /// The next pointer would keep content that current keys never signed.
    package static func signingUnauthorized(path: String, reason: String) -> Failure {
        signing(.signingUnauthorized, "'\(path)' \(reason), so its offers are not trusted")
    }
}
