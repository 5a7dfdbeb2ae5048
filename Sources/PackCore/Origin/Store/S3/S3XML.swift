import PackGround

/// An XML element of an S3 answer, parsed with limits.
///
/// Attributes, comments and namespaces are ignored.
struct S3XML: Equatable, Sendable {
    let name: String
    private(set) var text = ""
    private(set) var children: [S3XML] = []

    private static let deepest = 8
    /// A page of a listing has at most 1,000 keys with about ten elements each.
    private static let most = 50_000

    private init(name: String) { self.name = name }

    /// The text of the first child with a name.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    func all(_ name: String) -> [S3XML] { children.filter { $0.name == name } }

    /// - Returns: The root element, or `nil` unless the bytes are one complete document.
    static func parse(_ bytes: [UInt8]) -> S3XML? {
        var open: [S3XML] = []
        var root: S3XML?
        var count = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let start = rest.firstIndex(of: UInt8(ascii: "<")) else {
                guard open.isEmpty else { return nil }
                break
            }
            if !open.isEmpty {
                guard let text = decoded(rest[..<start]) else { return nil }
                open[open.count - 1].text += text
            }
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard let end = rest.firstRange(of: Array("-->".utf8)) else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            // Reject declared entities, which could expand without limit.
            guard rest.first != UInt8(ascii: "!"), let end = rest.firstIndex(of: UInt8(ascii: ">"))
            else { return nil }
            let tag = rest[..<end]
            rest = rest[(end + 1)...]
            if tag.first == UInt8(ascii: "?") { continue }
            if tag.first == UInt8(ascii: "/") {
                guard let element = open.popLast(), element.name == name(of: tag.dropFirst()) else {
                    return nil
                }
                if open.isEmpty {
                    guard root == nil else { return nil }
                    root = element
                } else {
                    open[open.count - 1].children.append(element)
                }
                continue
            }
            count += 1
            guard count <= most, open.count < deepest, root == nil else { return nil }
            let element = S3XML(name: name(of: tag))
            guard tag.last == UInt8(ascii: "/") else {
                open.append(element)
                continue
            }
            if open.isEmpty {
                root = element
            } else {
                open[open.count - 1].children.append(element)
            }
        }
        return open.isEmpty ? root : nil
    }

    private static func name(of tag: ArraySlice<UInt8>) -> String {
        let word = tag.prefix { !" \t\r\n/".utf8.contains($0) }
        let local = word.lastIndex(of: UInt8(ascii: ":")).map { word[($0 + 1)...] } ?? word
        return String(decoding: local, as: UTF8.self)
    }

    /// - Returns: `nil` for an unknown entity.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                result.append(byte)
                continue
            }
            guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
            let name = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            switch name {
            case "amp": result += "&".utf8
            case "lt": result += "<".utf8
            case "gt": result += ">".utf8
            case "quot": result += "\"".utf8
            case "apos": result += "'".utf8
            default:
                let digits = name.dropFirst()
                // `UInt32` would accept a sign.
                guard name.first == "#", !name.utf8.contains(UInt8(ascii: "+")),
                    let number = digits.first == "x"
                        ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
                    let scalar = Unicode.Scalar(number)
                else { return nil }
                result += String(scalar).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
