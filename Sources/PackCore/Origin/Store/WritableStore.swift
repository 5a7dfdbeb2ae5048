/// A store that can be published to.
///
/// Names are of two kinds: most are created once and never change their bytes (``create(_:)``); a few are replaced
/// (``replace(_:if:)``, ``copy(_:)``). What either returns from is durable. The commit of a publish is
/// `create([log entry])`, then `replace(pointer, if:)`.
package protocol WritableStore: ListingStore {
    // MARK: Before anything is written

    /// Free bytes; `nil` if there is no limit.
    func freeBytes() async throws -> UInt64?

    /// Whether this user may change names in a folder.
    func isWritable(_ folder: String) async throws -> Bool

    /// The first of some names that is taken by something else; parents come before their children.
    func obstacle(among names: [NeededName]) async throws -> Obstacle?

    /// Runs `body` with the store's lock, if it has one.
    ///
    /// A store may have no lock: a log entry can be created only once, which decides between
    /// publishers.
    ///
    /// - Parameter isNew: Whether nothing was there: if `body` fails, what this call created is
    ///   removed again.
    /// - Returns: `nil` if another process has the lock.
    func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result?

    // MARK: Staging

    func makeStaging() throws -> Staging

    /// Uploads files so that only naming them is left, and compares them with their expected
    /// content.
    ///
    /// - Throws: ``BuildError/changedWhileRead(path:)`` for a file whose content has changed.
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
    /// - Returns: `false` if the condition is not met: another process was faster.
    /// - Throws: ``StoreError/replacedNotDurable(place:cause:)``; after any other error the old
    ///   file is kept.
    func replace(_ upload: Upload, if condition: ReplaceCondition) async throws -> Bool

    /// Brings files of `site/` to their objects, in order.
    ///
    /// - Parameter staging: in which they were staged, in this order.
    func copy(_ copies: [SiteCopy], from staging: Staging) async throws

    /// Removes files; a missing one is not an error.
    func remove(_ places: [String]) async throws
}
