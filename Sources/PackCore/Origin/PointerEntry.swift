package import PackGround
package import PackRelease

extension Pointer {
    /// One release that a pointer offers, and the devices that may have it.
    package struct Entry: Equatable, Sendable {
        package var version: Version
        package var packageHash: Digest
        /// Bounds what a client writes: an update by delta reads no manifest.
        package var tree: TreeSize
        /// The release's name for people, such as `2.4.1`.
        package var label: String?
        package var info: ContentReference
        package var package: ContentReference
        package var deltas: [Delta]
        /// Share of devices in percent, 0 to 100.
        package var rollout = 100
        /// Decides with the device's id who is in the share; `nil` for the package hash.
        package var rolloutSalt: String?
        package var native = NativeRange()

        package init(
            version: Version, packageHash: Digest, tree: TreeSize, label: String?,
            info: ContentReference, package: ContentReference, deltas: [Delta]
        ) {
            self.version = version
            self.packageHash = packageHash
            self.tree = tree
            self.label = label
            self.info = info
            self.package = package
            self.deltas = deltas
        }

        /// Where its manifest is at the origin: at the release's usual place, or at one of its own if it was
        /// published again to correct the base URL.
        package var manifestPlace: String {
            let usual = OriginLayout.manifest(version)
            return info.url.hasSuffix("/" + usual)
                ? usual : OriginLayout.manifest(version, info.sha256)
        }

        /// Its manifest at the origin.
        package var manifestFile: ObjectReference { ObjectReference(manifestPlace, info) }

        /// What people call it: its label, or its version.
        package var name: String { label ?? version.description }

        /// What the bucket of a device is computed with.
        package var salt: String { rolloutSalt ?? packageHash.description }

        /// Whether every device may have it.
        package var isUnconditional: Bool { rollout == 100 && native.isUnlimited }

        /// Whether every device that may have another entry gets this one first.
        func covers(_ other: Entry) -> Bool {
            guard native.includes(other.native) else { return false }
            return rollout == 100
                || packageHash == other.packageHash && salt == other.salt
                    && rollout >= other.rollout
        }
    }

    /// A list of entries without those that no device would get.
    ///
    /// It ends at the first entry that every device may have. If more than ``fallbackLimit`` would follow the
    /// first, those before the last one go: who had them gets what follows.
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

    /// Sets what is offered.
    ///
    /// - Parameter list: not empty.
    mutating func offer(_ list: [Entry]) {
        let shortened = Self.shortened(list)
        guard let first = shortened.first else { return }
        entry = first
        fallbacks = Array(shortened.dropFirst())
    }
}
