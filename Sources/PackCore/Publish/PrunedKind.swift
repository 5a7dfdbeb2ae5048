import PackGround
import PackRelease

/// The kinds of files deleted by a prune, in order of deletion.
///
/// Pages of `site/` are deleted before the files they load. A manifest is deleted before its
/// package: a release without a manifest can be published again, but not one without its package.
enum PrunedKind: CaseIterable, Hashable {
    case site, delta, manifest, package, object

    /// The kind of a file by its key.
    ///
    /// `nil` for files of `site/`, which have no recognizable key, and for files not written by
    /// packtool.
    init?(path: String) {
        let parts = path.pathComponents(omittingEmpty: false)
        guard parts.count == 3 else { return nil }
        let (folder, name) = (parts[1], parts[2])
        switch String(parts[0]) {
        case OriginLayout.objects:
            guard Digest(String(folder)) != nil, !name.isEmpty else { return nil }
            self = .object
        case OriginLayout.releases:
            guard let version = Version(String(folder)) else { return nil }
            if path == OriginLayout.manifest(version) || Self.isCorrected(name) {
                self = .manifest
            } else if path == OriginLayout.package(version) {
                self = .package
            } else if Self.isDelta(name) {
                self = .delta
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// The release of a file below `releases/`; `nil` for any other key.
    static func release(of path: String) -> Version? {
        let parts = path.pathComponents()
        guard parts.count == 3, parts[0] == OriginLayout.releases else { return nil }
        return Version(String(parts[1]))
    }

    /// `info-<16 digits>.json`: the manifest of a corrected release.
    private static func isCorrected(_ name: Substring) -> Bool {
        name.hasPrefix("info-") && name.hasSuffix(".json") && name.utf8.count == 26
            && name.utf8.dropFirst(5).dropLast(5).allSatisfy(isHexadecimalDigit)
    }

    private static func isDelta(_ name: Substring) -> Bool {
        name.hasPrefix("delta-") && name.hasSuffix(".zip")
            && Version(String(name.dropFirst(6).dropLast(4))) != nil
    }
}
