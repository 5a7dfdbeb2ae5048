import PackGround
import PackOrigin

/// Checks one file over HTTP as clients request it: status, redirects, bytes and headers.
///
/// Text files are requested a second time with compression, as browsers do.
struct FileCheck: Sendable {
    let probe: HTTPProbe
    let file: ExpectedFile
    var keepsBytes = false
    /// An additional destination for the content.
    var copy: SinkFile?
    /// Whether the release is so new that caches may still serve its predecessor.
    var isRecent = false
    /// The server behind the caches, if its own address is known.
    var server: HTTPStore?
    private var result = CheckedFile()

    init(_ probe: HTTPProbe, _ file: ExpectedFile) {
        self.probe = probe
        self.file = file
    }

    private mutating func report(
        _ kind: AuditFinding.Kind, _ problem: String, _ answer: ProbeAnswer,
        _ severity: AuditFinding.Severity = .error
    ) {
        result.findings.add(kind, severity, file.path, problem, answer.head)
    }

    private func question(pastCaches: Bool = false) -> HTTPProbe.Question {
        // Read enough to recognize the complete content of an earlier release.
        let limit = file.older.reduce(file.content.size) { max($0, $1.size) }
        var question = HTTPProbe.Question(limit: file.isRead ? limit : 0)
        question.method = file.isRead ? .get : .head
        question.keepsBytes = keepsBytes && !pastCaches
        question.isPastCaches = pastCaches
        return question
    }

    /// - Throws: Errors unrelated to the file, such as no connection or out of memory.
    func run() async throws -> CheckedFile {
        var check = self
        do {
            let answer = try await probe.ask(file.path, question(), file: copy)
            check.result.findings.checkRedirects(file.path, answer, probe.address)
            if file.isRead {
                try await check.look(at: answer)
            } else {
                try await check.lookForPresence(answer)
            }
        } catch let error as Failure where error.code.isOf("http") {
            if error.isLocalOrTransient { throw error }
            check.result.findings.addFailure(file.path, error, at: probe.address)
        }
        return check.result
    }

    private mutating func look(at answer: ProbeAnswer) async throws {
        let head = answer.head
        guard head.status == 200 else { return try await checkRefusal(answer) }
        if head.isPage, file.type != "text/html", !answer.isWhole(file.content) {
            return report(.pageForFile, "is answered with a web page", answer)
        }
        if let problem = answer.encodingProblem { return report(.transformed, problem, answer) }
        guard answer.isWhole(file.content) else { return try await checkOther(answer) }
        result.isWhole = true
        if keepsBytes { result.bytes = answer.bytes }
        result.findings.checkLifetime(file.path, file.lifetime, head)
        result.findings.checkType(file.path, file.type, head)
        if file.isText { try await checkCompression() }
    }

    /// Checks the headers of an earlier release's file without reading the content.
    private mutating func lookForPresence(_ answer: ProbeAnswer) async throws {
        let head = answer.head
        if head.meansMissing { return try await checkRefusal(answer) }
        if head.isPage { return report(.pageForFile, "is answered with a web page", answer) }
        guard head.status == 200 else {
            return report(.status, "is answered with status \(head.status)", answer)
        }
        if let length = head.length, length != file.content.size {
            report(.differs, "has another length than was published", answer)
        }
        result.findings.checkLifetime(file.path, file.lifetime, head)
    }

    /// Requests the file past all caches.
    private func fresh() async throws -> ProbeAnswer {
        try await probe.ask(file.path, question(pastCaches: true))
    }

    private mutating func checkRefusal(_ answer: ProbeAnswer) async throws {
        guard answer.head.meansMissing else {
            return report(.status, "is answered with status \(answer.head.status)", answer)
        }
        let fresh = try await fresh()
        result.findings.addRefusal(
            file.path, answer,
            isThereBehind: file.isRead ? fresh.isWhole(file.content) : fresh.head.status == 200)
    }

    /// Finds the reason for different bytes.
    private mutating func checkOther(_ answer: ProbeAnswer) async throws {
        let fresh = try await fresh()
        if file.lifetime == .short {
            if fresh.isWhole(file.content) {
                // The cache may still serve the previous content.
                if isRecent { return }
                return report(.stale, "is older in a cache than at the server behind it", answer)
            }
            if !answer.isTooLong, file.older.contains(answer.digest) {
                if isRecent { return }
                return try await reportEarlier(answer, fresh)
            }
        } else if fresh.isWhole(file.content) {
            return report(
                .keptOther, "has other bytes in a cache than at the server behind it", answer)
        }
        let size = file.content.size
        let problem =
            if answer.isTooLong || answer.digest.size > size {
                "is longer than it must be"
            } else if answer.digest.size < size {
                "is shorter than it must be"
            } else {
                "has other bytes than were published"
            }
        report(.differs, problem, answer)
    }

    /// Reports content of an earlier release that is also served past the caches: either the server
    /// has no newer content, or a cache ignores the query.
    private mutating func reportEarlier(_ answer: ProbeAnswer, _ fresh: ProbeAnswer) async throws {
        let problem = "is of an earlier release"
        if answer.digest == fresh.digest {
            if fresh.isFromCache {
                return report(.stale, "\(problem) in a cache, with and without a query", fresh)
            }
            if let server, (try? await server.holds(file.content, at: file.path)) == true {
                return report(
                    .stale, "\(problem), and '\(server.address)' has the current one", answer)
            }
        }
        report(.behind, problem, answer)
    }

    /// Requests the file with compression, as browsers and most HTTP clients do.
    private mutating func checkCompression() async throws {
        var question = HTTPProbe.Question(limit: file.content.size)
        question.encoding = "gzip"
        let answer = try await probe.ask(file.path, question)
        let isWhole = answer.isWhole(file.content)
        switch answer.head.encoding {
        case nil where isWhole: return
        case nil:
            report(.transformed, "has other bytes for clients that accept compression", answer)
        case "gzip" where isWhole:
            let promise = answer.head.forbidsTransforms ? ", despite no-transform" : ""
            report(
                .compressed,
                "is compressed on the way\(promise): the bytes are right, and downloads cannot be continued",
                answer, .warning)
        case "gzip":
            report(
                .transformed,
                "is compressed on the way, and has other bytes when it is decompressed", answer)
        case let encoding?:
            report(
                .transformed,
                "arrives with Content-Encoding \(shownEncoding(encoding)), which was not offered",
                answer)
        }
    }
}

extension ProbeAnswer {
    /// The problem of an answer with a content encoding that was not requested, or `nil`.
    var encodingProblem: String? {
        head.encoding.map {
            "has Content-Encoding \(shownEncoding($0)), which was not requested"
        }
    }
}

extension AuditFindings {
    /// Adds a finding for an answer that reports the file as missing.
    mutating func addRefusal(_ path: String, _ answer: ProbeAnswer, isThereBehind: Bool) {
        let status = answer.head.status
        if isThereBehind {
            add(
                .keptMissing, .error, path,
                "is answered with \(status) by a cache, and is there behind it", answer.head)
        } else {
            add(.missing, .error, path, "is answered with \(status)", answer.head)
        }
    }
}
