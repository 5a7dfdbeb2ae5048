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
    /// - Throws: ``Failure``.
    package func root(after previous: TrustRoot?, app: AppName) throws(Failure) -> TrustRoot {
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
            throw .rootTooFewKeys(role: role.name, keys: role.keys.count, threshold: role.threshold)
        }
        guard root.role(TrustRoot.rootRole) != nil else {
            throw .rootTooFewKeys(role: TrustRoot.rootRole, keys: 0, threshold: 1)
        }
        return root
    }

    private func add(
        _ key: PublicKey, _ name: String, to root: inout TrustRoot
    ) throws(Failure) {
        guard !name.isEmpty, name.utf8.count <= TrustRoot.nameLimit else {
            throw .rootBadName(name: name)
        }
        guard !root.keys.contains(where: { $0.name == name }) else {
            throw .rootNameTaken(name: name)
        }
        guard root.key(key.keyID) == nil else { throw .rootKeyTaken(id: key.keyID.description) }
        root.keys.append(.init(key, name: name))
    }

    private func find(_ name: String, in root: TrustRoot) throws(Failure) -> Digest {
        let found = root.keys.filter { $0.name == name || $0.keyID.description == name }
        guard let key = found.first, found.count == 1 else { throw .rootNoSuchKey(name: name) }
        return key.keyID
    }

    private func checkForm(ofRole name: String) throws(Failure) {
        if name == TrustRoot.rootRole || name == TrustRoot.releaseRole { return }
        let prefix = "\(TrustRoot.releaseRole):"
        guard name.hasPrefix(prefix), (try? Channel(String(name.dropFirst(prefix.count)))) != nil
        else { throw .rootBadRole(name: name) }
    }

    private func raise(
        _ floor: TrustRoot.Floor, in root: inout TrustRoot
    ) throws(Failure) {
        let earlier = root.floor(floor.channel)
        guard floor.sequence >= earlier else {
            throw .rootLowerFloor(
                channel: floor.channel.description, from: earlier, to: floor.sequence)
        }
        root.floors.removeAll { $0.channel == floor.channel }
        root.floors.append(floor)
        root.floors.sort { $0.channel.description < $1.channel.description }
    }
}

extension Failure.Code {
    package static let rootBadName = Self("root.bad-name")
    package static let rootNameTaken = Self("root.name-taken")
    package static let rootKeyTaken = Self("root.key-taken")
    package static let rootNoSuchKey = Self("root.no-such-key")
    package static let rootBadRole = Self("root.bad-role")
    package static let rootTooFewKeys = Self("root.too-few-keys")
    package static let rootLowerFloor = Self("root.lower-floor")
}

/// The requested root cannot be made.
extension Failure {
    private static func root(_ code: Code, _ description: String) -> Failure {
        Failure(
            code, description, unaffected: "existing roots; nothing was written", exitCode: .usage)
    }

    package static func rootBadName(name: String) -> Failure {
        root(
            .rootBadName,
            "'\(name)' cannot name a key: a name has 1 to \(TrustRoot.nameLimit) bytes")
    }

    package static func rootNameTaken(name: String) -> Failure {
        root(.rootNameTaken, "the root already has a key named '\(name)'")
    }

    package static func rootKeyTaken(id: String) -> Failure {
        root(.rootKeyTaken, "the root already has the key \(id)")
    }

    package static func rootNoSuchKey(name: String) -> Failure {
        root(.rootNoSuchKey, "the root has no key '\(name)', or several of that name")
    }

    package static func rootBadRole(name: String) -> Failure {
        root(.rootBadRole, "there is no role '\(name)'")
    }

    package static func rootTooFewKeys(role: String, keys: Int, threshold: Int) -> Failure {
        root(
            .rootTooFewKeys,
            "role '\(role)' needs \(counted(threshold, "signature")), but has \(counted(keys, "key"))"
        )
    }

    package static func rootLowerFloor(channel: String, from: Int, to: Int) -> Failure {
        root(
            .rootLowerFloor,
            "the floor of channel '\(channel)' is \(from) and cannot be lowered to \(to)")
    }
}
