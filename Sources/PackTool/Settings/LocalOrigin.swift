package import PackGround
import PackRelease

/// The path of a directory, or of its `file://` URL.
package func localOrigin(_ text: String) throws(Failure) -> String {
    guard let colon = text.firstRange(of: "://") else {
        try refuseMistyped(text)
        return text
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "file" else {
        throw Failure.invalidArgument(
            kind: "origin", word: text,
            problem: scheme == "http" || scheme == "https"
                ? "is a web server's address, and this command needs a directory or a bucket"
                : "is not a directory, a file:// URL or an s3:// address",
            example: "s3://bucket/shop")
    }
    var rest = text[colon.upperBound...]
    if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
    guard rest.hasBytes("/"), let path = decodedPath(rest) else {
        throw Failure.invalidArgument(
            kind: "origin", word: text, problem: "names no path on this machine",
            example: "file:///srv/cdn/shop")
    }
    return path
}

/// Rejects text that would create a directory with a strange name: a URL without slashes, and `~`,
/// which only a shell expands.
private func refuseMistyped(_ text: String) throws(Failure) {
    guard !text.isEmpty else {
        throw Failure.invalidArgument(
            kind: "origin", word: text, problem: "is empty", example: "../cdn")
    }
    if text == "~" || text.hasPrefix("~/") {
        throw Failure.invalidArgument(
            kind: "origin", word: text, problem: "begins with '~', which only a shell replaces",
            example: "/home/me" + text.dropFirst())
    }
    if text.hasPrefix("arn:") {
        throw Failure.invalidArgument(
            kind: "origin", word: text, problem: "is Amazon's name of a bucket, not its address",
            example: "s3://" + (text.split(separator: ":").last ?? "shop-cdn/shop"))
    }
    for scheme in ["s3", "file", "http", "https"] {
        let rest = text.dropFirst(scheme.count)
        guard text.lowercased().hasPrefix(scheme), rest.hasPrefix(":") || rest.hasPrefix("//")
        else { continue }
        let path = rest.drop { $0 == ":" || $0 == "/" }
        throw Failure.invalidArgument(
            kind: "origin", word: text,
            problem: "is not an address; a directory of this name is './\(text)'",
            example: "\(scheme)://\(scheme == "file" ? "/" : "")\(path)")
    }
}
