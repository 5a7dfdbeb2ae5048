import Crypto
import PackGround
import PackOrigin
import PackRelease

/// Files that are larger than one request may be: uploaded in parts, which the store joins.
extension S3Store {
    /// Whether a store keeps 'create only' when it joins parts, which some do not that keep it for single uploads.
    enum Joining: Equatable, Sendable {
        case kept
        case ignored
    }

    /// A part of a file.
    private struct Part: Sendable {
        let body: HTTPBody
        let md5: String
    }

    private static let mostParts: UInt64 = 10_000
    /// How many parts of a file are on their way at once.
    private static let partsAtOnce = 4

    /// Whether a file is uploaded in parts.
    func isInParts(_ upload: Upload) -> Bool {
        guard upload.content.size > writing.largestRequest else { return false }
        if case .bytes = upload.source { return false }
        return true
    }

    /// - Throws: ``S3Error/uploadTooLarge(place:size:limit:)``.
    func checkSize(_ size: UInt64, _ place: String) throws {
        let limit = writing.largestRequest * Self.mostParts
        guard size <= limit else {
            throw S3Error.uploadTooLarge(place: display(place), size: size, limit: limit)
        }
    }

    /// The size of all parts of a file but the last one.
    private func partSize(_ size: UInt64) -> UInt64 {
        let least = size / Self.mostParts + (size % Self.mostParts == 0 ? 0 : 1)
        return min(max(writing.partSize, least), writing.largestRequest)
    }

    // MARK: Uploading

    /// Uploads a file in parts.
    ///
    /// - Parameter name: of the file in `directory`.
    /// - Throws: ``BuildError/changedWhileRead(path:)``, ``S3Error``; what was uploaded is removed then.
    func putInParts(
        _ upload: Upload, _ directory: Directory, _ name: String, _ conditions: [HTTPHeader]
    ) async throws -> Outcome {
        let parts = try parts(of: upload, directory, name)
        let looksFirst = try await mustLookFirst(conditions, upload)
        let headers =
            S3Headers.of(upload.place, sha256: upload.content.sha256)
            + writing.headers(upload.place)
        return try await withParts(of: upload.place, headers) { id in
            let tags = try await requestInParallel(parts.count, atMost: Self.partsAtOnce) {
                try await put(parts[$0], number: $0 + 1, of: upload.place, id)
            }
            if looksFirst, try await head(upload.place) != nil {
                await abort(upload.place, id)
                return .refused(isRepeated: false)
            }
            return try await join(upload, id, tags, conditions)
        }
    }

    /// Hashes a file as a whole and in parts.
    private func parts(
        of upload: Upload, _ directory: Directory, _ name: String
    ) throws -> [Part] {
        let size = upload.content.size
        let whole = try HTTPBodyReader(HTTPBody(.file(in: directory, named: name), upload.content))
        var sha256 = StreamHasher()
        var parts: [Part] = []
        for start in stride(from: 0, to: size, by: UInt64.Stride(partSize(size))) {
            var hasher = StreamHasher()
            var md5 = Insecure.MD5()
            let length = min(partSize(size), size - start)
            var left = length
            while left > 0 {
                let piece = try whole.next(atMost: Int(min(left, 256 * 1024)))
                sha256.update(piece)
                hasher.update(piece)
                md5.update(data: piece)
                left -= UInt64(piece.count)
            }
            var body = HTTPBody(
                .file(in: directory, named: name, from: start),
                FileDigest(sha256: hasher.finish(), size: length))
            body.progress = upload.counter.map { BodyProgress($0) }
            parts.append(Part(body: body, md5: Base64.string(Array(md5.finalize()))))
        }
        guard sha256.finish() == upload.content.sha256 else {
            throw BuildError.changedWhileRead(path: directory.display(name))
        }
        return parts
    }

    private func put(
        _ part: Part, number: Int, of place: String, _ id: String
    ) async throws -> String {
        var request = request(.put, place, "PutObject")
        request.query = [("partNumber", "\(number)"), ("uploadId", id)]
        request.headers = [HTTPHeader("Content-MD5", part.md5)]
        request.body = part.body
        request.hasTag = true
        let answer = try await client.send(request)
        guard answer.isSuccess, let tag = answer.head["etag"] else {
            throw refusal(answer, request)
        }
        return tag
    }

    // MARK: Steps that single uploads do not have

    /// Begins an upload in parts, and removes what was uploaded if `body` throws.
    ///
    /// What is not joined costs money until somebody removes it. So it is begun and aborted also where another
    /// upload's failure has cancelled this one.
    private func withParts<Value: Sendable>(
        of place: String, _ headers: [HTTPHeader], _ body: (_ id: String) async throws -> Value
    ) async throws -> Value {
        let id = try await uncancelled { try await begin(place, headers) }
        do {
            return try await body(id)
        } catch {
            await abort(place, id)
            throw error
        }
    }

    /// - Returns: what the store calls the upload.
    private func begin(_ place: String, _ headers: [HTTPHeader]) async throws -> String {
        var request = request(.post, place, "PutObject")
        request.query = [("uploads", "")]
        request.headers = headers
        request.body = HTTPBody([])
        request.root = "InitiateMultipartUploadResult"
        let answer = try await client.send(request)
        guard answer.isSuccess else { throw refusal(answer, request) }
        guard let id = answer.document?["UploadId"], !id.isEmpty else {
            throw S3Error.notS3(
                place: display(place), problem: "it begins an upload in parts without an ID")
        }
        return id
    }

    /// Removes what was uploaded, if the store lets it.
    private func abort(_ place: String, _ id: String) async {
        var request = request(.delete, place, "AbortMultipartUpload")
        request.query = [("uploadId", id)]
        let sent = request
        _ = try? await uncancelled { try await client.send(sent) }
    }

    /// Lets the store make one file of the parts.
    private func join(
        _ upload: Upload, _ id: String, _ tags: [String], _ conditions: [HTTPHeader]
    ) async throws -> Outcome {
        let request = joining(upload.place, id, tags, conditions)
        let answer: S3Answer
        do {
            answer = try await client.send(request)
        } catch let error as S3Error {
            return try await resolveOutcome(upload, error)
        }
        if answer.isSuccess {
            let tag = answer.document?["ETag"] ?? ""
            memory.noteMade(upload.place, .init(size: upload.content.size, tag: tag))
            try? remember(upload)
            return .written(tag: tag, request: answer.head["x-amz-request-id"] ?? "")
        }
        if answer.isRefused {
            await abort(upload.place, id)
            return .refused(isRepeated: answer.isRepeated)
        }
        let error = client.refusal(answer, request)
        guard answer.isRepeated || answer.isJoinedAlready else { throw error }
        return try await resolveOutcome(upload, error)
    }

    private func joining(
        _ place: String, _ id: String, _ tags: [String], _ conditions: [HTTPHeader]
    ) -> S3Request {
        var request = request(.post, place, "PutObject")
        request.query = [("uploadId", id)]
        request.headers = conditions
        let parts = tags.enumerated().map {
            let tag = $1.filter { $0 != "\"" }
            return "<Part><PartNumber>\($0 + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        request.body = HTTPBody(
            Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8))
        request.root = "CompleteMultipartUploadResult"
        return request
    }

    // MARK: The condition

    /// Whether to look at the place before the parts are joined, because the store would not.
    ///
    /// - Throws: ``S3Error/noConditions(origin:problem:isIgnored:)`` for a file whose name does not say its content.
    private func mustLookFirst(_ conditions: [HTTPHeader], _ upload: Upload) async throws -> Bool {
        guard !conditions.isEmpty, try await joining() == .ignored else { return false }
        // Whoever uploads an object uploads the same.
        guard upload.place.hasPrefix(Self.objects) || isUnsafe else {
            throw S3Error.noConditions(
                origin: address,
                problem: "replaces a file when its parts are joined, although it was told not to",
                isIgnored: true)
        }
        return true
    }

    /// Tries the condition with a file of the workspace, once in a run.
    func joining() async throws -> Joining {
        if let known = memory.joining { return known }
        let probe = newProbe()
        let bytes = Self.probe
        let create = [HTTPHeader("If-None-Match", "*")]
        if case .refused = try await put(probe, create) {
            // A request that was sent twice on its way is refused the second time.
            guard try await found(probe) == probe.content else {
                throw S3Error.notS3(
                    place: display(probe.place), problem: "it has a file of a name that is new")
            }
        }
        let part = Part(body: HTTPBody(bytes), md5: Self.base64MD5(of: bytes))
        let answer = try await removing(probe.place) {
            try await withParts(of: probe.place, writing.headers(probe.place)) { id in
                let tag = try await put(part, number: 1, of: probe.place, id)
                let answer = try await client.send(joining(probe.place, id, [tag], create))
                if !answer.isSuccess { await abort(probe.place, id) }
                return answer
            }
        }
        let found: Joining = answer.isRefused ? .kept : .ignored
        memory.joining = found
        return found
    }

    /// Removes a file when `body` has ended, also where another upload's failure has cancelled this one.
    func removing<Value>(
        _ place: String, after body: () async throws -> Value
    ) async throws -> Value {
        let remove = { try await uncancelled { try await self.remove([place]) } }
        let value: Value
        do {
            value = try await body()
        } catch {
            try? await remove()
            throw error
        }
        try await remove()
        return value
    }

    private static func base64MD5(of bytes: [UInt8]) -> String {
        Base64.string(Array(Insecure.MD5.hash(data: bytes)))
    }

    // MARK: Copies

    /// Copies an object to `site/` that is too large for one request.
    func copyInParts(_ copy: SiteCopy, _ headers: [HTTPHeader], from source: String) async throws {
        let size = copy.asset.size
        try checkSize(size, copy.place)
        let length = partSize(size)
        try await withParts(of: copy.place, headers) { id in
            let starts = Array(stride(from: 0, to: size, by: UInt64.Stride(length)))
            let tags = try await requestInParallel(starts.count, atMost: Self.partsAtOnce) {
                let last = min(starts[$0] + length, size) - 1
                return try await put(
                    starts[$0]...last, of: source, number: $0 + 1, of: copy, id)
            }
            let request = joining(copy.place, id, tags, [])
            let answer: S3Answer
            do {
                answer = try await client.send(request)
            } catch let error as S3Error {
                if (try? await isCopied(copy)) == true { return }
                throw error
            }
            if answer.isSuccess { return }
            guard answer.isRepeated || answer.isJoinedAlready, try await isCopied(copy) else {
                throw refusal(answer, request)
            }
        }
    }

    /// Whether an earlier one of the same requests made the copy.
    private func isCopied(_ copy: SiteCopy) async throws -> Bool {
        guard let head = try await head(copy.place) else { return false }
        return head.length == copy.asset.size
            && head[S3Headers.digest] == copy.asset.sha256.description
    }

    private func put(
        _ range: ClosedRange<UInt64>, of source: String, number: Int, of copy: SiteCopy,
        _ id: String
    ) async throws -> String {
        var request = request(.put, copy.place, "PutObject")
        request.query = [("partNumber", "\(number)"), ("uploadId", id)]
        request.headers = [
            HTTPHeader("x-amz-copy-source", source),
            HTTPHeader(
                "x-amz-copy-source-range", "bytes=\(range.lowerBound)-\(range.upperBound)"),
        ]
        request.body = HTTPBody([])
        request.root = "CopyPartResult"
        let answer = try await client.send(request)
        if answer.isMissing { throw OriginError.missing(place: display(copy.object)) }
        guard answer.isSuccess, let tag = answer.document?["ETag"] else {
            throw refusal(answer, request)
        }
        return tag
    }
}
