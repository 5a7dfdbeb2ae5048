package import PackGround

/// The name of an app; the pointer contains it, so that no app installs another's release.
package struct AppName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Checks a name.
    ///
    /// - Throws: ``Failure`` unless it is 1 to 64 letters, digits, `.`, `_`, `-`, starting
    ///   with a letter or digit.
    package init(_ text: String) throws(Failure) {
        try checkName(text, kind: "app name", example: "shop")
        description = text
    }
}

/// A named line of releases, such as `production` or `beta`.
package struct Channel: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// The channel whose release `info.json` and `site/` serve.
    package static let production = Channel(known: "production")

    private init(known: String) { description = known }

    /// Checks a name.
    ///
    /// - Throws: ``Failure`` unless it has the form of an app name without capital letters:
    ///   it becomes a directory, and some file systems ignore case.
    package init(_ text: String) throws(Failure) {
        try checkName(text, kind: "channel", example: "beta")
        guard text.utf8.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            throw Failure.invalidArgument(
                kind: "channel", word: text, problem: "contains a capital letter", example: "beta")
        }
        description = text
    }
}

private func checkName(_ text: String, kind: String, example: String) throws(Failure) {
    let isAlphanumeric = { (byte: UInt8) in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard (1...64).contains(text.utf8.count) else {
        throw Failure.invalidArgument(
            kind: kind, word: text, problem: "is not 1 to 64 characters long", example: example)
    }
    guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.last != UInt8(ascii: "."),
        text.utf8.allSatisfy({ isAlphanumeric($0) || "._-".utf8.contains($0) })
    else {
        throw Failure.invalidArgument(
            kind: kind, word: text,
            problem: "may contain only letters, digits, '.', '_' and '-', and must start with a "
                + "letter or digit",
            example: example)
    }
}
