import PackGround
package import PackOrigin
import PackRelease

/// Updates `site/` by copying objects within the store, and removes files.
extension S3Store {
    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        try await find(copies.map(\.object))
        let found = try await site()
        return try await inParallel(copies.count) { index in
            let copy = copies[index]
            guard let entry = found[Array(copy.path.utf8)] else { return .missing }
            guard entry.size == copy.asset.size else { return .differs }
            if let state = state(of: copy, entry) { return state }
            let isProved = memory.isProved(ObjectReference(objectOf: copy.asset))
            if readBack == .sizes || readBack == .hashes && !isProved {
                // A run that verifies no objects, such as a pause, does not repair `site/`.
                let head = try await head(copy.path)
                return head?[S3Headers.digest] == copy.asset.sha256.description
                    ? .current : .differs
            }
            guard let sink = try await hashed(copy.path, limit: copy.asset.size) else {
                return .missing
            }
            return sink.digest == copy.asset.content ? .current : .differs
        }
    }

    /// The state of a file in `site/` according to its ETag, or `nil` if the ETag proves nothing.
    private func state(of copy: SiteCopy, _ entry: S3Memory.Entry) -> CopyState? {
        guard trustsListings else { return nil }
        if let md5 = memory.md5(of: copy.asset.content) {
            if entry.states(md5, of: copy.asset.content) { return .current }
            return memory.tagsAreHashes && entry.isHashed ? .differs : nil
        }
        guard let object = memory.entry(copy.object) else { return nil }
        // The copy equals the object. The object itself is not checked here, because nothing is
        // copied.
        if entry.hasContent(of: object) { return .current }
        let isRight = readBack == .sizes || memory.isProved(ObjectReference(objectOf: copy.asset))
        return isRight && memory.tagsAreHashes && entry.isHashed && object.isHashed ? .differs : nil
    }

    /// The current files of `site/`.
    ///
    /// A listing read before an upload may lack changes of another publish.
    private func site() async throws -> [[UInt8]: S3Memory.Entry] {
        let folder = "\(OriginLayout.site)/"
        if try await survey() != nil, let listing = memory.freshListing,
            listing.covers(allIn: Array(folder.utf8))
        {
            return listing.entries
        }
        var site: [[UInt8]: S3Memory.Entry] = [:]
        try await list(folder) { path, entry in
            site[Array(path.utf8)] = entry
            return true
        }
        return site
    }

    package func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws {
        var rest = copies[...]
        var goesOn = copies.isEmpty ? false : try await isWanted()
        while goesOn, let first = rest.first {
            // Pages are copied after the files they refer to, and the launch page last.
            // One round trip for each batch, if that is not many more of them.
            let size =
                readsAtOnce * 2 > SiteCopy.batchSize
                ? min(readsAtOnce, SiteCopy.batchSize) : SiteCopy.batchSize
            var wave = rest.prefix { $0.isPage == first.isPage }.prefix(size)
            if first.isPage, wave.count == rest.count, wave.count > 1 { wave = wave.dropLast() }
            let batch = Array(wave)
            rest = rest.dropFirst(batch.count)
            let isLast = rest.isEmpty
            // A copy takes as long as the question whether the next ones are wanted.
            goesOn = try await together {
                isLast ? false : try await isWanted()
            } _: { _ in
                try await inParallel(batch.count) { index in
                    let copy = batch[index]
                    try await self.copy(
                        from: copy.object, to: copy.path, sha256: copy.asset.sha256)
                }
            }.0
        }
    }

    /// Copies a file within the store, with the headers of the target.
    func copy(from source: String, to target: String, sha256: Digest) async throws {
        var request = request(.put, target, "PutObject")
        request.headers =
            S3Headers.of(target, sha256: sha256) + writing.headers(target) + [
                HTTPHeader(
                    "x-amz-copy-source",
                    S3Encoding.path("\(location.bucket)/\(location.key(source))")),
                HTTPHeader("x-amz-metadata-directive", "REPLACE"),
            ]
        request.body = HTTPBody([])
        request.root = "CopyObjectResult"
        let answer = try await client.send(request)
        if answer.isMissing { throw Failure.originMissing(path: display(source)) }
        guard answer.isSuccess else { throw refusal(answer, request) }
        memory.noteCopied()
    }

    package func remove(_ paths: [String]) async throws {
        if paths.contains(where: { $0.hasPrefix("\(OriginLayout.intents)/") }) {
            // A request of the test could create the intent again.
            _ = await memory.replacing?.result
        }
        _ = try await inParallel(paths.count) { index in
            let request = request(.delete, paths[index], "DeleteObject")
            var answer = try await client.send(request)
            // S3 never answers a deletion with 404, so a proxy may have sent the answer.
            if answer.isMissing { answer = try await client.send(request) }
            guard answer.isSuccess || answer.isMissing else {
                let refusal = refusal(answer, request)
                guard answer.isRepeated, refusal.meansDenial else { throw refusal }
                // An unanswered earlier attempt may still delete the file, so do not report a
                // denial.
                throw Failure.s3Status(
                    path: display(paths[index]), status: answer.head.status,
                    code: answer.code, message: answer.message, request: answer.head.requestName)
            }
            memory.noteRemoved(paths[index])
        }
    }
}
