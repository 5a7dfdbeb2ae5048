package import PackGround

/// A store that can be published to.
///
/// Most files are created once and never change (``create(_:)``); a few are replaced (``replace(_:if:)``,
/// ``copy(_:from:while:)``). When one of these calls returns, its changes are durable. The commit of a publish is
/// `create([log entry])`, then `replace(pointer, if:)`.
package protocol WritableStore: ListingStore {
    /// What keeps publishers apart, once something was created.
    var guarantee: ConditionalWrites { get }

    /// Forgets what earlier answers said of names that may have changed since.
    func invalidateCache()

    /// Reads files that this run will probably need, while it waits for something else; a failure is no matter.
    ///
    /// Only files that nothing changes or prunes while their pointer is the current one: they are not asked for again.
    func readAhead(_ contents: [ObjectReference]) async

    /// Reads a file that changes, for the next ``OriginStore/read(_:limit:)`` of it; a failure is no matter.
    ///
    /// Called where that read would have to wait for something else.
    func readAhead(_ place: String, limit: Int) async

    /// Reads some files from now on, whatever a listing says of them: nobody has proved them.
    func markUnverified(_ places: [String])

    /// Whether the store states hashes of its files, which ``learn(_:md5:)`` makes a proof.
    var learnsContents: Bool { get }

    /// Hashes files of this machine that have the content of files in the store, for later comparisons.
    func learn(_ files: [Upload], jobs: Int) async throws

    /// Takes over the MD5 of some content: a file for which the store states that MD5 then needs not be read.
    func learn(_ content: FileDigest, md5: String)

    /// What the file at a place is now, as ``replace(_:if:)`` compares it; `nil` where nothing is.
    func revision(of place: String) async throws -> Revision?

    // MARK: Before anything is written

    /// Free bytes; `nil` if the store does not report any limit.
    func freeBytes() async throws -> UInt64?

    /// Whether this user may change names in a folder.
    func isWritable(_ folder: String) async throws -> Bool

    /// The first needed name that is taken by something of another kind.
    ///
    /// - Parameter names: folders before what is in them.
    func obstacle(among names: [NeededName]) async throws -> Obstacle?

    /// Whether ``exclusively(isNew:_:)`` keeps others out.
    var hasLock: Bool { get }

    /// Runs `body` under the store's lock, if it has one.
    ///
    /// A bucket has none. What decides between publishers is that a log entry can be created only once.
    ///
    /// - Parameter isNew: whether the store is empty. If `body` then fails, what this call created is removed.
    /// - Returns: `nil` if another publisher has the lock.
    func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result?

    // MARK: Staging

    func makeStaging() throws -> Staging

    /// Copies uploads to the staging, so that only naming them is left to do, and checks their hashes.
    ///
    /// - Throws: ``BuildError/changedWhileRead(path:)`` for a file whose content has changed.
    func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload]

    /// A folder that files of `site/` need and that this user may not change; `nil` where there is none.
    func unwritableFolder(of copies: [SiteCopy]) async throws -> String?

    /// Does the part of ``copy(_:from:while:)`` that is likely to fail, before anything public changes.
    func stage(_ copies: [SiteCopy], in staging: Staging) async throws

    /// Makes all staged and created files durable.
    func flush() async throws

    // MARK: Changing

    /// Whether uploads take long enough to begin before everything is made that is uploaded.
    ///
    /// Where staged files only need names, that would change the order of what becomes durable, and gain nothing.
    var createsEarly: Bool { get }

    /// Gives uploads their places, in order. A file that something may refer to is never replaced.
    ///
    /// - Throws: ``StoreError/taken(place:by:)`` at the first place with other content.
    func create(_ uploads: [Upload]) async throws -> [CreateResult]

    /// Creates the intent of a run, and runs `body`, which only reads, once others see it.
    ///
    /// A store may prove meanwhile that it keeps conditions; that is done when the call returns.
    ///
    /// - Returns: `nil` if something has the intent's name.
    func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result?

    /// Replaces a file in one step.
    ///
    /// - Returns: `false` if the condition is not met: another publisher was faster.
    /// - Throws: ``StoreError/replacedNotDurable(place:cause:)``; any other error leaves what was there.
    func replace(_ upload: Upload, if condition: ReplaceCondition) async throws -> Bool

    /// Makes files of `site/` copies of their objects, in order.
    ///
    /// - Parameters:
    ///   - staging: where the same copies were staged, in the same order.
    ///   - isWanted: asked before the first file, and again after at most ``SiteCopy/batchSize`` files.
    func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws

    /// Seconds that the store's clock, which all who publish there share, is ahead of this machine's; 0 where it is not
    /// known.
    var secondsAhead: Int { get }

    /// Refuses to go on where this machine's clock is too far from the store's.
    ///
    /// Called after the store has answered something.
    func checkClock() throws

    /// Removes files; a missing one is not an error.
    func remove(_ places: [String]) async throws

    /// Removes the folders that some places were in, where nothing is left in them.
    ///
    /// A store without folders has nothing to do.
    func removeEmptyFolders(of places: [String]) async throws
}

extension WritableStore {
    package var hasLock: Bool { false }

    package var secondsAhead: Int { 0 }

    package func checkClock() throws {}

    package var guarantee: ConditionalWrites { .conditions }

    package var createsEarly: Bool { false }

    package func invalidateCache() {}

    package func readAhead(_ contents: [ObjectReference]) async {}

    package func readAhead(_ place: String, limit: Int) async {}

    package func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result? {
        guard try await create([intent]) == [.made] else { return nil }
        return try await body()
    }

    package func markUnverified(_ places: [String]) {}

    package var learnsContents: Bool { false }

    package func learn(_ files: [Upload], jobs: Int) async throws {}

    package func learn(_ content: FileDigest, md5: String) {}

    package func unwritableFolder(of copies: [SiteCopy]) async throws -> String? { nil }

    package func removeEmptyFolders(of places: [String]) async throws {}
}
