import PackCore

/// A release as a user names it: a build directory, a package, or a manifest.
enum ReleaseSource {
    /// The release's content.
    static func release(
        _ path: String, _ console: Console, allowsManifest: Bool = false
    ) async throws -> (release: Release, junk: [String]) {
        let (directory, name) = try ReadableFile.locateExisting(path)
        let jobs = try Surroundings.jobs()
        switch try directory.status(name)?.kind {
        case .file where allowsManifest && name.hasSuffix(".json"):
            let bytes = try directory.readFile(name, limit: Manifest.sizeLimit)
            return (try ManifestCoding.decode(bytes, place: path).release, [])
        case .file:
            let release = try await PackageReader.release(
                of: name, in: directory, jobs: jobs, progress: console.progress)
            return (release, [])
        case .other:
            throw NotARelease(path: path)
        default:
            let scan = try await BuildScan.scan(path, jobs: jobs, progress: console.progress)
            console.noteJunk(scan.junk)
            return (scan.release, scan.junk)
        }
    }

    /// The release as a directory of files: a package is unpacked into a temporary one first.
    ///
    /// Its compressed entries are not copied: the same content gives the same bytes, whatever tool packed it.
    static func withBuild<Result>(
        _ path: String, _ console: Console, _ body: (BuildScan) async throws -> Result
    ) async throws -> Result {
        let (directory, name) = try ReadableFile.locateExisting(path)
        let jobs = try Surroundings.jobs()
        let kind = try directory.status(name)?.kind
        if kind == .other { throw NotARelease(path: path) }
        guard kind == .file else {
            let scan = try await BuildScan.scan(path, jobs: jobs, progress: console.progress)
            console.noteJunk(scan.junk)
            return try await body(scan)
        }
        let release = try await PackageReader.release(of: name, in: directory, jobs: jobs)
        return try await TemporaryDirectory.with { target in
            try await Unpacker(name, in: directory, expecting: release)
                .unpack(into: target, jobs: jobs, progress: console.progress)
            let scan = try await BuildScan.scan(target.path, jobs: jobs)
            return try await body(scan)
        }
    }
}

extension Console {
    /// Junk is left out of hash and package alike, and never silently.
    func noteJunk(_ junk: [String]) {
        guard !junk.isEmpty else { return }
        let shown = junk.prefix(5).joined(separator: ", ") + (junk.count > 5 ? ", …" : "")
        note("\(counted(junk.count, "junk entry", plural: "junk entries")) left out: \(shown)")
    }
}

/// Something that can be neither a build nor a package.
struct NotARelease: Remedied {
    let path: String

    var code: String { "input.not-a-release" }
    var description: String { "'\(path)' is a pipe or a device, not a build or a package" }
    var remedy: String { "name the build output's directory, or a package" }
}
