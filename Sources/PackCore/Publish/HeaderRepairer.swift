import PackFeeds
import PackGround
import PackOrigin
import PackRelease

/// Restores the headers of everything that pointers and log entries of an origin need.
///
/// Only files whose content is proved get new headers, and they keep their content.
struct HeaderRepairer {
    let store: any WritableStore
    let headers: any HeaderStore
    let history: OriginHistory
    /// Releases whose manifests are known, though the origin may have lost them.
    let known: [Release]

    struct Outcome {
        var repaired: [String] = []
        var notes: [String] = []
    }

    /// - Parameter places: those that are written anyway.
    func repair(except paths: Set<String>) async throws -> Outcome {
        let files = try await files().filter { !paths.contains($0.path) }
        let wrong = zip(files, try await headers.wrongHeaders(of: files)).filter { !$1.isEmpty }
        var outcome = Outcome()
        guard let first = wrong.first?.0 else { return outcome }
        try await restore([first], &outcome)
        // Headers that the store does not keep for one file, it keeps for none.
        var lost: Set<String> = []
        if !outcome.repaired.isEmpty {
            lost = Set(try await headers.wrongHeaders(of: [first])[0])
        }
        if !lost.isEmpty {
            outcome.notes.append(
                "the store does not keep what it is given as "
                    + lost.sorted().joined(separator: ", "))
        }
        try await restore(
            wrong.dropFirst().filter { !$1.allSatisfy(lost.contains) }.map(\.0), &outcome)
        return outcome
    }

    private func restore(_ files: [HeadedFile], _ outcome: inout Outcome) async throws {
        let restored = try await requestInParallel(files.count, atMost: Self.mostAtOnce) {
            try await restore(files[$0])
        }
        for (file, isRestored) in zip(files, restored) {
            guard !isRestored else {
                outcome.repaired.append(file.path)
                continue
            }
            let reason =
                file.isReplaced
                ? "run 'packtool renew', which writes it again" : "its content is damaged"
            outcome.notes.append(
                "the headers of '\(store.display(file.path))' stay as they are: \(reason)")
        }
    }

    /// Each file takes up to three requests, and may be read whole.
    private static let mostAtOnce = 16

    /// - Returns: whether the file has the headers now.
    private func restore(_ file: HeadedFile) async throws -> Bool {
        for content in file.contents {
            let wanted = ObjectReference(file.path, content)
            guard try await store.holds(content, at: file.path) else { continue }
            guard file.isReplaced else {
                try await headers.restoreHeaders(of: wanted)
                return true
            }
            // The same bytes, unless another run has replaced them. Without that condition an older pointer could come
            // back.
            try await store.awaitGuarantee()
            guard store.guarantee != .createOnly,
                let stored = try await store.read(file.path, limit: Manifest.sizeLimit),
                FileDigest(of: stored.bytes) == content
            else { return false }
            return try await store.replace(
                Upload(file.path, stored.bytes), if: .unchanged(stored.revision))
        }
        return false
    }

    // MARK: The files

    private func files() async throws -> [HeadedFile] {
        var needs = Reachability()
        var files: [HeadedFile] = []
        for channel in try await history.channels() {
            if let current = try await history.reader.readablePointer(channel) {
                let content = FileDigest(of: current.bytes)
                files.append(
                    HeadedFile(OriginLayout.pointer(channel), [content], isReplaced: true))
                _ = needs.add(current)
            }
            var entries = history.reading(channel, try await history.logSequences(channel))
            while let (sequence, outcome) = await entries.next() {
                guard let entry = try outcome.recorded() else { continue }
                let path = OriginLayout.logEntry(channel, sequence)
                files.append(HeadedFile(path, [FileDigest(of: entry.bytes)]))
                _ = needs.add(entry, rebinds: false)
            }
            try await add(OriginLayout.pruneMark(channel), to: &files)
            for feed in try await Feed.present(on: channel, in: store) {
                for path in feed.paths(on: channel) {
                    try await add(path, isReplaced: true, to: &files)
                }
            }
        }
        for name in try await store.names(in: OriginLayout.roots) {
            try await add("\(OriginLayout.roots)/\(name)", to: &files)
        }
        try await add(OriginLayout.info, isReplaced: true, to: &files)
        return files + (try await releaseFiles(&needs))
    }

    /// A small file that nothing binds but its name.
    private func add(
        _ path: String, isReplaced: Bool = false, to files: inout [HeadedFile]
    ) async throws {
        let content = try await store.digest(path, limit: UInt64(Manifest.sizeLimit))
        if let content { files.append(HeadedFile(path, [content], isReplaced: isReplaced)) }
    }

    private func releaseFiles(_ needs: inout Reachability) async throws -> [HeadedFile] {
        var files: [HeadedFile] = []
        for release in known { needs.add(release) }
        // Of a damaged manifest it is not known what `site/` may have of its release.
        var knowsSite = true
        let named = needs.manifests.sorted { $0.key < $1.key }.map(\.value)
        var manifests = history.manifests(of: named)
        while let (published, outcome) = await manifests.next() {
            do {
                needs.add(try outcome.get().release)
                files.append(
                    HeadedFile(published.manifestPath, [published.pointer.info.content]))
            } catch {
                if error.isLocalOrTransient { throw error }
                if known.contains(where: { $0.version == published.pointer.version }) { continue }
                if try await !history.mayBePruned(published.pointer) { knowsSite = false }
            }
        }
        for (version, published) in needs.releases {
            files.append(
                HeadedFile(OriginLayout.package(version), [published.pointer.package.content]))
        }
        for (path, listed) in needs.deltas {
            files.append(HeadedFile(path, [listed.delta.content.content]))
        }
        for object in needs.objectContents {
            files.append(HeadedFile(object.path, [object.content]))
        }
        for (path, assets) in needs.site where knowsSite {
            files.append(HeadedFile(OriginLayout.site(path), assets.map(\.content)))
        }
        return files.sorted { $0.path < $1.path }
    }
}
