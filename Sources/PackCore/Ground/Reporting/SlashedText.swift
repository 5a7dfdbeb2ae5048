/// Splits paths and URLs by bytes.
///
/// In Swift, a slash and a combining mark after it are one Character, which is not "/", and file
/// names may begin with such a mark.
extension StringProtocol where SubSequence == Substring {
    /// The components between slashes.
    package func pathComponents(omittingEmpty: Bool = true) -> [Substring] {
        self[...].utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omittingEmpty)
            .map { Substring($0) }
    }

    package var firstSlash: String.Index? { self[...].utf8.firstIndex(of: UInt8(ascii: "/")) }
    package var lastSlash: String.Index? { self[...].utf8.lastIndex(of: UInt8(ascii: "/")) }

    /// The text after the last slash; the whole text if it has none.
    package var lastComponent: Substring {
        guard let slash = lastSlash else { return self[...] }
        return self[self[...].utf8.index(after: slash)...]
    }

    /// Whether the text starts with some bytes.
    package func hasBytes(_ prefix: String) -> Bool { self[...].utf8.starts(with: prefix.utf8) }
}
