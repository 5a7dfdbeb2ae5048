import PackGround
import PackWeb

extension Rule {
    /// Parts of a policy ignored by browsers.
    static let cspSyntax = Rule(
        "csp-syntax", group: .security,
        level: Level("warning for values that match nothing; hint for ignored directives") { _ in
            .warning
        },
        document: { document, sink in
            for found in document.writtenPolicies {
                for problem in PolicySyntax.problems(in: found) {
                    sink.report(
                        at: found.text.sourceRange(of: problem.range), problem.message,
                        severity: problem.severity)
                }
            }
        })
}

private enum PolicySyntax {
    struct Problem {
        let range: Range<Int>
        let message: String
        var severity = Severity.warning
    }

    /// The problems in text order.
    static func problems(in found: DocumentContext.Policy) -> [Problem] {
        let policy = found.policy
        if found.isInBody {
            guard let range = policy.directives.first?.range else { return [] }
            return [
                Problem(
                    range: range, message: "a policy outside the head is ignored", severity: .hint)
            ]
        }
        var problems: [Problem] = []
        for (directive, reason) in policy.ignored {
            switch reason {
            case .notASCII:
                problems.append(
                    Problem(
                        range: directive.range,
                        message: """
                            '\(printable(directive.name.utf8))' is ignored: it has other \
                            characters than ASCII, perhaps curly quotes
                            """, severity: .hint))
            case .duplicate:
                let first = policy.directives.first { $0.name == directive.name }
                guard first?.values != directive.values else { continue }
                problems.append(
                    Problem(
                        range: directive.range,
                        message: "a second \(directive.name) is ignored: write one with all values",
                        severity: .hint))
            }
        }
        for directive in policy.directives {
            if let problem = name(directive) {
                problems.append(problem)
            } else if ContentSecurityPolicy.sourceDirectives.contains(directive.name) {
                problems += values(directive, found.text.bytes)
            }
        }
        return problems.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func name(_ directive: ContentSecurityPolicy.Directive) -> Problem? {
        let name = directive.name
        if ContentSecurityPolicy.ignoredInMeta.contains(name) {
            return Problem(
                range: directive.range,
                message: "\(name) is ignored in a page; send it as a header",
                severity: .hint)
        }
        guard !ContentSecurityPolicy.sourceDirectives.contains(name),
            !ContentSecurityPolicy.otherDirectives.contains(name)
        else { return nil }
        let shown = printable(name.utf8)
        if name.hasPrefix("'")
            || SourceExpression(name) != nil
                && name.contains(where: { ".:*/".contains($0) })
        {
            return Problem(
                range: directive.range,
                message:
                    "'\(shown)' is no directive: a comma or semicolon before it ends the directive")
        }
        let meant = ContentSecurityPolicy.sourceDirectives.sorted().first {
            isNear(Array(name.utf8), Array($0.utf8))
        }
        return Problem(
            range: directive.range,
            message: "'\(shown)' is no directive" + (meant.map { "; did you mean \($0)?" } ?? ""),
            severity: .hint)
    }

    private static func values(
        _ directive: ContentSecurityPolicy.Directive, _ text: [UInt8]
    ) -> [Problem] {
        directive.words(in: text).prefix(directive.values.count).compactMap { word in
            value(word.text, directive.name).map { Problem(range: word.range, message: $0) }
        }
    }

    /// The problem of a value; `nil` for a valid one.
    private static func value(_ word: String, _ directive: String) -> String? {
        let lower = word.lowercased()
        let shown = printable(word.utf8)
        let quoted = "'\(lower)'"
        if keywords.contains(quoted) {
            return "\(shown) without quotes is a host; write \(quoted)"
        }
        if lower.hasPrefix("nonce-") || SubresourceIntegrity.hash(word) != nil {
            return "\(shown) without quotes is a host; write '\(shown)'"
        }
        if keywords.contains(lower) || SourceExpression(word) != nil
            || SourceExpression.nonce(word) != nil || SourceExpression.hash(word) != nil
        {
            return nil
        }
        let inner = word.hasPrefix("'") && word.hasSuffix("'") ? word.dropFirst().dropLast() : ""
        if SourceExpression(String(inner)) != nil,
            inner.contains(".") || inner.contains(":") || inner == "*"
        {
            return "\(shown) matches nothing; write \(printable(inner.utf8)) without quotes"
        }
        let meant = keywords.sorted().first { isNear(Array(lower.utf8), Array($0.utf8)) }
        return "\(shown) matches nothing" + (meant.map { "; did you mean \($0)?" } ?? "")
    }

    private static let keywords: Set<String> = [
        "'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'",
        "'strict-dynamic'", "'wasm-unsafe-eval'", "'report-sample'", "'inline-speculation-rules'",
        "'trusted-types-eval'", "'report-sha256'", "'report-sha384'", "'report-sha512'",
    ]

    /// Whether two words differ by at most two inserted, deleted, replaced or swapped letters.
    private static func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) <= 2, one.count <= 40 else { return false }
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, target) in other.enumerated() {
                let cost = min(
                    diagonal + (byte == target ? 0 : 1), row[column] + 1, row[column + 1] + 1)
                diagonal = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[other.count] <= 2
    }
}
