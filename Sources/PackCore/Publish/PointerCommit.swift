import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// The commit of a new pointer: its log entry, which can be created only once and so decides between publishers, then
/// the pointer itself.
///
/// Every command that changes a channel's pointer commits through this type.
struct PointerCommit: Sendable {
    let pointer: Pointer
    /// Its file.
    let bytes: [UInt8]
    private let store: any WritableStore
    private let entry: Upload
    private let file: Upload
    private let condition: ReplaceCondition
    /// Whose entries count in the log; `nil` at an origin without a trust root.
    let signing: PointerSigning?

    /// The log entry that decides between publishers.
    var logEntry: ObjectReference { ObjectReference(entry.path, entry.content) }

    /// The pointer, as readers of the origin will see it.
    func published() throws -> OriginReader.Published {
        try OriginReader(store, policy: .recordedInLog).published(
            StoredObject(bytes: bytes, revision: Revision(.number(0))), at: file.path,
            of: pointer.channel)
    }

    /// Signs a pointer and stages it.
    ///
    /// - Parameters:
    ///   - current: the pointer that it replaces.
    ///   - signer: `nil` leaves it unsigned.
    ///   - signing: whose entries count in the log, where the origin has a trust root.
    /// - Throws: ``Failure/manifestTooLarge(what:size:limit:)``, ``Failure/originInvalidPointer(path:problem:)``; what the
    ///   signer throws.
    static func stage(
        _ pointer: Pointer, after current: OriginReader.Published?,
        signer: Envelope.Signer?, _ signing: PointerSigning?, _ store: any WritableStore,
        in staging: Staging
    ) async throws -> PointerCommit {
        try await stage(
            pointer, bytes(of: pointer, signer: signer), after: current, signing, store,
            in: staging)
    }

    /// Stages a pointer that is signed already.
    static func stage(
        _ pointer: Pointer, _ bytes: [UInt8], after current: OriginReader.Published?,
        _ signing: PointerSigning?, _ store: any WritableStore, in staging: Staging
    ) async throws -> PointerCommit {
        try check(bytes, are: pointer)
        // Two files, not two names of one: the log must not change if the pointer is edited.
        let uploads = [
            Upload(
                OriginLayout.logEntry(pointer.channel, pointer.sequence), bytes,
                stagedName: "log.json"),
            Upload(OriginLayout.pointer(pointer.channel), bytes, stagedName: "pointer.json"),
        ]
        let staged = try await store.stage(uploads, in: staging, jobs: 1, counter: nil)
        return PointerCommit(
            pointer: pointer, bytes: bytes, store: store,
            entry: staged[0],
            file: staged[1], condition: current.map { .unchanged($0.revision) } ?? .absent,
            signing: signing)
    }

    /// Signs a pointer, and encodes it in its envelope.
    ///
    /// - Throws: ``Failure/manifestTooLarge(what:size:limit:)``, ``Failure/originInvalidPointer(path:problem:)``; what the
    ///   signer throws.
    static func bytes(of pointer: Pointer, signer: Envelope.Signer?) throws -> [UInt8] {
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer),
            signer: signer)
        let bytes = envelope.encode()
        guard bytes.count <= Pointer.sizeLimit else {
            throw Failure.manifestTooLarge(
                what: "pointer", size: bytes.count, limit: Pointer.sizeLimit)
        }
        try check(bytes, are: pointer)
        return bytes
    }

    /// What no client can read must not become the pointer.
    private static func check(_ bytes: [UInt8], are pointer: Pointer) throws {
        let problem: String
        do {
            let envelope = try Envelope(decoding: bytes, payloadType: Envelope.pointerType)
            if try PointerCoding.decode(envelope.payload) == pointer { return }
            problem = "it says something else when it is read"
        } catch {
            problem = "\(error)"
        }
        throw Failure.originInvalidPointer(path: "the new pointer", problem: problem)
    }

    /// Looks whether a root has come that this commit's signatures were not made for.
    ///
    /// The roots were read before the run announced itself, or had the lock. From then on no root comes
    /// (``RootPublisher``), so one look is enough.
    ///
    /// - Throws: ``Failure/publishRootChanged(path:)``; an error of the store.
    func checkRoots() async throws {
        let version = (signing?.root.version ?? 0) + 1
        let path = OriginLayout.root(version)
        // A listing may be older than the root.
        guard try await store.revision(of: path) != nil else { return }
        // The answer may be that of a proxy, which says the same of everything.
        store.invalidateCache()
        guard try await store.rootFile(version) != nil else { return }
        throw Failure.publishRootChanged(path: store.display(path))
    }

    /// Log entry, then pointer.
    ///
    /// Before the pointer is replaced nothing a client reads has changed.
    /// The log entry may be there already, with the same bytes: of an interrupted run of the same pointer, or of this
    /// one, whose request was sent twice on its way.
    ///
    /// - Throws: ``Failure/publishOvertaken(origin:sequence:)``; ``Failure/publishLiveButOutdated(_:outdated:cause:)``
    ///   where the pointer is replaced already.
    func commit() async throws {
        let overtaken = Failure.publishOvertaken(
            origin: store.address, sequence: pointer.sequence)
        do {
            // Compare-and-swap: the name of the sequence can be taken once.
            let created = try await store.create([entry])
            guard created == [.made] || created == [.present] else { throw overtaken }
        } catch is StoreError {
            throw overtaken
        }
        do {
            guard try await store.replace(file, if: condition) else { throw overtaken }
        } catch StoreError.replacedNotDurable(_, let cause) {
            throw live(cause)
        }
        guard store.guarantee != .conditions else { return }
        do {
            guard try await decideOutcome(store) else { throw overtaken }
        } catch let error where !error.isFailure(of: "publish") {
            throw live(error)
        }
    }

    /// The error to throw when something failed after the commit.
    ///
    /// - Parameter behind: Places that still show the previous release.
    func live(_ error: any Error, behind: [String] = []) -> Failure {
        Self.live(pointer, error, behind: behind)
    }

    static func live(
        _ pointer: Pointer, _ error: any Error, behind: [String] = []
    ) -> Failure {
        .publishLiveButOutdated(pointer, outdated: behind, cause: error)
    }
}
