extension S3Store {
    /// Calls `body` with every key below a prefix, in the order of their bytes, page by page.
    ///
    /// - Parameter body: returns `false` to end after the current page.
    /// - Returns: the folders, where `isFlat` is false.
    /// - Throws: ``S3Error/notS3(place:problem:)`` for a listing that would not end.
    @discardableResult func list(
        _ prefix: String, isFlat: Bool = true, pageSize: Int = 1000, atMost pages: Int = .max,
        _ body: (String, S3Memory.Entry) throws -> Bool
    ) async throws -> [String] {
        var folders: [String] = []
        var token: String?
        var seen: Set<String> = []
        var count = 0
        while true {
            let page = try await page(prefix, isFlat, pageSize, token)
            count += 1
            var goesOn = true
            for element in page.all("Contents") {
                guard let (place, entry) = try listed(element, page) else { continue }
                if try !body(place, entry) { goesOn = false }
            }
            for element in page.all("CommonPrefixes") {
                guard let text = element["Prefix"], let key = try decoded(text, page),
                    let place = place.place(key)
                else { continue }
                folders.append(String(place.dropLast()))
            }
            guard goesOn, count < pages, page["IsTruncated"] == "true" else { return folders }
            guard let next = page["NextContinuationToken"], seen.insert(next).inserted else {
                throw S3Error.notS3(
                    place: display(prefix), problem: "its listing repeats a page")
            }
            token = next
        }
    }

    private func page(
        _ prefix: String, _ isFlat: Bool, _ size: Int, _ token: String?
    ) async throws -> S3XML {
        var request = S3Request(
            method: .get, key: nil, shown: display(prefix), action: "ListBucket")
        request.query = [
            ("list-type", "2"), ("encoding-type", "url"), ("max-keys", "\(size)"),
            ("prefix", prefix.isEmpty && place.prefix.isEmpty ? "" : place.key(prefix)),
        ]
        if !isFlat { request.query.append(("delimiter", "/")) }
        if let token { request.query.append(("continuation-token", token)) }
        request.root = "ListBucketResult"
        let answer = try await client.send(request)
        guard answer.isSuccess, let page = answer.document else { throw refusal(answer, request) }
        return page
    }

    /// A listed key; `nil` for one that no origin has.
    private func listed(
        _ element: S3XML, _ page: S3XML
    ) throws -> (place: String, entry: S3Memory.Entry)? {
        guard let text = element["Key"], let size = element["Size"].flatMap({ UInt64($0) }) else {
            throw S3Error.notS3(place: address, problem: "its listing has a key without a size")
        }
        guard let key = try decoded(text, page), let place = place.place(key), !place.isEmpty else {
            return nil
        }
        return (place, S3Memory.Entry(size: size, tag: element["ETag"] ?? ""))
    }

    private func decoded(_ text: String, _ page: S3XML) throws -> String? {
        page["EncodingType"] == "url" ? S3Encoding.decode(text) : text
    }

    // MARK: ListingStore

    package func isEmpty() async throws -> Bool {
        var isEmpty = true
        try await list("", pageSize: 1, atMost: 1) { _, _ in
            isEmpty = false
            return false
        }
        return isEmpty
    }

    package func isFolder(_ place: String) async throws -> Bool {
        // A run never empties a folder.
        if memory.hasSeen(folder: place) { return true }
        var isFolder = false
        try await list("\(place)/", pageSize: 1, atMost: 1) { _, _ in
            isFolder = true
            return false
        }
        if isFolder { memory.noteSeen(folder: place) }
        return isFolder
    }

    package func names(in folder: String) async throws -> [String] {
        let start = "\(folder)/".utf8.count
        var names: [String] = []
        let folders = try await list("\(folder)/", isFlat: false) { place, _ in
            names.append(String(decoding: Array(place.utf8)[start...], as: UTF8.self))
            return true
        }
        names += folders.map { String(decoding: Array($0.utf8)[start...], as: UTF8.self) }
        return names.filter { !$0.isEmpty }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    package func visitPublic(_ body: (Listed) throws -> Void) async throws {
        try await list("") { place, entry in
            if !place.hasPrefix("\(OriginLayout.workspace)/") {
                try body(Listed(place: place, size: entry.size))
            }
            return true
        }
    }

    // MARK: Many objects

    /// What is at the places of objects: by a listing as far as that is shorter than asking for each.
    func objectStatuses(_ places: [String]) async throws -> [StoredStatus?] {
        var found: [[UInt8]: S3Memory.Entry] = [:]
        var last: [UInt8] = []
        var isWhole = true
        let pages = max(1, places.count / Self.headsPerPage)
        var count = 0
        try await list(Self.objects, atMost: pages + 1) { place, entry in
            count += 1
            // One more than wanted: the listing is longer than it is worth.
            if count > pages * 1000 {
                isWhole = false
                return false
            }
            last = Array(place.utf8)
            found[last] = entry
            return true
        }
        let (entries, end, isComplete) = (found, last, isWhole)
        return try await inParallel(places.count) { index in
            let name = Array(places[index].utf8)
            if let entry = entries[name] {
                memory.note(places[index], entry)
                return StoredStatus(kind: .file, size: entry.size)
            }
            if isComplete || name.lexicographicallyPrecedes(end) { return nil }
            return try await headStatuses([places[index]])[0]
        }
    }

    /// A page takes as long as this many requests for single objects, which run at once.
    private static let headsPerPage = 16
}
