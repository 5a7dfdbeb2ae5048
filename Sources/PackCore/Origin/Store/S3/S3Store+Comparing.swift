package import PackGround
package import PackOrigin
import PackRelease

/// Compares the files in the bucket with the expected content.
///
/// A file is complete if its bytes were read and match, or if its ETag is the MD5 of the expected
/// content. The size and the uploader's metadata prove nothing.
extension S3Store {
    package func check(
        _ contents: [ObjectReference], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        try await find(contents.map(\.path))
        return try await inParallel(contents.count) { index in
            let wanted = contents[index]
            defer { counter?.add(wanted.content.size) }
            if memory.isProved(wanted) { return .whole }
            if let state = try await state(of: wanted) { return state }
            return try await memory.turns.withLock(at: wanted.path) { try await read(wanted) }
        }
    }

    private func read(_ wanted: ObjectReference) async throws -> ContentState {
        // Another task may have read the file while this one waited for its turn.
        if memory.isProved(wanted) { return .whole }
        do {
            let state = try await readState(of: wanted)
            if case .whole = state, remembersProofs { memory.noteProved(wanted) }
            return state
        } catch {
            if error.isLocalOrTransient { throw error }
            return .unreadable(error)
        }
    }

    /// Whether verified files stay verified for the whole run.
    ///
    /// Not for a read-only run, which may check again.
    private var remembersProofs: Bool { trustsListings || memory.level != nil }

    private func readState(of wanted: ObjectReference) async throws -> ContentState {
        guard let sink = try await hashed(wanted.path, limit: wanted.content.size) else {
            return .missing
        }
        if !sink.isTooLong, sink.digest == wanted.content { return .whole }
        if memory.isWritten(wanted.path) {
            throw Failure.s3DamagedUpload(path: display(wanted.path))
        }
        return sink.isTooLong || sink.digest.size != wanted.content.size
            ? .otherSize : .otherContent
    }

    /// Reads the size and ETag of unknown objects that this run did not write.
    func find(_ paths: [String]) async throws {
        guard trustsListings else { return }
        let unknown = paths.filter {
            $0.hasPrefix(Self.objects) && !memory.isUnverified($0) && memory.entry($0) == nil
        }
        if !unknown.isEmpty { _ = try await entries(of: unknown) }
    }

    /// The state of a file not written by this run, according to its ETag.
    ///
    /// `nil` if the bytes must be read.
    private func state(of wanted: ObjectReference) async throws -> ContentState? {
        guard trustsListings, !memory.isUnverified(wanted.path) else { return nil }
        if readBack == .sizes { return try await stateBySize(of: wanted) }
        if wanted.path == OriginLayout.info { return info(wanted.content) }
        guard let md5 = try md5(of: wanted.content), memory.tagsMayBeHashes else { return nil }
        var entry = memory.entry(wanted.path)
        if entry == nil { entry = try await entries(of: [wanted.path])[0] }
        guard entry?.states(md5, of: wanted.content) == true else { return nil }
        memory.noteProved(wanted)
        return .whole
    }

    /// The MD5 of content that exists on this machine, or `nil`.
    private func md5(of content: FileDigest) throws -> String? {
        if let known = memory.md5(of: content) { return known }
        guard let md5 = try cache?.md5(of: content) else { return nil }
        memory.note(md5: md5, of: content)
        return md5
    }

    /// The state of a file that an earlier run wrote and read back, according to its size.
    ///
    /// Used with `ReadBack.sizes`.
    private func stateBySize(of wanted: ObjectReference) async throws -> ContentState? {
        let path = Array(wanted.path.utf8)
        let size = wanted.content.size
        if wanted.path.hasPrefix(Self.objects), let entry = memory.entry(wanted.path) {
            return entry.size == size ? .whole : nil
        }
        if wanted.path.hasPrefix("\(OriginLayout.releases)/") {
            if let listing = try await survey(), listing.covers(path) {
                // Another publisher of the same release may have created an unlisted file since.
                return listing.entries[path]?.size == size ? .whole : nil
            }
            guard let head = try await head(wanted.path) else { return .missing }
            return head.length == size
                && head[S3Headers.digest] == wanted.content.sha256.description ? .whole : nil
        }
        return wanted.path == OriginLayout.info ? info(wanted.content) : nil
    }

    /// The state of `info.json` according to its ETag, or `nil` if the ETag proves nothing.
    private func info(_ wanted: FileDigest) -> ContentState? {
        guard let listing = memory.freshListing,
            let entry = listing.entries[Array(OriginLayout.info.utf8)], entry.isHashed,
            let bytes = memory.bytes(of: wanted)
        else { return nil }
        if entry.states(MD5Hasher.md5(of: bytes), of: wanted) { return .whole }
        return memory.tagsAreHashes ? .otherContent : nil
    }

    // MARK: Local content

    package func learn(_ files: [Upload], jobs: Int) async throws {
        guard readBack == .hashes, memory.tagsMayBeHashes else { return }
        let useful = files.filter {
            memory.md5(of: $0.content) == nil && memory.entry($0.path)?.isHashed ?? true
        }
        _ = try await mapInParallel(
            count: useful.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index in
            let upload = useful[index]
            guard case .file(let directory, let name) = upload.source,
                let read = try FileDigest.readWithMD5(
                    name, in: directory, buffer: buffer, limit: upload.content.size),
                read.content == upload.content
            else { return }
            memory.note(md5: read.md5, of: upload.content)
        }
    }

    package var learnsContents: Bool { readBack == .hashes && memory.tagsMayBeHashes }

    package func learn(_ content: FileDigest, md5: String) { memory.note(md5: md5, of: content) }
}
