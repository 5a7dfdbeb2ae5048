import Crypto
package import PackGround
package import PackOrigin
import PackRelease

extension S3Store {
    // MARK: Not applicable to a bucket

    package func freeBytes() async throws -> UInt64? { nil }

    package func isWritable(_ folder: String) async throws -> Bool { true }

    package func obstacle(among names: [NeededName]) async throws -> Obstacle? { nil }

    package func flush() async throws {}

    package func stage(_ copies: [SiteCopy], in staging: Staging) async throws {}

    package func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result? {
        guard cache == nil else { return try await body() }
        let shelf = try makeStaging()
        defer { try? shelf.discard() }
        memory.shelf = try ContentCache(shelf.directory.path)
        defer { memory.shelf = nil }
        return try await body()
    }

    /// Returns the uploads unchanged: each is hashed a second time before sending.
    package func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload] {
        uploads
    }

    // MARK: Creating

    package func expectUploads(of paths: [String]) async {
        guard let listing = try? await survey() else { return }
        var count = 0
        for path in paths where count < client.connections {
            let name = Array(path.utf8)
            if listing.covers(name), listing.entries[name] == nil { count += 1 }
        }
        client.openConnections(count)
    }

    /// S3's limit for an upload in one request, in bytes.
    package static let largestUpload: UInt64 = 5 << 30

    package func create(_ uploads: [Upload]) async throws -> [CreateResult] {
        if uploads.count == 1, uploads[0].path.hasPrefix("\(OriginLayout.intents)/") {
            return [try await prove(by: uploads[0])]
        }
        for upload in uploads where upload.content.size > Self.largestUpload {
            throw Failure.s3UploadTooLarge(
                path: display(upload.path), size: upload.content.size, limit: Self.largestUpload)
        }
        try await proveIfNeeded()
        // Upload objects, packages and deltas concurrently, the largest first. Then the files that
        // refer to them, in order.
        let isFirst = { (upload: Upload) in
            upload.path.hasSuffix(".zip") || upload.path.hasPrefix(Self.objects)
        }
        let order = uploads.indices.filter { isFirst(uploads[$0]) }
            .sorted { uploads[$0].content.size > uploads[$1].content.size }
        let made = try await inParallel(order.count) {
            try await createAndProve(uploads[order[$0]])
        }
        var created = [CreateResult](repeating: .made, count: uploads.count)
        for (index, result) in zip(order, made) { created[index] = result }
        for index in uploads.indices where !isFirst(uploads[index]) {
            created[index] = try await createAndProve(uploads[index])
        }
        return created
    }

    private func createAndProve(_ upload: Upload) async throws -> CreateResult {
        let result = try await create(upload)
        if upload.isDurableFirst {
            try await proveIsThere(upload)
        } else if upload.isProvedAtOnce, result != .present {
            await proveIfPossible(upload)
        }
        return result
    }

    /// Reads back a required file, because a proxy's page may have status 200.
    ///
    /// A manifest without its package could never be published again.
    private func proveIsThere(_ upload: Upload) async throws {
        guard let found = try await found(upload) else {
            throw Failure.s3NotS3(
                path: display(upload.path),
                problem: "it confirmed an upload, but the file does not exist afterwards")
        }
        guard found == upload.content else {
            throw Failure.s3DamagedUpload(path: display(upload.path))
        }
        memory.noteProved(ObjectReference(upload.path, upload.content))
    }

    /// Reads back a new file.
    ///
    /// If this fails, the file is read again before another file refers to it.
    private func proveIfPossible(_ upload: Upload) async {
        guard let found = try? await found(upload), found == upload.content else { return }
        memory.noteProved(ObjectReference(upload.path, upload.content))
    }

    private func create(_ upload: Upload) async throws -> CreateResult {
        for _ in 0..<3 {
            let outcome = try await put(upload, if: .absent)
            guard case .refused(let isRepeated) = outcome else { return .made }
            guard let found = try await found(upload) else { continue }
            // After a lost answer, the file is ours.
            if found == upload.content {
                memory.notePresent(upload.path, size: found.size)
                return isRepeated ? .made : .present
            }
            switch upload.conflict {
            case .keep: throw StoreError.taken(path: upload.path, by: nil)
            case .replace: _ = try await put(upload, if: .always)
            case .replaceOnly(let revision):
                // After a lost answer, the next iteration finds our file.
                guard
                    case .refused(let isRepeated) = try await put(
                        upload, if: .unchanged(revision))
                else { return .replaced }
                if isRepeated { continue }
                throw StoreError.taken(path: upload.path, by: nil)
            }
            return .replaced
        }
        throw Failure.s3NotS3(
            path: display(upload.path),
            problem: "it refuses to create a file that it reports as missing")
    }

    /// The digest of the existing file, with an impossible size if the file is longer than the
    /// upload.
    ///
    /// `nil` if there is none.
    func found(_ upload: Upload) async throws -> FileDigest? {
        guard let sink = try await hashed(upload.path, limit: upload.content.size) else {
            return nil
        }
        let digest = sink.digest
        return sink.isTooLong ? FileDigest(sha256: digest.sha256, size: .max) : digest
    }

    // MARK: Replacing

    package func revision(of path: String) async throws -> Revision? {
        try await head(path).map { Revision(.tag($0["etag"] ?? "")) }
    }

    package func replace(
        _ upload: Upload, if condition: ReplaceCondition
    ) async throws -> Bool {
        try await proveIfNeeded()
        try await awaitGuarantee()
        for _ in 0..<3 {
            guard case .refused = try await put(upload, if: condition) else { return true }
            // After a lost answer, the file is ours. Others also repeat requests: libcurl on idle
            // connections, and proxies.
            if try await found(upload) == upload.content { return true }
            guard try await isTrue(condition, of: upload.path) else { return false }
        }
        throw Failure.s3NotS3(
            path: display(upload.path),
            problem: "it refuses to replace a file that it reports as unchanged")
    }

    // MARK: One upload

    enum Outcome {
        /// - request: The store's ID of the request.
        case written(tag: String, request: String)
        /// The condition was not met, or a retry found the file of the first attempt.
        case refused(isRepeated: Bool)
    }

    /// Uploads one file under a condition.
    ///
    /// - Throws: ``Failure/buildChangedWhileRead(path:)``, ``Failure``.
    func put(_ upload: Upload, if condition: ReplaceCondition) async throws -> Outcome {
        if condition != .absent { try await awaitGuarantee() }
        if memory.level == .unsafe || memory.level == .createOnly && condition != .absent {
            guard try await isTrue(condition, of: upload.path) else {
                return .refused(isRepeated: false)
            }
            return try await put(upload, [])
        }
        switch condition {
        case .always: return try await put(upload, [])
        case .absent: return try await put(upload, [HTTPHeader("If-None-Match", "*")])
        case .unchanged(let revision):
            // A revision from another store never matches.
            guard case .tag(let tag) = revision.value else { return .refused(isRepeated: false) }
            // Without an ETag, the file's content is unknown.
            guard !tag.isEmpty else { return .refused(isRepeated: false) }
            let dialect =
                if case .conditions(let proved) = memory.level { proved } else {
                    S3Memory.Dialect.quoted
                }
            return try await put(upload, [HTTPHeader("If-Match", dialect.form(tag))])
        }
    }

    /// Checks a condition with a request, for stores without conditional writes.
    private func isTrue(_ condition: ReplaceCondition, of path: String) async throws -> Bool {
        switch condition {
        case .always: return true
        case .absent: return try await revision(of: path) == nil
        case .unchanged(let revision):
            // Without an ETag, the file's content is unknown.
            guard revision != Revision(.tag("")) else { return false }
            return try await self.revision(of: path) == revision
        }
    }

    func put(_ upload: Upload, _ conditions: [HTTPHeader]) async throws -> Outcome {
        let body = try await body(of: upload)
        var request = request(.put, upload.path, "PutObject")
        request.body = body.body
        request.body?.progress = upload.counter.map { BodyProgress($0) }
        request.hasTag = true
        request.headers =
            S3Headers.of(upload.path, sha256: upload.content.sha256)
            + writing.headers(upload.path) + conditions
            + [HTTPHeader("Content-MD5", Base64.string(body.md5))]
        let answer: S3Answer
        do {
            answer = try await client.send(request)
        } catch let error as Failure where error.code.isOf("s3") {
            return try await resolveOutcome(upload, error)
        }
        if answer.isSuccess {
            let tag = answer.head["etag"] ?? ""
            memory.noteTag(tag, md5: hexadecimal(body.md5), of: upload.content)
            memory.noteWritten(upload.path, .init(size: upload.content.size, tag: tag))
            try? remember(upload)
            return .written(tag: tag, request: answer.head["x-amz-request-id"] ?? "")
        }
        if answer.isRefused || answer.isMissing && !conditions.isEmpty {
            return .refused(isRepeated: answer.isRepeated)
        }
        let error = client.refusal(answer, request)
        guard answer.isRepeated else { throw error }
        return try await resolveOutcome(upload, error)
    }

    /// Determines whether a write without an answer succeeded.
    ///
    /// - Throws: The original error if the file does not exist.
    private func resolveOutcome(_ upload: Upload, _ error: Failure) async throws -> Outcome {
        if [.s3Certificate, .s3Impossible].contains(error.code) { throw error }
        do {
            if try await found(upload) == upload.content { return .refused(isRepeated: true) }
        } catch let second as Failure where second.code.isOf("s3") {
            if error.code == .s3Unreachable { throw error }
            throw Failure.s3OutcomeUnknown(path: display(upload.path), reason: "\(second)")
        }
        if error.code == .s3Unreachable { throw error }
        // The write may still take effect later. For files that clients follow, report the outcome
        // as unknown.
        guard S3Headers.isReplaced(upload.path) else { throw error }
        throw Failure.s3OutcomeUnknown(path: display(upload.path), reason: "\(error)")
    }

    /// The body of an upload, hashed a second time.
    private func body(of upload: Upload) async throws -> (body: HTTPBody, md5: [UInt8]) {
        let body: HTTPBody
        switch upload.source {
        case .bytes(let bytes): body = HTTPBody(.bytes(bytes), upload.content)
        case .file(let directory, let name), .staged(let directory, let name):
            body = HTTPBody(.file(in: directory, named: name), upload.content)
            let changed = Failure.buildChangedWhileRead(path: directory.display(name))
            guard try directory.status(name)?.size == upload.content.size else { throw changed }
        }
        let reader = try HTTPBodyReader(body)
        var sha256 = StreamHasher()
        var md5 = Insecure.MD5()
        while true {
            let piece = try reader.next(atMost: 256 * 1024)
            if piece.isEmpty { break }
            sha256.update(piece)
            md5.update(data: piece)
        }
        guard sha256.finish() == upload.content.sha256 else {
            switch upload.source {
            case .file(let directory, let name), .staged(let directory, let name):
                throw Failure.buildChangedWhileRead(path: directory.display(name))
            case .bytes: throw Failure.buildChangedWhileRead(path: display(upload.path))
            }
        }
        return (body, Array(md5.finalize()))
    }

    /// Caches an upload, because the delta of the next release starts from it.
    private func remember(_ upload: Upload) throws {
        guard let cache, upload.path.hasPrefix(Self.objects) || upload.path.hasSuffix(".zip")
        else { return }
        switch upload.source {
        case .file(let directory, let name), .staged(let directory, let name):
            try cache.add(upload.content, name, in: directory)
        case .bytes: break
        }
    }
}
