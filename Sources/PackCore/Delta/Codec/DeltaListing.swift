/// The old files used by a delta stream, and the new files it produces or names.
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

    /// A piece of an old file in the dictionary.
    public struct Segment: Equatable, Sendable {
        /// The index of the old file.
        public var file: Int
        /// The offset of the piece in the file, in bytes.
        public var offset: Int
        /// The number of bytes.
        public var length: Int

        /// Describes a piece, which must be inside its file.
        ///
        /// - Parameters:
        ///   - file: The index of the old file.
        ///   - offset: The offset of the piece in the file, in bytes.
        ///   - length: The number of bytes.
        public init(file: Int, offset: Int, length: Int) {
            self.file = file
            self.offset = offset
            self.length = length
        }
    }

    /// A new file, or a piece of one.
    public struct NewFile: Equatable, Sendable {
        /// The path from the tree's root, in UTF-8; callers must check that it is safe to write to.
        public var path: [UInt8]
        /// The size in bytes.
        public var size: Int
        /// The index of the old file that it is aligned with.
        public var base: Int?
        /// Whether the old file at the base's path is kept.
        public var keepsBase: Bool
        /// Whether it continues the last file of the previous stream.
        public var isContinued: Bool
        /// The replaced piece of the base's path; `nil` if the path is the base's own or there is
        /// no base.
        var edit: Edit?

        /// Describes a new file.
        ///
        /// - Parameters:
        ///   - path: The path from the tree's root, in UTF-8, without a leading slash.
        ///   - size: The size in bytes.
        ///   - base: The index of the old file that it is aligned with, of which the dictionary
        ///     should contain a piece; `nil` for none.
        ///   - keepsBase: Whether the old file at the base's path is kept; only if the new path
        ///     differs.
        ///   - isContinued: Whether it continues the last file of the previous stream; only for the
        ///     first file of a stream.
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

    /// A copy of a whole old file under another path.
    public struct Copy: Equatable, Sendable {
        /// The path from the tree's root, in UTF-8; callers must check that it is safe to write to.
        public var path: [UInt8]
        /// The index of the old file with the same content.
        public var base: Int
        /// Whether the old file is kept.
        public var keepsBase: Bool
        /// The replaced piece of the base's path.
        var edit: Edit?

        /// Describes a copy.
        ///
        /// - Parameters:
        ///   - path: The path from the tree's root, in UTF-8, without a leading slash.
        ///   - base: The index of the old file.
        ///   - keepsBase: Whether the old file is kept.
        public init(path: [UInt8], base: Int, keepsBase: Bool) {
            self.path = path
            self.base = base
            self.keepsBase = keepsBase
        }
    }

    /// The replaced piece of a path: its start, old length and new length.
    struct Edit: Equatable, Sendable {
        let prefix: Int
        let oldLength: Int
        let newLength: Int
    }

    /// The pieces of old files used by the stream, in file order, at most one per file.
    public var dictionary: [Segment]
    /// The new files, in the order in which they are decoded.
    public var files: [NewFile]
    /// Copies of old files under other paths.
    public var copies: [Copy]

    /// Describes a stream.
    ///
    /// - Parameters:
    ///   - dictionary: At most one piece of an old file, in the order of the old files.
    ///   - files: The new files.
    ///   - copies: Copies of old files under other paths; sorted by old file they take the least
    ///     space.
    public init(dictionary: [Segment], files: [NewFile], copies: [Copy] = []) {
        self.dictionary = dictionary
        self.files = files
        self.copies = copies
    }

    /// Whether a file's name is that of a source map.
    package static func isSourceMap(_ path: [UInt8]) -> Bool {
        path.suffix(4).elementsEqual(".map".utf8)
    }

    /// The total size of the dictionary's pieces, in bytes.
    public var dictionarySize: Int { dictionary.reduce(0) { $0 + $1.length } }
    /// The total size of the new files, in bytes.
    public var outputSize: Int { files.reduce(0) { $0 + $1.size } }
}

extension DeltaListing.Edit {
    /// The edit that turns one path into another.
    ///
    /// The piece starts and ends at boundaries of content hashes and folder names, so that all
    /// files of a build have the same edit.
    init(from old: [UInt8], to new: [UInt8]) {
        let limit = min(old.count, new.count)
        var prefix = 0
        while prefix < limit, old[prefix] == new[prefix] { prefix += 1 }
        // Back to the last separator, because hashes may share their first letters by chance.
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

    /// Whether a byte ends the replaceable piece of a path.
    static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
    }
}
