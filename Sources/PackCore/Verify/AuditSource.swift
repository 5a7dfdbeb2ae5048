import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// A source that an audit reads an origin from: a directory or bucket (``OriginVerifier``), or a
/// web server (``HTTPVerifier``).
///
/// ``audit()`` is shared by all sources.
protocol AuditSource: Sendable {
    var reader: OriginReader { get }

    var jobs: Int { get }
    var progress: ProgressSink? { get }

    /// Reads pointers, roots and log entries, and collects the releases to check.
    func readPointers(_ run: inout AuditRun) async throws

    /// Reads a release's manifest.
    func manifest(of offer: OriginReader.Published) async throws -> CheckedFile

    /// Reads a whole package or delta, and passes a local copy to `body`.
    func check(
        _ file: ExpectedFile, _ body: @Sendable (Directory, String) async throws -> Void
    ) async throws -> CheckedFile

    /// The deltas of all releases with a readable manifest.
    func deltas(_ run: AuditRun) -> [(path: String, listed: Reachability.ListedDelta)]

    /// Adds the objects of a release after reading its manifest.
    func addObjects(_ manifest: Manifest, of release: AuditedRelease, _ run: inout AuditRun)

    /// Checks several files.
    func check(_ files: [ExpectedFile]) async throws -> [CheckedFile]

    /// The objects to read.
    func objects(_ run: AuditRun) -> [ExpectedFile]

    /// Called after all releases have been read.
    func checkMissing(_ run: inout AuditRun) async throws

    /// Compares `info.json` and `site/` with the release they show.
    func checkFollowers(_ run: inout AuditRun) async throws

    /// Runs the checks not tied to a particular file.
    func checkRest(_ run: inout AuditRun) async throws
}

/// A release offered by pointers or log entries, with all its manifests.
struct AuditedRelease: Sendable {
    var offers: [OriginReader.Published]
    /// Whether to read the package, deltas and objects.
    var isWhole = true
}

/// An expected file, and the headers that a web server must send with it.
struct ExpectedFile: Sendable {
    /// How long caches may keep a file (`docs/formats.md`).
    enum Lifetime: Sendable {
        /// Publishes replace the file.
        case short
        /// The content at this path never changes.
        case long
    }

    let path: String
    let content: FileDigest
    var lifetime = Lifetime.long
    /// The media type without parameters.
    var type = "application/json"
    /// Whether to read the content, or only check that the file exists.
    var isRead = true
    /// The content of earlier releases at this path.
    var older: [FileDigest] = []

    /// Whether servers and CDNs often compress or rewrite this media type.
    var isText: Bool {
        type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
            || type.contains("javascript")
    }
}

/// The result of checking one file.
struct CheckedFile: Sendable {
    var findings = AuditFindings()
    /// A problem of the file itself.
    ///
    /// Messages print it after the path.
    var failure: String?
    var isWhole = false
    /// The content is outdated because of a cache or a publish in progress.
    var isLate = false
    /// The verified content, if the caller asked to keep it.
    var bytes: [UInt8]?
}

/// The state of an audit.
struct AuditRun {
    var result = Verification()
    var findings = AuditFindings()
    private(set) var failures: [Verification.Failure] = []
    /// Channels with an intent: a publish is running or was interrupted.
    var underWay: Set<String> = []
    /// The origin's trust roots, or `nil` for an unsigned origin.
    var chain: RootChain?
    /// The current pointers.
    var currents: [Channel: OriginReader.Published] = [:]
    /// Classifiers of log entries, created on first use.
    var judges: [Channel: LogEntryClassifier] = [:]
    /// Entries whose signatures cannot be verified.
    ///
    /// They must not change the expected hashes of files referenced by verified entries.
    var unverifiable: [OriginReader.Published] = []
    /// The lowest sequence of each channel whose releases must be complete.
    var lowestWhole: [Channel: Int] = [:]
    /// The files referenced by pointers and log entries.
    var needs = Reachability()
    /// The releases to check, in order.
    var releases: [AuditedRelease] = []
    /// The release shown by `info.json` and `site/`: the newest one that the default channel offers
    /// to every device.
    var followed: OriginReader.Published?
    /// The manifest of `followed`.
    var current: Manifest?
    /// Offers possibly deleted by a prune, by manifest path.
    var pruned: [String: OriginReader.Published] = [:]
    var entryNotes = EntryNotes()
    /// Whether a file with references could not be read.
    ///
    /// Files that only it references look like orphans.
    var isIncomplete = false
    /// Whether the origin has unreadable roots.
    var hasDamagedRoots = false
    /// Whether a pointer is signed or names a root, but the origin has no root.
    var hasLostRoots = false

    // MARK: Over HTTP

    /// The current pointer, followed by its predecessors, newest first.
    var published: [OriginReader.Published] = []
    /// Whether the current pointer is so new that caches may still serve its predecessor.
    var isRecent = false
    /// The paths checked so far.
    var checked: Set<String> = []
    /// The objects to read.
    var objects: [ExpectedFile] = []
    /// The newest pointer to reference each path.
    var newest: [String: Pointer] = [:]
    /// The same origin without caches, or `nil` if its history differs.
    var source: (any OriginStore)?

    // MARK: Adding

    mutating func fail(
        _ path: String, _ problem: String, _ kind: Verification.Failure.Kind = .content
    ) {
        failures.append(.init(path: path, problem: problem, kind: kind))
    }

    mutating func fail(
        _ path: String, _ error: any Error, _ kind: Verification.Failure.Kind = .content
    ) {
        fail(path, "\(error)", kind)
    }

    /// Records a problem of an unreadable file with references.
    mutating func failToRead(
        _ path: String, _ problem: String, _ kind: Verification.Failure.Kind = .content
    ) {
        isIncomplete = true
        fail(path, problem, kind)
    }

    mutating func failToRead(
        _ path: String, _ error: any Error, _ kind: Verification.Failure.Kind = .content
    ) {
        failToRead(path, "\(error)", kind)
    }

    mutating func note(_ text: String) { result.notes.append(text) }

    /// Adds a pointer's references.
    ///
    /// All pointers to one release must reference the same bytes.
    mutating func record(_ published: OriginReader.Published, rebinds: Bool = true) {
        for problem in needs.add(published, rebinds: rebinds) { fail(published.path, problem) }
    }

    /// - Returns: Whether the file is correct.
    @discardableResult
    mutating func take(_ checked: CheckedFile, _ path: String) -> Bool {
        findings.add(checked.findings)
        if let failure = checked.failure { fail(path, failure) }
        self.checked.insert(path)
        return checked.isWhole
    }
}
