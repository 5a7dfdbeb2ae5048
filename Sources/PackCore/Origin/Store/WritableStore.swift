/// A store that can be published to.
///
/// Names are of two kinds: most are created once and never change their bytes (``create(_:)``); a few are replaced
/// (``replace(_:if:)``, ``copy(_:)``). What either returns from is durable. The commit of a publish is
/// `create([log entry])`, then `replace(pointer, if:)`.
package protocol WritableStore: ListingStore {
    // MARK: Before anything is written

    /// Free bytes; `nil` where that is no question.
    func freeBytes() async throws -> UInt64?

    /// Whether this user may change names in a folder.
    func isWritable(_ folder: String) async throws -> Bool

    /// The first of some names that something else has: parents come before what is in them.
    func obstacle(among names: [NeededName]) async throws -> Obstacle?

    /// Runs `body` with all others kept out that a lock of this store can keep out.
    ///
    /// It may keep out nobody: what decides between publishers is that a log entry can be created once.
    ///
    /// - Parameter isNew: whether nothing was there: should `body` fail, what this call made is removed again.
    /// - Returns: `nil` where somebody else is at work.
    func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result?

    // MARK: Staging

    func makeStaging() throws -> Staging

    /// Brings uploads to where naming them is all that is left, and compares them with what they have to be.
    ///
    /// - Throws: ``BuildError/changedWhileRead(path:)`` for a file that has other content by now.
    func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload]

    /// Does what can fail of ``copy(_:from:)`` before anything has changed.
    ///
    /// - Throws: ``StoreError/notWritable(folder:)``.
    func stage(_ copies: [SiteCopy], in staging: Staging) async throws

    /// Makes everything that is staged or was created durable.
    func settle() async throws

    // MARK: Changing

    /// Gives uploads their places, in order and never replacing what something could refer to.
    ///
    /// - Throws: ``StoreError/taken(place:by:)`` at the first place that has other content.
    func create(_ uploads: [Upload]) async throws -> [Created]

    /// Replaces a file in one step.
    ///
    /// - Returns: `false` where the condition is not true: somebody was faster.
    /// - Throws: ``StoreError/replacedNotDurable(place:cause:)``; any other error leaves what was there.
    func replace(_ upload: Upload, if condition: ReplaceCondition) async throws -> Bool

    /// Brings files of `site/` to their objects, in order.
    ///
    /// - Parameter staging: in which they were staged, in this order.
    func copy(_ copies: [SiteCopy], from staging: Staging) async throws

    /// Removes files; one that is not there is no error.
    func remove(_ places: [String]) async throws
}
