import PackGround
package import PackOrigin
import PackRelease

extension S3Store {
    /// Lists all keys below a prefix in byte order, page by page.
    ///
    /// - Parameter body: Returns `false` to stop after the current page.
    /// - Returns: The folders if `isFlat` is `false`, and whether the last page was read.
    /// - Throws: ``Failure/s3NotS3(place:problem:request:)`` for an endless listing.
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
                guard let (place, entry) = try listed(element, page) else { continue }
                if try !body(place, entry) { goesOn = false }
            }
            for element in page.all("CommonPrefixes") {
                guard let text = element["Prefix"], let key = try decoded(text, page),
                    let place = place.place(key)
                else { continue }
                folders.append(String(place.dropLast()))
            }
            let isComplete = page["IsTruncated"] != "true"
            guard goesOn, count < pages, !isComplete else { return (folders, isComplete) }
            guard let next = page["NextContinuationToken"], seen.insert(next).inserted else {
                throw Failure.s3NotS3(
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

    /// A listed key, or `nil` for a key that is not valid in an origin.
    private func listed(
        _ element: S3XML, _ page: S3XML
    ) throws -> (place: String, entry: S3Memory.Entry)? {
        guard let text = element["Key"], let size = element["Size"].flatMap({ UInt64($0) }) else {
            throw Failure.s3NotS3(place: address, problem: "its listing has a key without a size")
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
        if let listing = try await survey() { return listing.isComplete && listing.entries.isEmpty }
        var isEmpty = true
        try await list("", pageSize: 1, atMost: 1) { _, _ in
            isEmpty = false
            return false
        }
        return isEmpty
    }

    package func isFolder(_ place: String) async throws -> Bool {
        if let listing = try await survey() {
            let folder = Array("\(place)/".utf8)
            if !listing.places(in: folder).isEmpty { return true }
            if listing.covers(allIn: folder) { return false }
        }
        var isFolder = false
        try await list("\(place)/", pageSize: 1, atMost: 1) { _, _ in
            isFolder = true
            return false
        }
        return isFolder
    }

    package func names(in folder: String) async throws -> [String] {
        let start = Array("\(folder)/".utf8)
        if let listing = try await survey(), listing.covers(allIn: start) {
            let names = listing.places(in: start).map {
                $0[start.count...].prefix { $0 != UInt8(ascii: "/") }
            }
            return Self.sorted(Set(names).map { String(decoding: $0, as: UTF8.self) })
        }
        if let known = memory.names(in: folder) { return known }
        var names: [String] = []
        let folders = try await list("\(folder)/", isFlat: false) { place, _ in
            names.append(String(decoding: Array(place.utf8)[start.count...], as: UTF8.self))
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
        try await list("") { place, entry in
            if !place.hasPrefix("\(OriginLayout.workspace)/") {
                try body(ListedObject(place: place, size: entry.size))
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
        let listing = try await firstPage(of: "")
        memory.note(listing)
        return listing
    }

    private func firstPage(of prefix: String) async throws -> S3Listing {
        var found: [(place: [UInt8], entry: S3Memory.Entry)] = []
        let (_, isComplete) = try await list(prefix, atMost: 1) { place, entry in
            found.append((Array(place.utf8), entry))
            return true
        }
        return S3Listing(found, isComplete: isComplete)
    }

    /// The first page of all keys, or all objects if listing takes fewer requests than one HEAD per
    /// path.
    ///
    /// - Returns: `nil` if every file is read.
    func listing(for places: [String]) async throws -> S3Listing? {
        let page = try await survey()
        guard places.count > 16, places.allSatisfy({ $0.hasPrefix(Self.objects) }) else {
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
        let unknown = places.count { !objects.covers(Array($0.utf8)) }
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
    private func listObjects(_ index: Int) async throws -> [(place: [UInt8], entry: S3Memory.Entry)]
    {
        var found: [(place: [UInt8], entry: S3Memory.Entry)] = []
        try await list(Self.objects + Self.digits[index]) { place, entry in
            found.append((Array(place.utf8), entry))
            return true
        }
        return found
    }
}
