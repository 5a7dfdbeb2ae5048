package import PackCore

/// A directory, or a `file://` URL of one.
package func localOrigin(_ text: String) throws(InvalidWord) -> String {
    guard let colon = text.firstRange(of: "://") else { return text }
    guard text[..<colon.lowerBound].lowercased() == "file" else {
        throw InvalidWord(
            kind: "origin", word: text, problem: "is not a directory or a file:// URL",
            example: "file:///srv/cdn/shop")
    }
    var rest = text[colon.upperBound...]
    if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
    guard rest.hasPrefix("/"), let path = decodedPath(rest) else {
        throw InvalidWord(
            kind: "origin", word: text, problem: "names no path on this machine",
            example: "file:///srv/cdn/shop")
    }
    return path
}
