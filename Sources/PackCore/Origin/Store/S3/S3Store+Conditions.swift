/// Whether the store keeps the two conditions that keep publishers apart, tried with a file that no client reads.
extension S3Store {
    /// Creates a file of the workspace, and tries the conditions with it.
    ///
    /// - Throws: ``S3Error/noConditions(origin:problem:isIgnored:)`` for a store that replaces what it must only create;
    ///   the file is removed then.
    func prove(by upload: Upload) async throws -> Created {
        guard let problem = try await tryConditions(upload) else { return .made }
        guard isUnsafe else {
            try? await remove([upload.place])
            throw S3Error.noConditions(
                origin: address, problem: problem.text, isIgnored: problem.isIgnored)
        }
        memory.level = .unsafe
        _ = try await put(upload, [])
        return .made
    }

    private typealias Problem = (text: String, isIgnored: Bool)

    /// - Returns: why nothing can be created only once; `nil` where it can.
    private func tryConditions(_ upload: Upload) async throws -> Problem? {
        let create = [HTTPHeader("If-None-Match", "*")]
        let unknown = Problem("does not know the condition 'create only'", false)
        var (tag, isCeph) = ("", false)
        switch try await tried(upload, create) {
        case .written(let given, let request): (tag, isCeph) = (given, request.hasPrefix("tx"))
        case .refused: tag = try await head(upload.place)?["etag"] ?? ""
        case nil: return unknown
        }
        let other = "\"00000000000000000000000000000000\""
        let refusals = [create, [HTTPHeader("If-Match", other)]]
        let outcomes = try await inParallel(refusals.count) {
            try await tried(upload, refusals[$0])
        }
        switch outcomes[0] {
        case .written:
            return ("overwrote '\(upload.place)' although it was told not to", true)
        case .refused: break
        case nil: return unknown
        }
        memory.level = .createOnly
        guard case .refused = outcomes[1] else { return nil }
        // Only the order depends on whose request IDs these look like.
        for dialect in isCeph ? [S3Memory.Dialect.unquoted, .quoted] : [.quoted, .unquoted] {
            let match = [HTTPHeader("If-Match", dialect.form(tag))]
            if case .written = try await tried(upload, match) {
                memory.level = .conditions(dialect)
                return nil
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

    /// Tries the conditions where no intent did.
    func proveIfNeeded() async throws {
        guard memory.level == nil else { return }
        let probe = Upload(
            "\(OriginLayout.workspace)/probe.\(uniqueName())", Array("{}\n".utf8))
        _ = try await prove(by: probe)
        try await remove([probe.place])
    }
}
