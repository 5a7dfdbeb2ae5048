import PackGround
package import PackOrigin
import PackRelease

extension S3Store {
    /// Lists all keys below a prefix in byte order, page by page.
    ///
    /// - Parameter body: Returns `false` to stop after the current page.
    /// - Returns: The folders if `isFlat` is `false`, and whether the last page was read.
    /// - Throws: ``Failure/s3NotS3(path:problem:request:)`` for an endless listing.
    @discardableResult func list(
        _ prefix: String, isFlat: Bool = true, pageSize: Int = 1000, atMost pages: Int = .max,
        _ body: (String, S3Memory.Entry) throws -> Bool
    ) async throws -> (folders: [String], isComplete: Bool) {
        var folders: [String] = []
        var token: String?
        var seen: Set<String> = []
        var count = 0
        while true {
            let page = try await page(prefix, isFlat, pageSize, token)
            count += 1
            var goesOn = true
            for element in page.all("Contents") {
                guard let (path, entry) = try listed(element, page) else { continue }
                if try !body(path, entry) { goesOn = false }
            }
            for element in page.all("CommonPrefixes") {
                guard let text = element["Prefix"], let key = try decoded(text, page),
                    let path = location.path(key)
                else { continue }
                folders.append(String(path.dropLast()))
            }
            let isComplete = page["IsTruncated"] != "true"
            guard goesOn, count < pages, !isComplete else { return (folders, isComplete) }
            guard let next = page["NextContinuationToken"], seen.insert(next).inserted else {
                throw Failure.s3NotS3(
                    path: display(prefix), problem: "its listing repeats a page")
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
            ("prefix", prefix.isEmpty && location.prefix.isEmpty ? "" : location.key(prefix)),
        ]
        if !isFlat { request.query.append(("delimiter", "/")) }
        if let token { request.query.append(("continuation-token", token)) }
        request.root = "ListBucketResult"
        let answer = try await client.send(request)
        guard answer.isSuccess, let page = answer.document else { throw refusal(answer, request) }
        return page
    }

    /// A listed key, or `nil` for a key that is not valid in an origin.
    private func listed(
        _ element: S3XML, _ page: S3XML
    ) throws -> (path: String, entry: S3Memory.Entry)? {
        guard let text = element["Key"], let size = element["Size"].flatMap({ UInt64($0) }) else {
            throw Failure.s3NotS3(path: address, problem: "its listing has a key without a size")
        }
        guard let key = try decoded(text, page), let path = location.path(key), !path.isEmpty else {
            return nil
        }
        return (path, S3Memory.Entry(size: size, tag: element["ETag"] ?? ""))
    }

    private func decoded(_ text: String, _ page: S3XML) throws -> String? {
        page["EncodingType"] == "url" ? S3Encoding.decode(text) : text
    }

    // MARK: ListingStore

    package func isEmpty() async throws -> Bool {
        if let listing = try await survey() { return listing.isComplete && listing.entries.isEmpty }
        var isEmpty = true
        try await list("", pageSize: 1, atMost: 1) { _, _ in
            isEmpty = false
            return false
        }
        return isEmpty
    }

    package func isFolder(_ path: String) async throws -> Bool {
        if let listing = try await survey() {
            let folder = Array("\(path)/".utf8)
            if !listing.paths(in: folder).isEmpty { return true }
            if listing.covers(allIn: folder) { return false }
        }
        var isFolder = false
        try await list("\(path)/", pageSize: 1, atMost: 1) { _, _ in
            isFolder = true
            return false
        }
        return isFolder
    }

    package func names(in folder: String) async throws -> [String] {
        let start = Array("\(folder)/".utf8)
        if let listing = try await survey(), listing.covers(allIn: start) {
            let names = listing.paths(in: start).map {
                $0[start.count...].prefix { $0 != UInt8(ascii: "/") }
            }
            return Self.sorted(Set(names).map { String(decoding: $0, as: UTF8.self) })
        }
        if let known = memory.names(in: folder) { return known }
        var names: [String] = []
        let folders = try await list("\(folder)/", isFlat: false) { path, _ in
            names.append(String(decoding: Array(path.utf8)[start.count...], as: UTF8.self))
            return true
        }.folders
        names += folders.map { String(decoding: Array($0.utf8)[start.count...], as: UTF8.self) }
        names = Self.sorted(names)
        if trustsListings { memory.note(names, in: folder) }
        return names
    }

    private static func sorted(_ names: [String]) -> [String] {
        names.filter { !$0.isEmpty }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    package func visitPublic(_ body: (ListedObject) throws -> Void) async throws {
        try await list("") { path, entry in
            if !path.hasPrefix("\(OriginLayout.workspace)/") {
                try body(ListedObject(path: path, size: entry.size))
            }
            return true
        }
    }

    // MARK: Many answers by one request

    /// Whether a listing may replace requests for single files.
    ///
    /// Not if every file is read.
    var trustsListings: Bool { readBack != .all }

    /// The first page of all keys.
    ///
    /// Read once, and a second time after the intent was written.
    ///
    /// - Returns: `nil` if every file is read.
    func survey() async throws -> S3Listing? {
        guard trustsListings else { return nil }
        if let known = memory.listing { return known }
        return try await memory.turns.withLock(at: "") {
            while true {
                if let known = memory.listing { return known }
                let generation = memory.generation
                let listing = try await firstPage(of: "")
                if memory.note(listing, requestedIn: generation) { return listing }
            }
        }
    }

    private func firstPage(of prefix: String) async throws -> S3Listing {
        var found: [(path: [UInt8], entry: S3Memory.Entry)] = []
        let (_, isComplete) = try await list(prefix, atMost: 1) { path, entry in
            found.append((Array(path.utf8), entry))
            return true
        }
        return S3Listing(found, isComplete: isComplete)
    }

    /// The first page of all keys, or all objects if listing takes fewer requests than one HEAD per
    /// path.
    ///
    /// - Returns: `nil` if every file is read.
    func listing(for paths: [String]) async throws -> S3Listing? {
        let page = try await survey()
        guard paths.count > 16, paths.allSatisfy({ $0.hasPrefix(Self.objects) }) else {
            return page
        }
        let folder = Array(Self.objects.utf8)
        let isUseful = { (page: S3Listing) in
            page.covers(allIn: folder) || page.estimatedObjects(in: folder) != nil
        }
        var objects: S3Listing
        if let page, isUseful(page) {
            objects = page
        } else {
            objects = try await firstPage(of: Self.objects)
        }
        let unknown = paths.count { !objects.covers(Array($0.utf8)) }
        if unknown > 0, let total = objects.estimatedObjects(in: folder),
            total / 1000 + Self.digits.count < unknown
        {
            let parts = try await inParallel(Self.digits.count, listObjects)
            objects = S3Listing(parts.flatMap { $0 }, isComplete: true)
        }
        return objects
    }

    /// The possible first digits of an object's hash.
    private static let digits = "0123456789abcdef".map { String($0) }

    /// Lists the objects whose hash starts with one digit.
    private func listObjects(_ index: Int) async throws -> [(path: [UInt8], entry: S3Memory.Entry)]
    {
        var found: [(path: [UInt8], entry: S3Memory.Entry)] = []
        try await list(Self.objects + Self.digits[index]) { path, entry in
            found.append((Array(path.utf8), entry))
            return true
        }
        return found
    }
}
