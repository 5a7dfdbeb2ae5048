import PackGround
package import PackOrigin
import PackRelease

/// `site/`, whose files are copies that the store makes, and removal.
extension S3Store {
    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        try await find(copies.map(\.object))
        let found = try await site()
        return try await inParallel(copies.count) { index in
            let copy = copies[index]
            guard let entry = found[Array(copy.place.utf8)] else { return .missing }
            guard entry.size == copy.asset.size else { return .differs }
            if let state = state(of: copy, entry) { return state }
            let isProved = memory.isProved(ObjectReference(objectOf: copy.asset))
            if readBack == .sizes || readBack == .hashes && !isProved {
                // A run that proves no object, such as a pause, does not repair `site/` either.
                let head = try await head(copy.place)
                return head?[S3Headers.digest] == copy.asset.sha256.description
                    ? .current : .differs
            }
            guard let sink = try await hashed(copy.place, limit: copy.asset.size) else {
                return .missing
            }
            return sink.digest == copy.asset.content ? .current : .differs
        }
    }

    /// Compares a file of `site/` by what the store states of it; `nil` where that is not enough.
    private func state(of copy: SiteCopy, _ entry: S3Memory.Entry) -> CopyState? {
        guard trustsListings else { return nil }
        if let md5 = memory.md5(of: copy.asset.content) {
            if entry.states(md5, of: copy.asset.content) { return .current }
            return memory.tagsAreHashes && entry.isHashed ? .differs : nil
        }
        guard let object = memory.entry(copy.object) else { return nil }
        // It shows what the object has. Whether that is right is not decided here: nothing is copied.
        if entry.hasContent(of: object) { return .current }
        let isRight = readBack == .sizes || memory.isProved(ObjectReference(objectOf: copy.asset))
        return isRight && memory.tagsAreHashes && entry.isHashed && object.isHashed ? .differs : nil
    }

    /// What is in `site/` now.
    ///
    /// A listing from before the upload would not show what another publish has done since.
    private func site() async throws -> [[UInt8]: S3Memory.Entry] {
        let folder = "\(OriginLayout.site)/"
        if try await survey() != nil, let listing = memory.freshListing,
            listing.covers(allIn: Array(folder.utf8))
        {
            return listing.entries
        }
        var site: [[UInt8]: S3Memory.Entry] = [:]
        try await list(folder) { place, entry in
            site[Array(place.utf8)] = entry
            return true
        }
        return site
    }

    package func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws {
        var rest = copies[...]
        while let first = rest.first {
            guard try await isWanted() else { return }
            // Pages follow what they refer to, and the launch page is the last one.
            var wave = rest.prefix { $0.isPage == first.isPage }.prefix(SiteCopy.batchSize)
            if first.isPage, wave.count == rest.count, wave.count > 1 { wave = wave.dropLast() }
            let batch = Array(wave)
            _ = try await inParallel(batch.count) { index in
                let copy = batch[index]
                try await self.copy(
                    from: copy.object, to: copy.place, sha256: copy.asset.sha256)
            }
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Lets the store copy a file, with the headers of its new place.
    func copy(from source: String, to target: String, sha256: Digest) async throws {
        var request = request(.put, target, "PutObject")
        request.headers =
            S3Headers.of(target, sha256: sha256) + writing.headers(target) + [
                HTTPHeader(
                    "x-amz-copy-source", S3Encoding.path("\(place.bucket)/\(place.key(source))")),
                HTTPHeader("x-amz-metadata-directive", "REPLACE"),
            ]
        request.body = HTTPBody([])
        request.root = "CopyObjectResult"
        let answer = try await client.send(request)
        if answer.isMissing { throw OriginError.missing(place: display(source)) }
        guard answer.isSuccess else { throw refusal(answer, request) }
        memory.noteCopied()
    }

    package func remove(_ places: [String]) async throws {
        _ = try await inParallel(places.count) { index in
            let request = request(.delete, places[index], "DeleteObject")
            var answer = try await client.send(request)
            // S3 says nothing of the kind; what does, may not be the store.
            if answer.isMissing { answer = try await client.send(request) }
            guard answer.isSuccess || answer.isMissing else {
                let refusal = refusal(answer, request)
                guard answer.isRepeated, refusal.meansDenial else { throw refusal }
                // What was sent before, and not answered, may still come: no denial of it all.
                throw S3Error.status(
                    place: display(places[index]), status: answer.head.status,
                    code: answer.code, message: answer.message, request: answer.head.requestName)
            }
            memory.noteRemoved(places[index])
        }
    }
}
