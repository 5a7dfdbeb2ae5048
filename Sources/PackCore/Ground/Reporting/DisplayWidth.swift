/// The number of terminal columns of a text.
///
/// Wide and full-width characters and emoji take two columns, marks and format characters none, all
/// others one (Unicode Standard Annex 11; ambiguous characters are narrow).
///
/// - Parameter text: One line without control characters, as ``printable(_:)`` returns it.
package func displayWidth(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + $1.columns }
}

/// Cuts a text to a number of columns, with an ellipsis if something is cut off.
package func clipped(_ text: String, to columns: Int) -> String {
    guard displayWidth(text) > columns else { return text }
    var left = max(1, columns) - 1
    var result = ""
    for character in text {
        let width = displayWidth(String(character))
        guard width <= left else { break }
        left -= width
        result.append(character)
    }
    return result + "…"
}

extension Unicode.Scalar {
    /// Columns on a terminal: 0, 1 or 2.
    fileprivate var columns: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Vowels and final consonants of Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        return isWide ? 2 : 1
    }

    private var isWide: Bool {
        if value < 0x1100 { return false }
        if Self.wide.contains(where: { $0.contains(value) }) { return true }
        // Two regional indicators make one flag of two columns.
        return properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(value)
    }

    /// East Asian Width W and F, without the emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
        0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
