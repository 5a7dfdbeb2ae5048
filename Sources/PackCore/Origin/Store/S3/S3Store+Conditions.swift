import PackGround
package import PackOrigin
import PackRelease

/// The conditional writes that a store supports.
package struct StoreConditions: Equatable, Sendable {
    /// The ETag syntax of `If-Match`.
    package enum Replacing: String, Sendable {
        case quoted
        case unquoted
    }

    /// The supported form of "replace only if unchanged".
    ///
    /// If `nil`, only the log orders publishers.
    package let replacing: Replacing?
}

/// Tests the store's support for both conditional writes with a file that clients never read.
extension S3Store {
    /// The maximum error of the local clock, in seconds: half the lifetime of a publish intent.
    private static let mostAhead = 12 * 3600

    package var secondsAhead: Int { abs(client.ahead) < Self.leastAhead ? 0 : client.ahead }

    /// In seconds.
    ///
    /// A smaller difference may come from latency, and `Date` headers have no fractions.
    private static let leastAhead = 60

    /// Checks the local clock against the store's.
    ///
    /// Other runs rely on the start time in an intent, and a prune decides by it which files to
    /// delete.
    package func checkClock() throws {
        let ahead = client.ahead
        guard abs(ahead) < Self.mostAhead else {
            throw Failure.s3Clock(seconds: ahead, request: nil)
        }
    }

    /// Creates a file in the workspace and tests the conditional writes with it.
    ///
    /// After an error the file may exist; the caller removes it.
    ///
    /// - Throws: ``Failure/s3NoConditions(origin:problem:isIgnored:)`` if the store overwrites a file
    ///   in a create-only write.
    func prove(by upload: Upload) async throws -> CreateResult {
        try await prove(by: upload, firstAnswer(to: upload))
        return .made
    }

    /// Tests the conditional writes while `body` runs, because both take about the same time.
    ///
    /// Creating is proved when the call returns. Replacing is proved while the run creates files,
    /// before the first conditional replacement (``awaitGuarantee()``).
    package func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result? {
        let first = try await firstAnswer(to: intent)
        try checkClock()
        guard first != nil else {
            // The store rejected the first write, so the intent does not exist yet.
            try await prove(by: intent, first)
            return try await body()
        }
        async let proof: Void = proveCreating(by: intent, first)
        let result: Result
        do {
            result = try await body()
        } catch {
            // Report the store's problem first. The intent must not be removed before these
            // requests have ended.
            try await proof
            throw error
        }
        try await proof
        return result
    }

    private func proveCreating(by upload: Upload, _ first: Outcome?) async throws {
        guard let tag = try await provedTag(by: upload, first) else { return }
        memory.replacing = Task { try await tryReplacing(upload, tag) }
    }

    /// Waits until the store's support for conditional replacing is known.
    ///
    /// - Throws: The error of a request of the test.
    package func awaitGuarantee() async throws {
        guard let test = memory.replacing else { return }
        try await withTaskCancellationHandler {
            try await test.value
        } onCancel: {
            test.cancel()
        }
        memory.replacing = nil
    }

    package func cancelGuarantee() { memory.replacing?.cancel() }

    private func prove(by upload: Upload, _ first: Outcome?) async throws {
        guard let tag = try await provedTag(by: upload, first) else { return }
        try await tryReplacing(upload, tag)
    }

    /// Tests whether the store creates files only if they do not exist.
    ///
    /// - Returns: The ETag of `upload`; `nil` if the store does not, and the user accepts that.
    private func provedTag(by upload: Upload, _ first: Outcome?) async throws -> ProvedTag? {
        do {
            return try await tryCreating(upload, after: first)
        } catch let problem as Problem {
            guard isUnsafe else {
                throw Failure.s3NoConditions(
                    origin: address, problem: problem.text, isIgnored: problem.isIgnored)
            }
            memory.level = .unsafe
            _ = try await put(upload, [])
            return nil
        }
    }

    /// Why a store cannot create files only if they do not exist.
    private struct Problem: Error {
        let text: String
        let isIgnored: Bool
    }

    /// The ETag of the file of the tests, and whether the store is likely Ceph.
    private typealias ProvedTag = (text: String, isCeph: Bool)

    private static let create = [HTTPHeader("If-None-Match", "*")]

    private func firstAnswer(to upload: Upload) async throws -> Outcome? {
        try await tried(upload, Self.create)
    }

    /// - Throws: ``Problem`` if create-only writes do not work.
    private func tryCreating(_ upload: Upload, after first: Outcome?) async throws -> ProvedTag {
        let unknown = Problem(text: "does not know the condition 'create only'", isIgnored: false)
        var (tag, isCeph) = ("", false)
        switch first {
        case .written(let given, let request): (tag, isCeph) = (given, request.hasPrefix("tx"))
        case .refused:
            // HTTP clients omit an empty header, although it is signed.
            guard let found = try await head(upload.path)?["etag"], !found.isEmpty else {
                throw Failure.s3NotS3(
                    path: display(upload.path),
                    problem: "it refuses to create a file that does not exist")
            }
            tag = found
        case nil: throw unknown
        }
        // Do not send this concurrently: a store that overwrites may not support two simultaneous
        // writes. rclone's server keeps listing a file after deletion if it received them.
        switch try await tried(upload, Self.create) {
        case .written:
            throw Problem(
                text: "overwrote '\(upload.path)' despite the condition", isIgnored: true)
        case .refused: break
        case nil: throw unknown
        }
        memory.level = .createOnly
        return (tag, isCeph)
    }

    private func tryReplacing(_ upload: Upload, _ tag: ProvedTag) async throws {
        // Request IDs that start with `tx` suggest Ceph. They only affect the order.
        let dialects: [S3Memory.Dialect] =
            tag.isCeph ? [.unquoted, .quoted] : [.quoted, .unquoted]
        let other = "\"00000000000000000000000000000000\""
        let matches = [other, dialects[0].form(tag.text)]
        let outcomes = try await inParallel(matches.count) {
            try await tried(upload, [HTTPHeader("If-Match", matches[$0])])
        }
        guard case .refused = outcomes[0] else { return }
        if case .written = outcomes[1] {
            memory.level = .conditions(dialects[0])
            return
        }
        // Try the first form last again, because the two concurrent writes may have interfered.
        for dialect in dialects.reversed() {
            let match = [HTTPHeader("If-Match", dialect.form(tag.text))]
            if case .written = try await tried(upload, match) {
                memory.level = .conditions(dialect)
                break
            }
        }
    }

    /// - Returns: `nil` if the store does not implement the condition.
    private func tried(_ upload: Upload, _ conditions: [HTTPHeader]) async throws -> Outcome? {
        do {
            return try await put(upload, conditions)
        } catch let failure as Failure
            where failure.code == .s3Status && failure["status"] == "501"
        {
            return nil
        }
    }

    /// Tests the conditional writes with files in the workspace, and removes the files.
    ///
    /// The bucket may be empty.
    ///
    /// - Throws: ``Failure/s3NoConditions(origin:problem:isIgnored:)`` if create-only writes do not
    ///   work.
    package func tryConditions() async throws -> StoreConditions {
        try await proveIfNeeded()
        let replacing: StoreConditions.Replacing? =
            switch memory.level {
            case .conditions(.quoted): .quoted
            case .conditions(.unquoted): .unquoted
            case .createOnly, .unsafe, nil: nil
            }
        return StoreConditions(replacing: replacing)
    }

    /// Tests the conditional writes unless an intent already did.
    func proveIfNeeded() async throws {
        guard memory.level == nil else { return }
        let probe = Upload(
            "\(OriginLayout.workspace)/probe.\(uniqueName())", Array("{}\n".utf8))
        try await removing(probe.path) { _ = try await prove(by: probe) }
    }

    /// Removes a file after `body`, even if the failure of another upload has cancelled the task.
    private func removing(_ path: String, after body: () async throws -> Void) async throws {
        let remove = { try await uncancelled { try await self.remove([path]) } }
        do {
            try await body()
        } catch {
            try? await remove()
            throw error
        }
        try await remove()
    }
}
