package import PackGround
package import PackProfile
package import PackRelease

/// The facts about a build before any file is read: names and sizes, the profile, the resolver.
package struct SiteIndex: Sendable {
    package let source: SiteSource
    /// In listing order; a file's index is its position.
    package let files: [File]
    /// Files excluded from the package.
    package let leftOut: LeftOut
    /// Names that cannot be packaged, with reasons.
    package let refused: [RefusedName]
    package let resolver: Resolver
    /// The deployed release, if given.
    package let previous: Manifest?
    /// The remaining configuration, for rules that need it.
    package let options: CheckOptions
    let targets = ReferenceTargets()
    let contentDigests = ContentDigests()
    let integrityDigests = IntegrityDigests()
    let loadedContents = LoadedContents()
    let inheritedEncodings = InheritedEncodings()
    let importMaps = ImportMaps()
    let namesInUse = NamesInUse()
    /// The directories of the package and their ends: `a/b/` and `b/` for `a/b/c.png`.
    let directories: Set<[UInt8]>
    /// The names of files without their content hashes: `app.js` for `app.1f0c92.js`.
    let unhashedNames: Set<[UInt8]>
    /// The SHA-256 of each file if the build was already hashed; otherwise empty.
    private let digests: [Digest]

    /// A file of the build.
    package struct File: Sendable {
        package let path: AssetPath
        /// In bytes.
        package let size: UInt64
        package let kind: DocumentKind?
    }

    package var profile: Profile { resolver.profile }
    package var listing: PackageListing { resolver.listing }

    package init(
        source: SiteSource, files: [(path: AssetPath, size: UInt64)], leftOut: LeftOut = LeftOut(),
        refused: [RefusedName] = [], profile: Profile, previous: Manifest? = nil,
        options: CheckOptions = CheckOptions()
    ) {
        self.init(
            source: source, sorted: files.sorted { $0.path < $1.path }, digests: [],
            leftOut: leftOut,
            refused: refused, profile: profile, previous: previous, options: options)
    }

    private init(
        source: SiteSource, sorted files: [(path: AssetPath, size: UInt64)], digests: [Digest],
        leftOut: LeftOut, refused: [RefusedName], profile: Profile, previous: Manifest?,
        options: CheckOptions
    ) {
        self.source = source
        self.files = files.map { File(path: $0.path, size: $0.size, kind: DocumentKind($0.path)) }
        self.digests = digests
        self.leftOut = leftOut
        self.refused = refused
        self.previous = previous
        self.options = options
        resolver = Resolver(profile: profile, listing: PackageListing(files.map(\.path)))
        directories = Self.directories(of: files.map(\.path))
        unhashedNames = Set(files.compactMap { ContentHash.removed(from: $0.path.fileName) })
    }

    private static func directories(of paths: [AssetPath]) -> Set<[UInt8]> {
        var found: Set<[UInt8]> = []
        var last: ArraySlice<UInt8> = []
        for path in paths {
            let bytes = path.bytes
            guard let end = bytes.lastIndex(of: UInt8(ascii: "/")) else { continue }
            // Sorted, so that files of one directory follow each other.
            guard !last.elementsEqual(bytes[...end]) else { continue }
            last = bytes[...end]
            for start in bytes[..<end].indices
            where start == 0 || bytes[start - 1] == UInt8(ascii: "/") {
                for stop in bytes[start...end].indices where bytes[stop] == UInt8(ascii: "/") {
                    found.insert(Array(bytes[start...stop]))
                }
            }
        }
        return found
    }

    /// Uses a build that was already scanned and hashed by a publish.
    package init(
        scan: BuildScan, profile: Profile, previous: Manifest? = nil,
        options: CheckOptions = CheckOptions()
    ) {
        let assets = scan.release.assets
        self.init(
            source: .directory(scan.directory), sorted: assets.map { ($0.path, $0.size) },
            digests: assets.map(\.sha256), leftOut: scan.leftOut,
            refused: [], profile: profile, previous: previous, options: options)
    }

    /// Uses the objects of a release in an origin.
    ///
    /// - Parameter objects: The directory containing the objects under their keys.
    package init(
        release: Release, objects: Directory, profile: Profile,
        options: CheckOptions = CheckOptions()
    ) {
        let paths = Dictionary(
            release.assets.map { ($0.path, OriginLayout.objectPath($0)) },
            uniquingKeysWith: { first, _ in first })
        self.init(
            source: .objects(objects, paths: paths),
            sorted: release.assets.map { ($0.path, $0.size) },
            digests: release.assets.map(\.sha256), leftOut: LeftOut(), refused: [],
            profile: profile, previous: nil, options: options)
    }

    /// Lists a build directory; names that cannot be packaged are recorded, not thrown.
    ///
    /// - Throws: ``Failure``.
    package init(
        directory: Directory, excluding exclusions: Exclusions = Exclusions(), profile: Profile,
        previous: Manifest? = nil, options: CheckOptions = CheckOptions()
    ) throws(Failure) {
        let survey = try FileTree.survey(directory, excluding: exclusions)
        self.init(
            source: .directory(directory), files: survey.files.map { ($0.path, $0.size) },
            leftOut: survey.leftOut, refused: survey.refused, profile: profile, previous: previous,
            options: options)
    }

    /// Uses a build in memory.
    package init(
        memory: [AssetPath: [UInt8]], leftOut: LeftOut = LeftOut(),
        refused: [RefusedName] = [],
        profile: Profile, previous: Manifest? = nil, options: CheckOptions = CheckOptions()
    ) {
        self.init(
            source: .memory(memory), files: memory.map { ($0.key, UInt64($0.value.count)) },
            leftOut: leftOut,
            refused: refused
                + NameCollisions.find(in: memory.keys.sorted()).map {
                    .init(name: printable($0.path.bytes), problem: $0.problem)
                }, profile: profile, previous: previous, options: options)
    }

    /// The path of a file by its index.
    package func path(_ index: Int) -> AssetPath { files[index].path }

    /// The SHA-256 of a file, if known without reading it.
    package func knownDigest(of index: Int) -> Digest? { digests.isEmpty ? nil : digests[index] }

    /// Reads the content of a file again; rules that compare files need only a few.
    package func content(of index: Int) throws(Failure) -> [UInt8] {
        try source.content(of: files[index].path)
    }
}
