package import PackGround
package import PackKeys
package import PackOrigin
package import PackRelease

/// The keys that a client accepts, by role: one version of an origin's `root/<version>.json`
/// (`docs/formats.md`).
package struct TrustRoot: Equatable, Sendable {
    package var app: AppName
    /// 1, 2, 3 …, without gaps.
    package var version: Int
    /// Never decreases; a new epoch makes clients forget the sequences they have seen.
    package var epoch: Int
    package var createdAt: Timestamp
    package var expires: Timestamp
    package var keys: [Key]
    package var roles: [Role]
    /// The lowest valid sequence of a channel, sorted by channel.
    package var floors: [Floor]

    /// A key of a root.
    package struct Key: Equatable, Sendable {
        package var keyID: Digest
        /// As in the file, because a later file may use an algorithm unknown to this version.
        package var algorithm: String
        package var spki: [UInt8]
        /// A name for people.
        package var name: String?
        /// `nil` if the algorithm is unknown; such a key verifies nothing.
        package var publicKey: PublicKey?

        package init(_ key: PublicKey, name: String?) {
            self.init(
                keyID: key.keyID, algorithm: key.algorithm.rawValue, spki: key.spki, name: name,
                publicKey: key)
        }

        init(keyID: Digest, algorithm: String, spki: [UInt8], name: String?, publicKey: PublicKey?)
        {
            self.keyID = keyID
            self.algorithm = algorithm
            self.spki = spki
            self.name = name
            self.publicKey = publicKey
        }
    }

    /// A set of keys, and the number of them required to sign.
    package struct Role: Equatable, Sendable {
        package var name: String
        package var keys: [Digest]
        package var threshold: Int

        package init(name: String, keys: [Digest], threshold: Int) {
            self.name = name
            self.keys = keys
            self.threshold = threshold
        }
    }

    /// The lowest valid sequence of a channel.
    package struct Floor: Equatable, Sendable {
        package var channel: Channel
        package var sequence: Int

        package init(channel: Channel, sequence: Int) {
            self.channel = channel
            self.sequence = sequence
        }
    }

    package static let payloadType = "application/vnd.packtool.root+json"
    /// The largest size of a root's file, in bytes.
    package static let sizeLimit = 64 << 10
    package static let keyLimit = 32
    package static let roleLimit = 16
    package static let nameLimit = 200
    /// The longest lifetime, in days: five years.
    package static let longestLifetime = 1827
    /// The largest number of roots that a client follows in one run.
    package static let stepLimit = 32

    package static let rootRole = "root"
    package static let releaseRole = "release"

    package init(
        app: AppName, version: Int, epoch: Int, createdAt: Timestamp, expires: Timestamp,
        keys: [Key], roles: [Role], floors: [Floor]
    ) {
        self.app = app
        self.version = version
        self.epoch = epoch
        self.createdAt = createdAt
        self.expires = expires
        self.keys = keys
        self.roles = roles
        self.floors = floors
    }

    /// The role with a name.
    package func role(_ name: String) -> Role? { roles.first { $0.name == name } }

    /// The role that signs the pointers of a channel: `release:<channel>` replaces `release`.
    package func signers(of channel: Channel) -> Role? {
        role("\(Self.releaseRole):\(channel)") ?? role(Self.releaseRole)
    }

    /// The lowest valid sequence of a channel; 0 without a floor.
    package func floor(_ channel: Channel) -> Int {
        floors.first { $0.channel == channel }?.sequence ?? 0
    }

    /// The key with an id.
    package func key(_ id: Digest) -> Key? { keys.first { $0.keyID == id } }

    /// A key's name and the start of its id, for people.
    package func shownKey(_ id: Digest) -> String {
        let short = String(id.description.prefix(12))
        return key(id)?.name.map { "\($0) (\(short))" } ?? short
    }
}

extension TrustRoot {
    /// The largest lead of a root's time over the clock, in seconds, because clocks differ.
    private static let leadLimit = 3600

    /// The lead of the root's time over a clock, in words; `nil` if it is within the limit.
    ///
    /// Devices that know a root use its time as the current time if it is later than their clock.
    package func lead(over clock: Timestamp) -> String? {
        createdAt.seconds - clock.seconds > Self.leadLimit ? createdAt.lead(over: clock) : nil
    }
}

extension TrustRoot {
    /// The keys of a role that signed an envelope, each once.
    ///
    /// A signature is attributed only to the key in its key id.
    package func signers(of envelope: Envelope, as role: Role?) -> Set<Digest> {
        guard let role else { return [] }
        let message = Envelope.signedBytes(
            payloadType: envelope.payloadType, payload: envelope.payload)
        var signers: Set<Digest> = []
        for signature in envelope.signatures {
            guard let id = Digest(signature.keyID), role.keys.contains(id), !signers.contains(id),
                let publicKey = key(id)?.publicKey,
                publicKey.isValid(signature.bytes, over: message)
            else { continue }
            signers.insert(id)
        }
        return signers
    }

    /// Whether enough keys of a role signed an envelope.
    package func accepts(_ envelope: Envelope, as role: Role?) -> Bool {
        guard let role else { return false }
        return signers(of: envelope, as: role).count >= role.threshold
    }
}
