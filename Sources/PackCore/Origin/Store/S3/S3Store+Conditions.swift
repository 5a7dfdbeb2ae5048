import PackGround
package import PackOrigin
import PackRelease

/// What a store was seen to do with the conditions that keep publishers apart.
package struct StoreConditions: Equatable, Sendable {
    /// How `If-Match` takes an ETag.
    package enum Replacing: String, Sendable {
        case quoted
        case unquoted
    }

    /// How 'replace only if it is unchanged' is kept; `nil` where it is not, so that the log alone decides between
    /// publishers.
    package let replacing: Replacing?
}

/// Whether the store keeps the two conditions that keep publishers apart, tried with a file that no client reads.
extension S3Store {
    /// Seconds that this machine's clock may be wrong: half of what an intent of a publish lives.
    private static let mostAhead = 12 * 3600

    package var secondsAhead: Int { abs(client.ahead) < Self.leastAhead ? 0 : client.ahead }

    /// What is less can be the time that an answer takes, and times of answers have no fractions.
    private static let leastAhead = 60

    /// An intent says when its run began, and others take that for the store's time; what a prune deletes depends on it.
    package func checkClock() throws {
        let ahead = client.ahead
        guard abs(ahead) < Self.mostAhead else { throw S3Error.clock(seconds: ahead, request: nil) }
    }

    /// Creates a file of the workspace, and tries the conditions with it.
    ///
    /// Whatever is thrown, the file may be there; the caller removes it.
    ///
    /// - Throws: ``S3Error/noConditions(origin:problem:isIgnored:)`` for a store that replaces what it must only create.
    func prove(by upload: Upload) async throws -> CreateResult {
        try await prove(by: upload, firstAnswer(to: upload))
        return .made
    }

    /// The requests that prove the conditions take as long as those that a run begins with, so both are sent together.
    package func announce<Result>(
        _ intent: Upload, _ body: () async throws -> Result
    ) async throws -> Result? {
        let first = try await firstAnswer(to: intent)
        try checkClock()
        guard first != nil else {
            // The intent is not there yet.
            try await prove(by: intent, first)
            return try await body()
        }
        async let proof: Void = prove(by: intent, first)
        let result: Result
        do {
            result = try await body()
        } catch {
            // What is wrong with the store comes first, and no request of these may come after the intent is removed.
            try await proof
            throw error
        }
        try await proof
        return result
    }

    private func prove(by upload: Upload, _ first: Outcome?) async throws {
        guard let problem = try await tryConditions(upload, after: first) else { return }
        guard isUnsafe else {
            throw S3Error.noConditions(
                origin: address, problem: problem.text, isIgnored: problem.isIgnored)
        }
        memory.level = .unsafe
        _ = try await put(upload, [])
    }

    private typealias Problem = (text: String, isIgnored: Bool)

    private static let create = [HTTPHeader("If-None-Match", "*")]

    private func firstAnswer(to upload: Upload) async throws -> Outcome? {
        try await tried(upload, Self.create)
    }

    /// - Returns: why nothing can be created only once; `nil` where it can.
    private func tryConditions(_ upload: Upload, after first: Outcome?) async throws -> Problem? {
        let unknown = Problem("does not know the condition 'create only'", false)
        var (tag, isCeph) = ("", false)
        switch first {
        case .written(let given, let request): (tag, isCeph) = (given, request.hasPrefix("tx"))
        case .refused:
            // An empty condition would not be sent, although it is signed.
            guard let found = try await head(upload.place)?["etag"], !found.isEmpty else {
                throw S3Error.notS3(
                    place: display(upload.place),
                    problem: "it refuses to create what it does not show")
            }
            tag = found
        case nil: return unknown
        }
        // Alone: a store that overwrites may not take two writes at once. rclone's server lists a file that got them
        // even after it is deleted.
        switch try await tried(upload, Self.create) {
        case .written:
            return ("overwrote '\(upload.place)' although it was told not to", true)
        case .refused: break
        case nil: return unknown
        }
        memory.level = .createOnly
        // Only the order depends on whose request IDs these look like.
        let dialects: [S3Memory.Dialect] = isCeph ? [.unquoted, .quoted] : [.quoted, .unquoted]
        let other = "\"00000000000000000000000000000000\""
        let matches = [other, dialects[0].form(tag)]
        let outcomes = try await inParallel(matches.count) {
            try await tried(upload, [HTTPHeader("If-Match", matches[$0])])
        }
        guard case .refused = outcomes[0] else { return nil }
        if case .written = outcomes[1] {
            memory.level = .conditions(dialects[0])
            return nil
        }
        // The first form again at the end: two at once may have been in each other's way.
        for dialect in dialects.reversed() {
            let match = [HTTPHeader("If-Match", dialect.form(tag))]
            if case .written = try await tried(upload, match) {
                memory.level = .conditions(dialect)
                break
            }
        }
        return nil
    }

    /// - Returns: `nil` where the store says that it does not know the condition.
    private func tried(_ upload: Upload, _ conditions: [HTTPHeader]) async throws -> Outcome? {
        do {
            return try await put(upload, conditions)
        } catch S3Error.status(_, 501, _, _, _) {
            return nil
        }
    }

    /// Tries the conditions with files of the workspace, and removes them; the bucket may be empty.
    ///
    /// - Throws: ``S3Error/noConditions(origin:problem:isIgnored:)`` where nothing can be created only once.
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

    /// Tries the conditions where no intent did.
    func proveIfNeeded() async throws {
        guard memory.level == nil else { return }
        let probe = Upload(
            "\(OriginLayout.workspace)/probe.\(uniqueName())", Array("{}\n".utf8))
        try await removing(probe.place) { _ = try await prove(by: probe) }
    }

    /// Removes a file when `body` has ended, also where another upload's failure has cancelled this one.
    private func removing(_ place: String, after body: () async throws -> Void) async throws {
        let remove = { try await uncancelled { try await self.remove([place]) } }
        do {
            try await body()
        } catch {
            try? await remove()
            throw error
        }
        try await remove()
    }
}
