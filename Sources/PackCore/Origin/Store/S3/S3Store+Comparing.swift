/// Compares what the bucket has with what it should have.
extension S3Store {
    package func check(
        _ contents: [PlacedContent], jobs: Int, counter: ProgressCounter?
    ) async throws -> [ContentState] {
        try await find(contents.map(\.place))
        return try await inParallel(contents.count) { index in
            let wanted = contents[index]
            defer { counter?.add(wanted.content.size) }
            if memory.isProved(wanted) { return .whole }
            if let state = try await reused(wanted) { return state }
            do {
                guard let sink = try await hashed(wanted.place, limit: wanted.content.size) else {
                    return .missing
                }
                if sink.isTooLong || sink.digest.size != wanted.content.size { return .otherSize }
                guard sink.digest == wanted.content else { return .otherContent }
                if trustsListings { memory.noteProved(wanted) }
                return .whole
            } catch {
                if error.meansShortage { throw error }
                return .unreadable(error)
            }
        }
    }

    /// Asks for what is not known yet of objects that this run did not write.
    private func find(_ places: [String]) async throws {
        guard trustsListings else { return }
        let unknown = places.filter {
            $0.hasPrefix(Self.objects) && !memory.isMade($0) && memory.entry($0) == nil
        }
        if !unknown.isEmpty { _ = try await statuses(of: unknown) }
    }

    /// The state of what an earlier run wrote and read back, by what the store says of it; `nil` where that is not
    /// enough.
    private func reused(_ wanted: PlacedContent) async throws -> ContentState? {
        guard trustsListings, !memory.isMade(wanted.place) else { return nil }
        let place = Array(wanted.place.utf8)
        let size = wanted.content.size
        if wanted.place.hasPrefix(Self.objects), let entry = memory.entry(wanted.place) {
            return entry.size == size ? .whole : nil
        }
        if wanted.place.hasPrefix("\(OriginLayout.releases)/") {
            if let listing = try await survey(), listing.covers(place) {
                // What is not listed may have been created since, by another publisher of the same release.
                return listing.entries[place]?.size == size ? .whole : nil
            }
            guard let head = try await head(wanted.place) else { return .missing }
            return head.length == size
                && head["x-amz-meta-sha256"] == wanted.content.sha256.description ? .whole : nil
        }
        return wanted.place == OriginLayout.info ? info(wanted.content) : nil
    }

    /// Whether `info.json` is the manifest that it must be, by its MD5, which the store made; `nil` where that does not
    /// say so.
    private func info(_ wanted: FileDigest) -> ContentState? {
        guard let listing = memory.freshListing,
            let entry = listing.entries[Array(OriginLayout.info.utf8)], entry.isHashed,
            let bytes = memory.bytes(of: wanted)
        else { return nil }
        let manifest = S3Memory.Entry(size: wanted.size, tag: Self.md5(of: bytes))
        if entry.hasContent(of: manifest) { return .whole }
        return memory.tagsAreHashes ? .otherContent : nil
    }

    package func compare(_ copies: [SiteCopy], jobs: Int) async throws -> [CopyState] {
        try await find(copies.map(\.object))
        let found = try await site()
        return try await inParallel(copies.count) { index in
            let copy = copies[index]
            guard let entry = found[Array(copy.place.utf8)] else { return .missing }
            guard entry.size == copy.asset.size else { return .differs }
            if let object = memory.entry(copy.object), readBack == .new {
                if entry.hasContent(of: object) { return .current }
                if memory.tagsAreHashes, entry.isHashed, object.isHashed { return .differs }
            }
            guard readBack == .all else {
                let head = try await head(copy.place)
                return head?["x-amz-meta-sha256"] == copy.asset.sha256.description
                    ? .current : .differs
            }
            guard let sink = try await hashed(copy.place, limit: copy.asset.size) else {
                return .missing
            }
            return sink.digest == copy.asset.content ? .current : .differs
        }
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
}
