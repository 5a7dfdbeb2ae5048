package import PackGround

extension Failure.Code {
    package static let keyNotAKey = Self("key.not-a-key")
    package static let keyUnsupported = Self("key.unsupported")
    package static let keyWeak = Self("key.weak")
    package static let keyNeedsPassphrase = Self("key.needs-passphrase")
    package static let keyWrongPassphrase = Self("key.wrong-passphrase")
    package static let keyEmptyPassphrase = Self("key.empty-passphrase")
}

/// A problem with a key or a key file, without bytes of the key or the passphrase.
extension Failure {
    private static func key(_ code: Code, _ description: String) -> Failure {
        Failure(code, description, unaffected: "the key; nothing was signed")
    }

    package static func keyNotAKey(path: String, problem: String) -> Failure {
        key(.keyNotAKey, "\(path) is not a key: \(problem)")
    }

    package static func keyUnsupported(path: String, what: String) -> Failure {
        key(.keyUnsupported, "\(path) cannot be used: \(what)")
    }

    package static func keyWeak(path: String) -> Failure {
        key(.keyWeak, "\(path) is a weak key: anyone could sign for it")
    }

    package static func keyNeedsPassphrase(path: String) -> Failure {
        key(.keyNeedsPassphrase, "\(path) is encrypted and no passphrase was given")
    }

    package static func keyWrongPassphrase(path: String) -> Failure {
        key(.keyWrongPassphrase, "\(path) cannot be decrypted with this passphrase")
    }

    package static let keyEmptyPassphrase = key(.keyEmptyPassphrase, "the passphrase is empty")
}
