package import PackGround
package import PackKeys
package import PackOrigin
package import PackRelease

/// A user's changes from one root to the next.
package struct RootEdit: Sendable {
    /// New keys with their names.
    package var keys: [(name: String, key: PublicKey)] = []
    /// Roles that replace existing ones; keys by name or id.
    ///
    /// A role without keys is removed.
    package var roles: [(name: String, keys: [String], threshold: Int)] = []
    /// Keys to remove, also from every role: by name or id.
    package var removed: [String] = []
    package var floors: [TrustRoot.Floor] = []
    package var isNewEpoch = false
    package var expires: Timestamp
    package var createdAt: Timestamp

    package init(createdAt: Timestamp, expires: Timestamp) {
        self.createdAt = createdAt
        self.expires = expires
    }

    /// The root that follows another one; the first root if `previous` is `nil`.
    ///
    /// - Throws: ``RootEditError``.
    package func root(after previous: TrustRoot?, app: AppName) throws(RootEditError) -> TrustRoot {
        var root = TrustRoot(
            app: app, version: (previous?.version ?? 0) + 1,
            epoch: (previous?.epoch ?? 1) + (isNewEpoch && previous != nil ? 1 : 0),
            createdAt: createdAt, expires: expires, keys: previous?.keys ?? [],
            roles: previous?.roles ?? [], floors: previous?.floors ?? [])
        for (name, key) in keys { try add(key, name, to: &root) }
        for name in removed {
            let id = try find(name, in: root)
            root.keys.removeAll { $0.keyID == id }
            for index in root.roles.indices { root.roles[index].keys.removeAll { $0 == id } }
        }
        for (name, keys, threshold) in roles {
            try checkForm(ofRole: name)
            root.roles.removeAll { $0.name == name }
            if keys.isEmpty { continue }
            var ids: [Digest] = []
            for key in keys { ids.append(try find(key, in: root)) }
            root.roles.append(.init(name: name, keys: ids, threshold: threshold))
        }
        for floor in floors { try raise(floor, in: &root) }
        for role in root.roles where role.keys.count < role.threshold {
            throw .tooFewKeys(role: role.name, keys: role.keys.count, threshold: role.threshold)
        }
        guard root.role(TrustRoot.rootRole) != nil else {
            throw .tooFewKeys(role: TrustRoot.rootRole, keys: 0, threshold: 1)
        }
        return root
    }

    private func add(
        _ key: PublicKey, _ name: String, to root: inout TrustRoot
    ) throws(RootEditError) {
        guard !name.isEmpty, name.utf8.count <= TrustRoot.nameLimit else {
            throw .badName(name: name)
        }
        guard !root.keys.contains(where: { $0.name == name }) else { throw .nameTaken(name: name) }
        guard root.key(key.keyID) == nil else { throw .keyTaken(id: key.keyID.description) }
        root.keys.append(.init(key, name: name))
    }

    private func find(_ name: String, in root: TrustRoot) throws(RootEditError) -> Digest {
        let found = root.keys.filter { $0.name == name || $0.keyID.description == name }
        guard let key = found.first, found.count == 1 else { throw .noSuchKey(name: name) }
        return key.keyID
    }

    private func checkForm(ofRole name: String) throws(RootEditError) {
        if name == TrustRoot.rootRole || name == TrustRoot.releaseRole { return }
        let prefix = "\(TrustRoot.releaseRole):"
        guard name.hasPrefix(prefix), (try? Channel(String(name.dropFirst(prefix.count)))) != nil
        else { throw .badRole(name: name) }
    }

    private func raise(
        _ floor: TrustRoot.Floor, in root: inout TrustRoot
    ) throws(RootEditError) {
        let earlier = root.floor(floor.channel)
        guard floor.sequence >= earlier else {
            throw .lowerFloor(
                channel: floor.channel.description, from: earlier, to: floor.sequence)
        }
        root.floors.removeAll { $0.channel == floor.channel }
        root.floors.append(floor)
        root.floors.sort { $0.channel.description < $1.channel.description }
    }
}

/// The reason why a requested root cannot be made.
package enum RootEditError: Remedied, Equatable {
    case badName(name: String)
    case nameTaken(name: String)
    case keyTaken(id: String)
    case noSuchKey(name: String)
    case badRole(name: String)
    case tooFewKeys(role: String, keys: Int, threshold: Int)
    case lowerFloor(channel: String, from: Int, to: Int)

    package var code: String {
        switch self {
        case .badName: "root.bad-name"
        case .nameTaken: "root.name-taken"
        case .keyTaken: "root.key-taken"
        case .noSuchKey: "root.no-such-key"
        case .badRole: "root.bad-role"
        case .tooFewKeys: "root.too-few-keys"
        case .lowerFloor: "root.lower-floor"
        }
    }

    package var description: String {
        switch self {
        case .badName(let name):
            "'\(name)' cannot name a key: a name has 1 to \(TrustRoot.nameLimit) bytes"
        case .nameTaken(let name): "the root has a key named '\(name)' already"
        case .keyTaken(let id): "the root has the key \(id) already"
        case .noSuchKey(let name): "the root has no key '\(name)', or several of that name"
        case .badRole(let name): "there is no role '\(name)'"
        case .tooFewKeys(let role, let keys, let threshold):
            "role '\(role)' needs \(counted(threshold, "signature")), but has \(counted(keys, "key"))"
        case .lowerFloor(let channel, let from, let to):
            "the floor of channel '\(channel)' is \(from) and cannot fall to \(to)"
        }
    }

    package var unaffected: String? { "existing roots; nothing was written" }
    package var exitCode: ExitCode { .usage }

    package var remedy: String {
        switch self {
        case .badName, .nameTaken: "choose another name: --key NAME=FILE.pub"
        case .keyTaken: "use it by the name that 'packtool keys show' prints"
        case .noSuchKey: "use a name or id that 'packtool keys show' prints"
        case .badRole: "use 'root', 'release' or 'release:CHANNEL'"
        case .tooFewKeys: "name its keys: --role ROLE:THRESHOLD=NAME,NAME"
        case .lowerFloor: "give a number that is not lower"
        }
    }
}
