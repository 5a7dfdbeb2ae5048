import PackGround
import PackOrigin

/// What is found about one file.
struct CheckedFile: Sendable {
    var findings = HTTPFindings()
    var isWhole = false
    /// The content, if it was to be kept and is what it must be.
    var bytes: [UInt8]?
}

/// Checks one file as clients ask for it: status, redirects, bytes, headers, and once more as a browser does.
struct FileCheck: Sendable {
    let probe: HTTPProbe
    let file: ExpectedFile
    var keepsBytes = false
    /// Where the content goes as well.
    var copy: SinkFile?
    /// What earlier releases had at the place.
    var older: [FileDigest] = []
    /// The release is so new that caches may still have the one before it.
    var isRecent = false
    /// The server behind the caches, if its own address is known.
    var server: HTTPStore?

    private var question: HTTPProbe.Question {
        // An earlier one is known by all its bytes.
        let limit = older.reduce(file.content.size) { max($0, $1.size) }
        var question = HTTPProbe.Question(limit: limit)
        question.keepsBytes = keepsBytes
        return question
    }

    /// - Throws: what says nothing about the file: no connection, no memory.
    func run() async throws -> CheckedFile {
        var result = CheckedFile()
        do {
            let answer = try await probe.ask(file.place, question, file: copy)
            try await check(answer, &result)
        } catch let error as HTTPError {
            if error.isLocalOrTransient { throw error }
            result.findings.addFailure(file.place, error, at: probe.address)
        }
        return result
    }

    private func check(_ answer: ProbeAnswer, _ result: inout CheckedFile) async throws {
        let head = answer.head
        result.findings.checkRedirects(file.place, answer, probe.address)
        guard head.status == 200 else { return try await checkRefusal(answer, &result) }
        if head.isPage, file.type != "text/html" {
            if !answer.isWhole(file.content) {
                result.findings.add(
                    .pageForFile, .error, file.place, "is answered with a web page", answer)
                return
            }
        }
        if let encoding = head.encoding {
            result.findings.add(
                .transformed, .error, file.place,
                "arrives with Content-Encoding \(shownEncoding(encoding)), which nobody asked for",
                answer)
            return
        }
        guard answer.isWhole(file.content) else { return try await checkOther(answer, &result) }
        result.isWhole = true
        if keepsBytes { result.bytes = answer.bytes }
        result.findings.checkLifetime(file, answer)
        result.findings.checkType(file, answer)
        if file.isText { try await checkCompression(&result) }
    }

    /// The file as a server has it that is asked past all caches.
    private func fresh() async throws -> ProbeAnswer {
        var question = question
        question.isPastCaches = true
        return try await probe.ask(file.place, question)
    }

    private func checkRefusal(
        _ answer: ProbeAnswer, _ result: inout CheckedFile
    ) async throws {
        guard answer.head.meansMissing else {
            result.findings.add(
                .status, .error, file.place, "is answered with status \(answer.head.status)",
                answer)
            return
        }
        result.findings.addRefusal(
            file.place, answer, isThereBehind: try await fresh().isWhole(file.content))
    }

    /// The answer has other bytes.
    private func checkOther(_ answer: ProbeAnswer, _ result: inout CheckedFile) async throws {
        let fresh = try await fresh()
        if file.lifetime == .short {
            if fresh.isWhole(file.content) {
                // A cache has what was there before, for as long as it may.
                if !isRecent {
                    result.findings.add(
                        .stale, .error, file.place,
                        "is older in a cache than at the server behind it", answer)
                }
                return
            }
            if !answer.isTooLong, older.contains(answer.digest) {
                if !isRecent { try await addEarlier(answer, fresh, &result) }
                return
            }
        } else if fresh.isWhole(file.content) {
            result.findings.add(
                .keptOther, .error, file.place,
                "has other bytes in a cache than at the server behind it", answer)
            return
        }
        let size = file.content.size
        let problem: String
        if answer.isTooLong || answer.digest.size > size {
            problem = "is longer than it must be"
        } else if answer.digest.size < size {
            problem = "is shorter than it must be"
        } else {
            problem = "has other bytes than were published"
        }
        result.findings.add(.differs, .error, file.place, problem, answer)
    }

    /// The file is of an earlier release, past the caches as well: the server has no other, or the query got past
    /// nothing.
    private func addEarlier(
        _ answer: ProbeAnswer, _ fresh: ProbeAnswer, _ result: inout CheckedFile
    ) async throws {
        let problem = "is of an earlier release"
        if answer.digest == fresh.digest {
            if fresh.isFromCache {
                result.findings.add(
                    .stale, .error, file.place, "\(problem) in a cache, with and without a query",
                    fresh)
                return
            }
            if let server, (try? await server.holds(file.content, at: file.place)) == true {
                result.findings.add(
                    .stale, .error, file.place,
                    "\(problem), and '\(server.address)' has the current one", answer)
                return
            }
        }
        result.findings.add(.behind, .error, file.place, problem, answer)
    }

    /// Asks as browsers and most HTTP clients do: with compression.
    private func checkCompression(_ result: inout CheckedFile) async throws {
        var question = HTTPProbe.Question(limit: file.content.size)
        question.encoding = "gzip"
        let answer = try await probe.ask(file.place, question)
        guard let encoding = answer.head.encoding else {
            if !answer.isWhole(file.content) {
                result.findings.add(
                    .transformed, .error, file.place,
                    "has other bytes for clients that accept compression", answer)
            }
            return
        }
        guard encoding == "gzip" else {
            result.findings.add(
                .transformed, .error, file.place,
                "arrives with Content-Encoding \(shownEncoding(encoding)), which was not offered",
                answer)
            return
        }
        if answer.isWhole(file.content) {
            result.findings.add(
                .compressed, .warning, file.place,
                "is compressed on the way\(answer.head.forbidsTransforms ? ", although it says no-transform" : "")"
                    + ": the bytes are right, and downloads cannot be continued", answer)
        } else {
            result.findings.add(
                .transformed, .error, file.place,
                "is compressed on the way, and has other bytes when it is decompressed", answer)
        }
    }
}

extension HTTPFindings {
    /// Adds that a place is answered as if nothing were there.
    mutating func addRefusal(_ place: String, _ answer: ProbeAnswer, isThereBehind: Bool) {
        let status = answer.head.status
        if isThereBehind {
            add(
                .keptMissing, .error, place,
                "is answered with \(status) by a cache, and is there behind it", answer)
        } else {
            add(.missing, .error, place, "is answered with \(status)", answer)
        }
    }
}
