import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// A place that an origin is verified at: a directory or bucket (``OriginVerifier``), or an address of a web server
/// (``HTTPVerifier``).
///
/// The walk itself, ``audit()``, is the same for all.
protocol AuditSource: Sendable {
    var reader: OriginReader { get }

    var jobs: Int { get }
    var progress: ProgressSink? { get }

    /// How many releases or deltas are read at once.
    var readAtOnce: Int { get }

    /// Reads pointers, roots and log entries, and says which releases have to be there.
    func readPointers(_ run: inout AuditRun) async throws

    /// Reads the manifest of an offer.
    func manifest(of offer: OriginReader.Published) async throws -> CheckedFile

    /// Reads a package or delta to its end, and passes a copy on this machine to `body`.
    func check(
        _ file: ExpectedFile, _ body: @Sendable (Directory, String) async throws -> Void
    ) async throws -> CheckedFile

    /// The deltas of the releases whose manifests were read.
    func deltas(_ run: AuditRun) -> [(place: String, listed: Reachability.ListedDelta)]

    /// Adds the objects of a release, whose manifest was read.
    func addObjects(_ manifest: Manifest, of release: AuditedRelease, _ run: inout AuditRun)

    /// Reads some files.
    func check(_ files: [ExpectedFile]) async throws -> [CheckedFile]

    /// The objects that are read.
    func objects(_ run: AuditRun) -> [ExpectedFile]

    /// Called when all releases were read.
    func checkMissing(_ run: inout AuditRun) async throws

    /// Compares `info.json` and `site/` with the release that they follow.
    func checkFollowers(_ run: inout AuditRun) async throws

    /// Checks what belongs to no file in particular.
    func checkRest(_ run: inout AuditRun) async throws
}

/// A release that pointers or log entries offer, with each of its manifests.
struct AuditedRelease: Sendable {
    var offers: [OriginReader.Published]
    /// Whether its package, deltas and objects are read.
    var isWhole = true
}

/// A file that must be at a place, and how a web server has to answer with it.
struct ExpectedFile: Sendable {
    /// How long caches may keep a file (`docs/formats.md`).
    enum Lifetime: Sendable {
        /// It is replaced by publishes.
        case short
        /// Its name never changes what it means.
        case long
    }

    let place: String
    let content: FileDigest
    var lifetime = Lifetime.long
    /// The media type without parameters.
    var type = "application/json"
    /// Whether its content is read; otherwise only whether it is there.
    var isRead = true
    /// What earlier releases had at the place.
    var older: [FileDigest] = []

    /// Whether servers and CDNs compress or rewrite files of this kind.
    var isText: Bool {
        type.hasPrefix("text/") || type.hasSuffix("json") || type.hasSuffix("xml")
            || type.contains("javascript")
    }
}

/// What was found about one file.
struct CheckedFile: Sendable {
    var findings = AuditFindings()
    /// What is wrong with the file itself, to follow its name.
    var failure: String?
    var isWhole = false
    /// It has other content, which a cache or a publish in progress explains.
    var isLate = false
    /// The content, if it was to be kept and is what it must be.
    var bytes: [UInt8]?
}

/// What one verification has learned so far.
struct AuditRun {
    var result = Verification()
    var findings = AuditFindings()
    private(set) var failures: [Verification.Failure] = []
    /// Channels with an intent: a publish is at work or was interrupted.
    var underWay: Set<String> = []
    /// The origin's trust roots; `nil` for an unsigned origin.
    var chain: RootChain?
    /// The current pointers.
    var currents: [Channel: OriginReader.Published] = [:]
    /// Says which entries of a channel are the owner's, once that was asked.
    var judges: [Channel: LogEntryClassifier] = [:]
    /// Entries that may be the owner's: they say nothing of what others name.
    var unverifiable: [OriginReader.Published] = []
    /// The lowest sequence of each channel whose releases have to be whole.
    var lowestWhole: [Channel: Int] = [:]
    /// What the pointers and log entries need.
    var needs = Reachability()
    /// The releases to check, in order.
    var releases: [AuditedRelease] = []
    /// The offer that `info.json` and `site/` show: of the default channel, and for every device.
    var followed: OriginReader.Published?
    /// The manifest of that release.
    var current: Manifest?
    /// What only sequences from before a prune may name, by the places of the manifests.
    var pruned: [String: OriginReader.Published] = [:]
    var entryNotes = EntryNotes()
    /// Whether something that refers to files could not be read: what only it names looks like an orphan.
    var isIncomplete = false
    /// Whether the origin has roots that cannot be read.
    var hasDamagedRoots = false
    /// Whether something names a root, or is signed, and the origin has no root.
    var hasLostRoots = false

    // MARK: Over HTTP

    /// The current pointer, then those before it.
    var published: [OriginReader.Published] = []
    /// The current pointer is so new that caches may have the one before it.
    var isRecent = false
    /// Places that were checked.
    var checked: Set<String> = []
    /// The objects to read.
    var objects: [ExpectedFile] = []
    /// The newest offer that needs a place.
    var newest: [String: Pointer] = [:]
    /// The same origin without caches, unless it has another history.
    var source: (any OriginStore)?

    // MARK: Adding

    mutating func fail(_ place: String, _ problem: String) {
        failures.append(.init(place: place, problem: problem))
    }

    mutating func fail(_ place: String, _ error: any Error) { fail(place, "\(error)") }

    /// Notes that what refers to files could not be read.
    mutating func failToRead(_ place: String, _ problem: String) {
        isIncomplete = true
        fail(place, problem)
    }

    mutating func failToRead(_ place: String, _ error: any Error) { failToRead(place, "\(error)") }

    mutating func note(_ text: String) { result.notes.append(text) }

    /// Two pointers to one release must bind it to the same bytes.
    mutating func record(_ published: OriginReader.Published, rebinds: Bool = true) {
        for problem in needs.add(published, rebinds: rebinds) { fail(published.place, problem) }
    }

    /// - Returns: whether the file is right.
    @discardableResult
    mutating func take(_ checked: CheckedFile, _ place: String) -> Bool {
        findings.add(checked.findings)
        if let failure = checked.failure { fail(place, failure) }
        self.checked.insert(place)
        return checked.isWhole
    }
}
