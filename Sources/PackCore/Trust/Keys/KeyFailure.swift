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

    package static func keyNotAKey(place: String, problem: String) -> Failure {
        key(.keyNotAKey, "\(place) is not a key: \(problem)")
    }

    package static func keyUnsupported(place: String, what: String) -> Failure {
        key(.keyUnsupported, "\(place) cannot be used: \(what)")
    }

    package static func keyWeak(place: String) -> Failure {
        key(.keyWeak, "\(place) is a weak key: anyone could sign for it")
    }

    package static func keyNeedsPassphrase(place: String) -> Failure {
        key(.keyNeedsPassphrase, "\(place) is encrypted and no passphrase was given")
    }

    package static func keyWrongPassphrase(place: String) -> Failure {
        key(.keyWrongPassphrase, "\(place) cannot be decrypted with this passphrase")
    }

    package static let keyEmptyPassphrase = key(.keyEmptyPassphrase, "the passphrase is empty")
}
