/// The old files that a delta stream is coded against, and the new files that it produces or names.
public struct DeltaListing: Equatable, Sendable {
    /// A file of the old tree, which both sides have.
    public struct OldFile: Equatable, Sendable {
        /// The path from the tree's root, in UTF-8, without a leading slash.
        public let path: [UInt8]
        /// The size in bytes.
        public let size: Int

        /// Describes a file.
        ///
        /// - Parameters:
        ///   - path: The path from the tree's root, in UTF-8, without a leading slash.
        ///   - size: The size in bytes; not negative.
        public init(path: [UInt8], size: Int) {
            self.path = path
            self.size = size
        }
    }

    /// A piece of an old file that is part of the dictionary.
    public struct Segment: Equatable, Sendable {
        /// The index of the old file.
        public var file: Int
        /// Where in the file the piece starts, in bytes.
        public var offset: Int
        /// The number of bytes.
        public var length: Int

        /// Describes a piece, which must be inside its file.
        ///
        /// - Parameters:
        ///   - file: The index of the old file.
        ///   - offset: Where in the file the piece starts, in bytes.
        ///   - length: The number of bytes.
        public init(file: Int, offset: Int, length: Int) {
            self.file = file
            self.offset = offset
            self.length = length
        }
    }

    /// A new file, or a piece of one.
    public struct NewFile: Equatable, Sendable {
        /// The path from the tree's root, in UTF-8; whether it is safe to write to is the caller's to check.
        public var path: [UInt8]
        /// The size in bytes.
        public var size: Int
        /// The old file whose text it is aligned with.
        public var base: Int?
        /// Whether the old file of the base's path stays where it is.
        public var keepsBase: Bool
        /// Whether it continues the last file of the previous stream.
        public var isContinued: Bool
        /// What was replaced in the base's path; `nil` where the path is the base's own or there is none.
        var edit: Edit?

        /// Describes a new file.
        ///
        /// - Parameters:
        ///   - path: The path from the tree's root, in UTF-8, without a leading slash.
        ///   - size: The size in bytes.
        ///   - base: The index of the old file that it is coded along, which the dictionary should have a
        ///     piece of; `nil` for none.
        ///   - keepsBase: Whether the old file of the base's path stays; only with another path than that.
        ///   - isContinued: Whether it continues the last file of the stream before; only for the first
        ///     file of a stream.
        public init(
            path: [UInt8], size: Int, base: Int? = nil, keepsBase: Bool = false,
            isContinued: Bool = false
        ) {
            self.path = path
            self.size = size
            self.base = base
            self.keepsBase = keepsBase
            self.isContinued = isContinued
        }

        var isSourceMap: Bool { DeltaListing.isSourceMap(path) }
    }

    /// A new file that is a whole old one under another path: it is named only.
    public struct Copy: Equatable, Sendable {
        /// The path from the tree's root, in UTF-8; whether it is safe to write to is the caller's to check.
        public var path: [UInt8]
        /// The old file whose content it has.
        public var base: Int
        /// Whether the old file stays where it is.
        public var keepsBase: Bool
        /// What was replaced in the base's path.
        var edit: Edit?

        /// Describes a copy.
        ///
        /// - Parameters:
        ///   - path: The path from the tree's root, in UTF-8, without a leading slash.
        ///   - base: The index of the old file.
        ///   - keepsBase: Whether the old file stays.
        public init(path: [UInt8], base: Int, keepsBase: Bool) {
            self.path = path
            self.base = base
            self.keepsBase = keepsBase
        }
    }

    /// The piece of a path that was replaced: where it starts, how long it was and how long it is.
    struct Edit: Equatable, Sendable {
        let prefix: Int
        let oldLength: Int
        let newLength: Int
    }

    /// The pieces of old files that the stream is coded against: at most one of a file, in the order of the
    /// old files.
    public var dictionary: [Segment]
    /// The new files, in the order in which they are decoded.
    public var files: [NewFile]
    /// New files that are old ones under other paths.
    public var copies: [Copy]

    /// Describes a stream.
    ///
    /// - Parameters:
    ///   - dictionary: At most one piece of an old file, in the order of the old files.
    ///   - files: The new files.
    ///   - copies: New files that are old ones under other paths; in the order of the old files they take least.
    public init(dictionary: [Segment], files: [NewFile], copies: [Copy] = []) {
        self.dictionary = dictionary
        self.files = files
        self.copies = copies
    }

    /// Whether a file's name says that it is a source map.
    package static func isSourceMap(_ path: [UInt8]) -> Bool {
        path.suffix(4).elementsEqual(".map".utf8)
    }

    /// The bytes of all pieces of the dictionary.
    public var dictionarySize: Int { dictionary.reduce(0) { $0 + $1.length } }
    /// The bytes of all new files.
    public var outputSize: Int { files.reduce(0) { $0 + $1.size } }
}

extension DeltaListing.Edit {
    /// The edit that turns one path into another.
    ///
    /// The piece starts and ends where content hashes and names of folders do, so that all files of a build have
    /// the same edit.
    init(from old: [UInt8], to new: [UInt8]) {
        let limit = min(old.count, new.count)
        var prefix = 0
        while prefix < limit, old[prefix] == new[prefix] { prefix += 1 }
        // Back to the last separator: hashes may start with the same letter by chance.
        while prefix > 0, !NameSeeds.isSeparator(old[prefix - 1]) { prefix -= 1 }
        var suffix = 0
        while suffix < limit - prefix,
            old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
        {
            suffix += 1
        }
        while suffix > 0, !Self.isEnd(old[old.count - suffix]) { suffix -= 1 }
        self.init(
            prefix: prefix, oldLength: old.count - suffix - prefix,
            newLength: new.count - suffix - prefix)
    }

    /// Whether a byte ends the piece of a path that can be replaced.
    static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
    }
}
