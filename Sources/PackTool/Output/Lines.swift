/// A text summary: a headline, then labelled lines.
struct Lines {
    private var lines: [String]

    init(_ headline: String) { lines = [headline] }

    mutating func add(_ label: String, _ value: String) {
        add("  " + label + String(repeating: " ", count: max(1, 10 - label.count)) + value)
    }

    mutating func add(_ line: String) { lines.append(line) }

    var text: Text { Text(lines: lines) }
}

/// Seconds with two decimals: `0.31`.
func secondsText(_ seconds: Double) -> String {
    let hundredths = Int((max(0, seconds) * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
}

/// A share in whole percent: `43 %`.
func share(_ part: UInt64, _ whole: UInt64) -> String {
    whole == 0 ? "0 %" : "\(Int((Double(part) / Double(whole) * 100).rounded())) %"
}
