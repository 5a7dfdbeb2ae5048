package import PackGround

/// Findings accepted by a project: counted, but not shown.
///
/// A finding is identified by its rule, file and message. Line numbers and content hashes in names
/// are ignored, so a new build of the same page has the same findings. A finding with a cause is
/// identified by its rule and cause: its file is only the first of several, and bundlers move code
/// between chunks.
package struct Baseline: Equatable, Sendable {
    /// The accepted count of each finding, by key.
    private var counts: [String: Int] = [:]
    /// The old names of rules in the file; their findings count for the new names.
    package private(set) var oldRules: Set<String> = []

    /// The maximum size of a baseline in bytes.
    package static let sizeLimit = 64 << 20

    /// The cause of findings shown as one but accepted per file.
    static let perFile = "size"

    package init(of findings: [Finding]) {
        for finding in findings {
            let key = Self.key(finding)
            counts[key] = counts[key, default: 0].addingClamped(Self.weight(finding))
        }
    }

    /// The number of accepted findings that this one uses up.
    private static func weight(_ finding: Finding) -> Int {
        finding.cause == perFile ? finding.placeCount : finding.count
    }

    /// Parses the output of ``json``.
    ///
    /// - Throws: ``Failure``.
    package init(_ bytes: [UInt8], path: String) throws(Failure) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes)
        } catch {
            throw Failure.checkBaseline(path: path, problem: "\(error)")
        }
        guard case .object(let members) = value,
            case .integer(1)? = members.first(where: { $0.name == "schema" })?.value,
            case .object(let findings)? = members.first(where: { $0.name == "findings" })?.value
        else {
            throw Failure.checkBaseline(
                path: path, problem: "it has no 'schema' 1 and 'findings'")
        }
        for finding in findings {
            guard case .integer(let count) = finding.value, count > 0 else {
                throw Failure.checkBaseline(path: path, problem: "'\(finding.name)' has no count")
            }
            let rule = String(finding.name.prefix { $0 != " " })
            var key = finding.name
            if let new = RuleCatalog.renamed[rule] {
                oldRules.insert(rule)
                key = new + key.dropFirst(rule.count)
            }
            counts[key] = counts[key, default: 0].addingClamped(count)
        }
    }

    /// The accepted findings of the selected rules.
    package func limited(to isIncluded: (_ rule: String) -> Bool) -> Baseline {
        var limited = self
        limited.counts = counts.filter { isIncluded(String($0.key.prefix { $0 != " " })) }
        return limited
    }

    /// The union of two baselines for different rules.
    package func adding(_ other: Baseline) -> Baseline {
        var sum = self
        sum.counts.merge(other.counts) { $0.addingClamped($1) }
        return sum
    }

    /// The number of accepted findings.
    package var count: Int { counts.values.clampedSum { $0 } }

    /// One line per finding, sorted for review and merging.
    package var json: JSONValue {
        .members([
            "schema": .integer(1),
            "findings": .object(
                counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                    .map { .init($0.key, .integer($0.value)) }),
        ])
    }

    /// Removes accepted findings; `gone` counts accepted findings that no longer occur.
    ///
    /// Which findings of a rule and file exceed the limit depends on the findings before them. So a
    /// finding that was only counted, in the baseline or now, can match any finding of its rule and
    /// file.
    package func apply(to findings: [Finding]) -> (kept: [Finding], accepted: Int, gone: Int) {
        var left = counts
        var kept = findings.filter { finding in
            let weight = Self.weight(finding)
            return finding.leftOut != nil || left.take(weight, of: Self.key(finding)) < weight
        }
        kept = kept.compactMap { finding in
            guard finding.leftOut != nil else { return finding }
            return finding.standing(without: left.take(finding.count, of: Self.key(finding)))
        }
        kept = kept.filter { finding in
            finding.leftOut != nil || left.take(1, of: Self.leftOutKey(finding)) == 0
        }
        if kept.contains(where: { $0.leftOut != nil }) {
            var spare: [String: [String]] = [:]
            for key in left.keys { spare[Self.group(of: key), default: []].append(key) }
            kept = kept.compactMap { finding in
                guard finding.leftOut != nil else { return finding }
                var taken = 0
                for key in spare[Self.group(of: Self.key(finding))] ?? [] {
                    taken += left.take(finding.count - taken, of: key)
                }
                return finding.standing(without: taken)
            }
        }
        let accepted = findings.clampedSum(of: \.count) - kept.clampedSum(of: \.count)
        return (kept, accepted, left.values.clampedSum { $0 })
    }

    private static func key(_ finding: Finding) -> String {
        guard let cause = finding.cause else { return key(finding, finding.message) }
        return "\(finding.rule) *: \(withoutHashes(cause))"
    }

    /// Identifies a finding across builds: its rule, file and source line without content hashes,
    /// or its rule and cause.
    package static func fingerprint(of finding: Finding) -> Digest {
        let excerpt = finding.place?.excerpt ?? ""
        let text =
            finding.cause == nil
            ? "\(finding.rule)\n\(withoutHashes(finding.path))\n\(withoutHashes(excerpt))"
            : key(finding)
        return StreamHasher.digest(of: Array(text.utf8))
    }

    /// The key of the summary finding for the same rule and file.
    private static func leftOutKey(_ finding: Finding) -> String {
        key(finding, Finding.leftOutMessage)
    }

    private static func key(_ finding: Finding, _ message: String) -> String {
        "\(finding.rule) \(withoutHashes(finding.path)): \(withoutHashes(message))"
    }

    /// The `rule path` part of a key.
    private static func group(of key: String) -> String {
        var end = key.utf8.startIndex
        while let colon = key.utf8[end...].firstIndex(of: UInt8(ascii: ":")) {
            end = key.utf8.index(after: colon)
            if key.utf8[end...].first == UInt8(ascii: " ") { return String(key[..<colon]) }
        }
        return key
    }

    /// Replaces content hashes with `*`.
    private static func withoutHashes(_ text: String) -> String {
        var result: [UInt8] = []
        var word: [UInt8] = []
        for byte in text.utf8 {
            if isBreak(byte) {
                result += withoutHash(word)
                result.append(byte)
                word = []
            } else {
                word.append(byte)
            }
        }
        return String(decoding: result + withoutHash(word), as: UTF8.self)
    }

    private static func withoutHash(_ word: [UInt8]) -> [UInt8] {
        guard let hash = ContentHash.part(of: word), let range = word.firstRange(of: hash) else {
            return word
        }
        let star = [UInt8(ascii: "*")]
        // The chunk number that webpack puts before a hash, as in '6598.a73f718d.js', is not
        // stable. A hash can also start with digits.
        let start = word[..<range.lowerBound]
        let isChunk =
            start.count > 1 && start.last == UInt8(ascii: ".")
            && start.dropLast().allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
        return (isChunk ? star + [UInt8(ascii: ".")] : start) + star + word[range.upperBound...]
    }

    private static func isBreak(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "'")
            || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\"")
    }
}

extension [String: Int] {
    /// Takes up to `wanted` from a key's count.
    ///
    /// - Returns: The amount taken.
    fileprivate mutating func take(_ wanted: Int, of key: String) -> Int {
        guard let count = self[key], count > 0 else { return 0 }
        self[key] = count - Swift.min(count, wanted)
        return Swift.min(count, wanted)
    }
}

extension Failure.Code {
    package static let checkBaseline = Self("check.baseline")
}

extension Failure {
    /// A malformed baseline file.
    package static func checkBaseline(path: String, problem: String) -> Failure {
        Failure(
            .checkBaseline, "'\(path)' is not a baseline: \(problem)", unaffected: "the file")
    }
}
