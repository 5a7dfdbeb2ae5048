package import PackGround

/// A store that can be published to.
///
/// Most files are immutable (``create(_:)``); a few are replaced (``replace(_:if:)``,
/// ``copy(_:from:while:)``). Changes are durable when these calls return. A publish commits with
/// `create([log entry])`, then `replace(pointer, if:)`.
package protocol WritableStore: ListingStore {
    /// The mechanism that prevents conflicting writes. Valid only after ``awaitGuarantee()``.
    var guarantee: ConditionalWrites { get }

    /// Waits until ``guarantee`` is known, which takes a first create.
    func awaitGuarantee() async throws

    /// Ends the requests that ``awaitGuarantee()`` waits for, because the run was cancelled.
    func cancelGuarantee()

    /// Discards cached answers for names that may have changed.
    func invalidateCache()

    /// Prefetches files that this run probably needs; ignores failures.
    ///
    /// Pass only files that stay unchanged and unpruned while their pointer is current, because
    /// later
    /// reads do not request them again.
    func readAhead(_ contents: [ObjectReference]) async

    /// Access to the hashes that the store reports; `nil` if only a read shows a file's content.
    var hashes: (any HashingStore)? { get }

    /// The file's current revision, for ``replace(_:if:)``; `nil` if the file is missing.
    func revision(of path: String) async throws -> Revision?

    // MARK: Before anything is written

    /// Free bytes; `nil` if the store does not report any limit.
    func freeBytes() async throws -> UInt64?

    /// Whether this user may change names in a folder.
    func isWritable(_ folder: String) async throws -> Bool

    /// The first needed name already taken by an entry of another kind.
    ///
    /// - Parameter names: Folders precede their entries.
    func obstacle(among names: [NeededName]) async throws -> Obstacle?

    /// Whether files are missing because this is a copy of the public part of an origin.
    func isCopy() async throws -> Bool

    /// Runs `body` while no other command changes the store.
    ///
    /// A directory takes its lock for the whole of `body`. In a bucket nothing is taken:
    /// ``announce(_:_:)`` makes the intent visible, and competing publishers are serialized by the
    /// log, where an entry can be created only once.
    ///
    /// - Parameter isNew: Whether the store is empty. If so, a failure of `body` removes everything
    ///   this call created.
    /// - Returns: `nil` if another publisher has the lock.
    func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result?

    // MARK: Staging

    func makeStaging() throws -> Staging

    /// Copies uploads to the staging and checks their hashes. Publishing them is then only a
    /// rename.
    ///
    /// - Throws: ``Failure/buildChangedWhileRead(path:)`` for a file whose content has changed.
    func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload]

    /// A folder needed by files of `site/` but not writable by this user; `nil` if all are
    /// writable.
    func unwritableFolder(of copies: [SiteCopy]) async throws -> String?

    /// Does the failure-prone part of ``copy(_:from:while:)`` before any public file changes.
    func stage(_ copies: [SiteCopy], in staging: Staging) async throws

    /// Makes all staged and created files durable.
    func flush() async throws

    // MARK: Changing

    /// Prepares for the creation of those files that are missing, such as by opening connections.
    func expectUploads(of paths: [String]) async

    /// Creates files that nothing references yet while the run prepares others, if uploads are slow.
    ///
    /// - Returns: The uploads that are left for ``create(_:)``: all of them in a directory, where
    ///   creating is a rename, and everything becomes durable at once before it.
    func createEarly(_ uploads: [Upload]) async throws -> [Upload]

    /// Creates files in order. Never replaces a file with possible references to it.
    ///
    /// - Throws: ``StoreError/taken(path:by:)`` at the first key with other content.
    func create(_ uploads: [Upload]) async throws -> [CreateResult]

    /// Runs the read-only `body` such that commands that begin later see this run.
    ///
    /// A bucket creates the intent before `body`; the check of its conditional writes may run in
    /// parallel, and is complete when the call returns. A directory creates nothing: its lock keeps
    /// others away.
    ///
    /// - Returns: `nil` if the intent's name is taken.
    func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result?

    /// Makes the intent durable before the first write of a run, unless ``announce(_:_:)`` has.
    ///
    /// - Returns: `false` if the intent's name is taken.
    func confirm(_ intent: Upload) async throws -> Bool

    /// Whether the run of an intent found at the origin may still be at work.
    ///
    /// `false` in a directory for all intents, once this process has the lock.
    func mayBeAtWork(_ intent: RunIntent.Recorded, now: Timestamp) -> Bool

    /// Whether a run may still do what its intent announced.
    ///
    /// Always in a directory, where the lock does not expire.
    func isTimeLeft(_ intent: RunIntent, now: Timestamp) -> Bool

    /// Replaces a file in one step.
    ///
    /// - Returns: `false` if the condition fails because another publisher wrote first.
    /// - Throws: ``StoreError/replacedNotDurable(path:cause:)``; after any other error, the old
    ///   file
    ///   is unchanged.
    func replace(_ upload: Upload, if condition: ReplaceCondition) async throws -> Bool

    /// Writes files of `site/` as copies of their objects, in order.
    ///
    /// - Parameters:
    ///   - staging: The staging of the same copies, in the same order.
    ///   - isWanted: Called before the first file, then at least once per ``SiteCopy/batchSize``
    ///     files.
    func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws

    /// Seconds by which the store's clock is ahead of this machine's; 0 if unknown.
    ///
    /// All publishers to a store share its clock.
    var secondsAhead: Int { get }

    /// Throws if this machine's clock differs too much from the store's.
    ///
    /// Call it after the store's first response.
    func checkClock() throws

    /// Removes files; a missing one is not an error.
    func remove(_ paths: [String]) async throws

    /// Removes the parent folders of keys if they are empty.
    ///
    /// Does nothing in stores without folders.
    func removeEmptyFolders(of paths: [String]) async throws
}

extension WritableStore {
    package var secondsAhead: Int { 0 }

    package func checkClock() throws {}

    package var guarantee: ConditionalWrites { .conditions }

    package func awaitGuarantee() async throws {}

    package func cancelGuarantee() {}

    package func isCopy() async throws -> Bool { false }

    package func createEarly(_ uploads: [Upload]) async throws -> [Upload] {
        guard readsAtOnce > 1 else { return uploads }
        _ = try await create(uploads)
        return []
    }

    package func expectUploads(of paths: [String]) async {}

    package func confirm(_ intent: Upload) async throws -> Bool { true }

    package func mayBeAtWork(_ intent: RunIntent.Recorded, now: Timestamp) -> Bool {
        !intent.isOver(now)
    }

    package func isTimeLeft(_ intent: RunIntent, now: Timestamp) -> Bool { intent.isTimeLeft(now) }

    package func invalidateCache() {}

    package func readAhead(_ contents: [ObjectReference]) async {}

    package func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result? {
        guard try await create([intent]) == [.made] else { return nil }
        return try await body()
    }

    package var hashes: (any HashingStore)? { self as? any HashingStore }

    package func unwritableFolder(of copies: [SiteCopy]) async throws -> String? { nil }

    package func removeEmptyFolders(of paths: [String]) async throws {}
}
