/// Whether the store keeps the two conditions that keep publishers apart, tried with a file that no client reads.
extension S3Store {
    /// Creates a file of the workspace, and tries the conditions with it.
    ///
    /// - Throws: ``S3Error/noConditions(origin:problem:isIgnored:)``; the file is removed then.
    func prove(by upload: Upload) async throws -> Created {
        let problem: (text: String, isIgnored: Bool)?
        do {
            problem = try await tryConditions(upload)
        } catch S3Error.status(_, 501, _, _, _) {
            problem = ("does not know the condition 'create only' or 'replace if unchanged'", false)
        }
        guard let problem else { return .made }
        guard isUnsafe else {
            try? await remove([upload.place])
            throw S3Error.noConditions(
                origin: address, problem: problem.text, isIgnored: problem.isIgnored)
        }
        memory.level = .unsafe
        _ = try await put(upload, [])
        return .made
    }

    /// - Returns: which condition is not kept; `nil` for none.
    private func tryConditions(_ upload: Upload) async throws -> (String, Bool)? {
        let create = [HTTPHeader("If-None-Match", "*")]
        let tag: String
        switch try await put(upload, create) {
        case .written(let given): tag = given
        case .refused: tag = try await head(upload.place)?["etag"] ?? ""
        }
        if case .written = try await put(upload, create) {
            return ("overwrote '\(upload.place)' although it was told not to", true)
        }
        let other = "\"00000000000000000000000000000000\""
        if case .written = try await put(upload, [HTTPHeader("If-Match", other)]) {
            return ("replaced '\(upload.place)' although it had changed", true)
        }
        if case .written = try await put(upload, [HTTPHeader("If-Match", tag)]) {
            memory.level = .conditions(.quoted)
            return nil
        }
        let plain = tag.filter { $0 != "\"" }
        if case .written = try await put(upload, [HTTPHeader("If-Match", plain)]) {
            memory.level = .conditions(.unquoted)
            return nil
        }
        return ("does not replace a file under the condition that it is unchanged", false)
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
