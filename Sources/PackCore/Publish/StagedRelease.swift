import PackOrigin
import PackRelease

/// The staged files of a release that are to get their public names.
struct StagedRelease: Sendable {
    let manifest: Manifest
    /// The hash of the manifest's bytes.
    let info: ContentReference
    /// New at the origin.
    var objects: [Upload] = []
    /// `nil` where the origin has it.
    var package: Upload?
    /// `nil` where the origin has it.
    var manifestFile: Upload?
    /// Deltas that are new at the origin.
    var deltas: [Upload] = []
    /// What the pointer says of the release.
    var entry: Pointer.Entry
}
