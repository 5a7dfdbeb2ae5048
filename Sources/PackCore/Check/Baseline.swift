/// Findings that an old project has accepted: they are counted, not shown, until they are gone.
///
/// A finding is known by its rule, file and message, not by its line, and content hashes in names do
/// not count, so that a new build of the same page has the same findings.
package struct Baseline: Equatable, Sendable {
    /// How often each finding is accepted, by its key.
    private var counts: [String: Int] = [:]

    /// The most bytes of a baseline that is read.
    package static let sizeLimit = 64 << 20

    package init(of findings: [Finding]) {
        for finding in findings { counts[Self.key(finding), default: 0] += 1 }
    }

    /// Reads what ``json`` wrote.
    ///
    /// - Throws: ``BaselineError``.
    package init(_ bytes: [UInt8], place: String) throws(BaselineError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes)
        } catch {
            throw BaselineError(place: place, problem: "\(error)")
        }
        guard case .object(let members) = value,
            case .integer(1)? = members.first(where: { $0.name == "schema" })?.value,
            case .object(let findings)? = members.first(where: { $0.name == "findings" })?.value
        else { throw BaselineError(place: place, problem: "it has no 'schema' 1 and 'findings'") }
        for finding in findings {
            guard case .integer(let count) = finding.value, count > 0 else {
                throw BaselineError(place: place, problem: "'\(finding.name)' has no count")
            }
            counts[finding.name] = count
        }
    }

    /// One line for each finding, sorted, so that it can be reviewed and merged.
    package var json: JSONValue {
        .members([
            "schema": .integer(1),
            "findings": .object(
                counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                    .map { .init($0.key, .integer($0.value)) }),
        ])
    }

    /// The findings that are not accepted, and how many accepted ones are gone.
    package func apply(to findings: [Finding]) -> (kept: [Finding], accepted: Int, gone: Int) {
        var left = counts
        let kept = findings.filter { finding in
            let key = Self.key(finding)
            guard let count = left[key], count > 0 else { return true }
            left[key] = count - 1
            return false
        }
        return (kept, findings.count - kept.count, left.values.reduce(0, +))
    }

    private static func key(_ finding: Finding) -> String {
        "\(finding.rule) \(withoutHashes(finding.path)): \(withoutHashes(finding.message))"
    }

    /// The text with content hashes replaced by `*`.
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
        return word[..<range.lowerBound] + [UInt8(ascii: "*")] + word[range.upperBound...]
    }

    private static func isBreak(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "'")
            || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\"")
    }
}

/// A baseline that cannot be read.
package struct BaselineError: Remedied, Equatable {
    package let place: String
    package let problem: String

    package var code: String { "check.baseline" }
    package var description: String { "'\(place)' is not a baseline: \(problem)" }
    package var remedy: String { "write it anew with 'packtool check --update-baseline'" }
}
