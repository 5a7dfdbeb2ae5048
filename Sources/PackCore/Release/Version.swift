package import PackGround

/// A release's content id: the first 20 hexadecimal digits of its package hash (`docs/formats.md`).
package struct Version: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Parses 20 lower-case hexadecimal digits; returns `nil` for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 20, text.utf8.allSatisfy(isHexadecimalDigit) else { return nil }
        description = text
    }

    package init(packageHash: Digest) {
        description = String(packageHash.description.prefix(20))
    }
}
