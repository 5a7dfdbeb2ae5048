import PackGround

/// A problem with a key or a key file.
///
/// No case contains bytes of a key or a passphrase.
package enum KeyError: Remedied, Equatable {
    case notAKey(place: String, problem: String)
    case unsupported(place: String, what: String)
    case weak(place: String)
    case needsPassphrase(place: String)
    case wrongPassphrase(place: String)
    case emptyPassphrase

    package var code: String {
        switch self {
        case .notAKey: "key.not-a-key"
        case .unsupported: "key.unsupported"
        case .weak: "key.weak"
        case .needsPassphrase: "key.needs-passphrase"
        case .wrongPassphrase: "key.wrong-passphrase"
        case .emptyPassphrase: "key.empty-passphrase"
        }
    }

    package var description: String {
        switch self {
        case .notAKey(let place, let problem): "\(place) is not a key: \(problem)"
        case .unsupported(let place, let what): "\(place) cannot be used: \(what)"
        case .weak(let place): "\(place) is a weak key: anybody could sign for it"
        case .needsPassphrase(let place): "\(place) is encrypted and no passphrase was given"
        case .wrongPassphrase(let place): "\(place) cannot be decrypted with this passphrase"
        case .emptyPassphrase: "the passphrase is empty"
        }
    }

    package var unaffected: String? { "the key; nothing was signed" }

    package var remedy: String {
        switch self {
        case .notAKey: "name a PEM file that 'packtool keys new' or 'openssl genpkey' wrote"
        case .unsupported:
            "use an Ed25519 or P-256 key; 'openssl pkcs8 -topk8 -v2 aes-256-cbc -iter 600000' "
                + "encrypts one again"
        case .weak: "make a new key with 'packtool keys new'"
        case .needsPassphrase, .wrongPassphrase, .emptyPassphrase:
            "set PACKTOOL_PASSPHRASE, or name a file with --passphrase-file"
        }
    }
}
