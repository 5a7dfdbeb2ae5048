/// Looks at the names that a publish is going to use before it writes anything.
///
/// Whatever else has such a name is refused here, with what to do, rather than met half way or after the commit
/// point.
struct PlaceCheck {
    let root: Directory
    let request: PublishRequest

    /// Names that do not depend on what is published already.
    func checkNames() throws {
        let version = request.scan.release.version
        let channel = request.channel
        try check(
            [
                OriginLayout.workspace, OriginLayout.intents, OriginLayout.staging,
                OriginLayout.abandoned, OriginLayout.channels, OriginLayout.channel(channel),
                OriginLayout.log(channel), OriginLayout.releases, OriginLayout.release(version),
                OriginLayout.objects,
            ], .directory, "a directory")
        try check([OriginLayout.pointer(channel)], .file, "the channel's pointer")
        try check([OriginLayout.manifest(version)], .file, "the release's manifest")
        try check([OriginLayout.package(version)], .file, "the release's package")
        guard channel == .production else { return }
        try check([OriginLayout.site], .directory, "a directory")
        try check([OriginLayout.info], .file, "the current release's manifest")
    }

    private func check(
        _ places: [String], _ kind: FileStatus.Kind, _ needed: String
    ) throws {
        for place in places {
            // Parents come first: what is below something else than a directory is not there.
            guard let found = try root.status(place)?.kind, found != kind else { continue }
            throw PublishError.foreign(
                place: root.display(place), found: found.name, needed: needed)
        }
    }
}
