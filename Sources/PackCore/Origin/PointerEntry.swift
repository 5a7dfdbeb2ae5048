package import PackGround
package import PackRelease

extension Pointer {
    /// A release offered by a pointer, with its devices.
    package struct Entry: Equatable, Sendable {
        package var version: Version
        package var packageHash: Digest
        /// Limits a client's writes, because an update by delta reads no manifest.
        package var tree: TreeSize
        /// The release's name for people, such as `2.4.1`.
        package var label: String?
        /// The app's first page, one of the assets.
        package var launch: AssetPath?
        package var info: ContentReference
        package var package: ContentReference
        package var deltas: [Delta]
        /// The share of devices in percent, 0 to 100.
        package var rollout = 100
        /// Selects the devices in the share, together with their IDs; `nil` for the package hash.
        package var rolloutSalt: String?
        package var native = NativeRanges()

        package init(
            version: Version, packageHash: Digest, tree: TreeSize, label: String?,
            launch: AssetPath?, info: ContentReference, package: ContentReference, deltas: [Delta]
        ) {
            self.version = version
            self.packageHash = packageHash
            self.tree = tree
            self.label = label
            self.launch = launch
            self.info = info
            self.package = package
            self.deltas = deltas
        }

        /// The key of its manifest: the release's usual key, or a separate one if a later publish
        /// corrected the base URL.
        package var manifestPath: String {
            let usual = OriginLayout.manifest(version)
            return info.url.hasSuffix("/" + usual)
                ? usual : OriginLayout.manifest(version, info.sha256)
        }

        /// A reference to its manifest.
        package var manifestFile: ObjectReference { ObjectReference(manifestPath, info) }

        /// The label, or the version if there is none.
        package var name: String { label ?? version.description }

        /// The salt of a device's bucket.
        package var salt: String { rolloutSalt ?? packageHash.description }

        /// Whether the entry is offered to every device.
        package var isUnconditional: Bool { rollout == 100 && native.isUnlimited }

        /// Whether every device eligible for another entry gets this one first.
        func covers(_ other: Entry) -> Bool {
            guard native.includes(other.native) else { return false }
            return rollout == 100
                || packageHash == other.packageHash && salt == other.salt
                    && rollout >= other.rollout
        }
    }

    /// Removes entries that no device would get.
    ///
    /// The list ends at the first entry offered to every device. If more than ``fallbackLimit``
    /// fallbacks remain, those before the last one are removed; their devices get the next entry.
    package static func shortened(_ entries: [Entry]) -> [Entry] {
        var kept: [Entry] = []
        for entry in entries where !kept.contains(where: { $0.covers(entry) }) {
            kept.append(entry)
        }
        if kept.count > fallbackLimit + 1 {
            kept.removeSubrange(fallbackLimit..<(kept.count - 1))
        }
        return kept
    }

    /// Sets the offers.
    ///
    /// - Parameter list: Not empty.
    mutating func offer(_ list: [Entry]) {
        let shortened = Self.shortened(list)
        guard let first = shortened.first else { return }
        entry = first
        fallbacks = Array(shortened.dropFirst())
    }
}
