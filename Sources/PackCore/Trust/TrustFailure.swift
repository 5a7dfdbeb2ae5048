package import PackGround

extension Failure.Code {
    package static let trustInvalidRoot = Self("trust.invalid-root")
    package static let trustRootDiffers = Self("trust.root-differs")
    package static let trustRootCannotFollow = Self("trust.root-cannot-follow")
    package static let trustRootGap = Self("trust.root-gap")
    package static let trustRootExpired = Self("trust.root-expired")
    package static let trustRootAhead = Self("trust.root-ahead")
    package static let trustRootMissing = Self("trust.root-missing")
    package static let trustBadSignature = Self("trust.bad-signature")
    package static let trustUnsigned = Self("trust.unsigned")
    package static let trustNoRole = Self("trust.no-role")
    package static let trustWrongPin = Self("trust.wrong-pin")
    package static let trustNoRoot = Self("trust.no-root")
    package static let trustFloorTooLow = Self("trust.floor-too-low")
    package static let trustRefusedByRoot = Self("trust.refused-by-root")
    package static let trustRootLost = Self("trust.root-lost")
}

/// The root or pointer is not trusted.
extension Failure {
    private static func trust(
        _ code: Code, _ description: String, details: [String: String] = [:]
    ) -> Failure {
        Failure(
            code, description, unaffected: "the installed and the published releases",
            exitCode: .verification, details: details)
    }

    package static func trustInvalidRoot(path: String, problem: String) -> Failure {
        trust(.trustInvalidRoot, "'\(path)' is not a trust root: \(problem)")
    }

    package static func trustRootDiffers(version: Int, problem: String) -> Failure {
        trust(.trustRootDiffers, "root \(version) \(problem)")
    }

    package static func trustRootCannotFollow(path: String, problem: String) -> Failure {
        trust(
            .trustRootCannotFollow, "'\(path)' cannot follow the previous root: \(problem)")
    }

    /// Roots must be published in order.
    package static func trustRootGap(path: String, newest: Int) -> Failure {
        trust(
            .trustRootGap,
            "'\(path)' cannot be published yet: "
                + (newest > 0
                    ? "the origin's newest root is \(newest)" : "the origin has no root 1"),
            details: ["next": "\(newest + 1)"])
    }

    package static func trustRootExpired(version: Int, at time: String) -> Failure {
        trust(
            .trustRootExpired, "root \(version) expired at \(time)",
            details: ["version": "\(version)"])
    }

    /// The root was made by a clock that was ahead.
    package static func trustRootAhead(version: Int, createdAt: String, lead: String) -> Failure {
        trust(
            .trustRootAhead,
            "root \(version) was made at \(createdAt), \(lead): devices take that for the time, and "
                + "refuse every pointer that expires before")
    }

    package static func trustRootMissing(version: Int, newest: Int) -> Failure {
        trust(
            .trustRootMissing,
            "the pointer was signed under root \(version), but the newest available root is \(newest)"
        )
    }

    package static func trustBadSignature(
        path: String, role: String, valid: Int, threshold: Int
    ) -> Failure {
        trust(
            .trustBadSignature,
            "'\(path)' has \(counted(valid, "valid signature")) of role '\(role)'; \(threshold) "
                + (threshold == 1 ? "is needed" : "are needed"),
            details: ["role": role, "valid": "\(valid)", "threshold": "\(threshold)"])
    }

    package static func trustUnsigned(path: String) -> Failure {
        trust(.trustUnsigned, "'\(path)' is not signed")
    }

    package static func trustNoRole(channel: String, version: Int) -> Failure {
        trust(.trustNoRole, "root \(version) has no role that signs channel '\(channel)'")
    }

    package static func trustWrongPin(path: String, expected: String, found: String) -> Failure {
        trust(.trustWrongPin, "'\(path)' has the hash \(found), not \(expected)")
    }

    package static func trustNoRoot(path: String) -> Failure {
        trust(.trustNoRoot, "there is no trust root at '\(path)'")
    }

    /// The channel has unsigned pointers not below the root's floor, which blocks its publishers.
    package static func trustFloorTooLow(
        version: Int, channel: String, sequence: Int
    ) -> Failure {
        trust(
            .trustFloorTooLow,
            "channel '\(channel)' has unsigned pointers up to sequence \(sequence): under root "
                + "\(version) no key could publish to it or roll it back",
            details: ["version": "\(version)", "floor": "\(channel)=\(sequence + 1)"])
    }

    /// The origin's newest root does not accept the file, or the origin lost its roots.
    package static func trustRefusedByRoot(path: String, problem: String) -> Failure {
        trust(
            .trustRefusedByRoot,
            "clients with this origin's trust root refuse '\(path)': \(problem)")
    }

    /// An installation lost its root.
    package static func trustRootLost(path: String, version: Int) -> Failure {
        trust(
            .trustRootLost,
            "the installation trusted root \(version), and '\(path)' no longer has it")
    }
}
