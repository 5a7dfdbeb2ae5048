/// Removes private keys and the parts of URLs that may be secret from a text.
///
/// These are user, password and key before an `@`, and the values of query and fragment.
/// `s3://KEY:SECRET@bucket` becomes `s3://…@bucket`, `https://a.example/x?token=T` becomes
/// `https://a.example/x?token=…`. Errors print the URLs they were given, and logs keep errors.
package func withoutSecrets(_ text: String) -> String {
    let text = withoutKey(text)
    guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let slashes = afterScheme(rest) {
        result += rest[..<slashes]
        let end = addressEnd(rest[slashes...])
        result += cleaned(rest[slashes..<end])
        rest = rest[end...]
    }
    return String(decoding: result + rest, as: UTF8.self)
}

/// Removes a private key, given instead of the name of its file, and everything after it.
private func withoutKey(_ text: String) -> String {
    guard text.contains("PRIVATE KEY-----"), let start = text.firstRange(of: "-----BEGIN") else {
        return text
    }
    return text[..<start.lowerBound] + "(a private key)"
}

/// The position after the `://` of the first URL.
private func afterScheme(_ text: ArraySlice<UInt8>) -> Int? {
    var position = text.startIndex
    while let colon = text[position...].firstIndex(of: UInt8(ascii: ":")) {
        let slashes = text[(colon + 1)...].prefix {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        if slashes.count > 1, colon > text.startIndex, isWord(text[colon - 1]) {
            return slashes.endIndex
        }
        position = colon + 1
    }
    return nil
}

/// The end of a URL in a sentence: white space or a quotation mark.
///
/// A password may contain a quotation mark: if an `@` of the same authority follows, the quotation
/// mark belongs to the URL.
private func addressEnd(_ text: ArraySlice<UInt8>) -> Int {
    for index in text.indices {
        let byte = text[index]
        if byte <= 0x20 { return index }
        guard byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") else { continue }
        let rest = text[(index + 1)...].prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        if !rest.contains(UInt8(ascii: "@")) { return index }
    }
    return text.endIndex
}

private func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// Removes secrets from a URL without its scheme.
private func cleaned(_ address: ArraySlice<UInt8>) -> [UInt8] {
    let ellipsis = Array("…".utf8)
    var result: [UInt8] = []
    var address = address
    if let at = userEnd(address) {
        result += ellipsis
        address = address[at...]
    }
    let head = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let tail = address[head.endIndex...]
    result += head
    // Removes every value, or the whole query if it has no values.
    var isValue = false
    for part in tail.split(omittingEmptySubsequences: false, whereSeparator: isSeparator) {
        if isValue {
            result.append(address[part.startIndex - 1])
            if let equals = part.firstIndex(of: UInt8(ascii: "=")) { result += part[...equals] }
            if !part.isEmpty { result += ellipsis }
        }
        isValue = true
    }
    return result
}

private func isSeparator(_ byte: UInt8) -> Bool {
    "?#&;".utf8.contains(byte)
}

/// The position of the `@` after the user.
///
/// A key may contain a `/`, which looks like the end of the authority.
private func userEnd(_ address: ArraySlice<UInt8>) -> Int? {
    let authority = address.prefix { !"/?#".utf8.contains($0) }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) { return at }
    guard let colon = authority.firstIndex(of: UInt8(ascii: ":")),
        authority.first != UInt8(ascii: "["),
        !authority[(colon + 1)...].allSatisfy({
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        })
    else { return nil }
    return address.lastIndex(of: UInt8(ascii: "@"))
}
