/// The old files that a delta stream is coded against, and the new files that it produces.
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

    /// Describes a stream.
    ///
    /// - Parameters:
    ///   - dictionary: At most one piece of an old file, in the order of the old files.
    ///   - files: The new files.
    public init(dictionary: [Segment], files: [NewFile]) {
        self.dictionary = dictionary
        self.files = files
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

/// What a delta may use; anything beyond is refused before it is allocated or done.
public struct DeltaLimits: Sendable {
    /// The number of files that all streams together make.
    public var files = 200_000
    /// The number of pieces of old files in the dictionaries of all streams together.
    public var segments = 400_000
    /// The number of bytes of one new path.
    public var pathLength = 1024
    /// The number of bytes of a stream's dictionary.
    public var dictionary = 1 << 28
    /// The number of bytes that one stream makes.
    public var output = 1 << 25
    /// The number of bytes of memory of one stream, without the dictionary and the fields of source maps.
    public var memory = 64 << 20
    /// The number of bytes that all streams together code one by one, each of which takes 0.7 to 2.5 µs.
    public var codedBytes = 8_000_000
    /// The number of bytes of memory that decoding a stream may use in all.
    public var totalMemory = 512 << 20

    /// The limits of the reference client: 200,000 files, 400,000 pieces, paths of 1,024 bytes,
    /// dictionaries of 256 MiB, 32 MiB of output and 64 MiB of memory a stream, 8,000,000 bytes coded one
    /// by one, 512 MiB of memory in all.
    public init() {}
}

/// What the listings of a delta's streams may still use, counted while they are decoded: an entry
/// can take less than a thousandth of a bit.
struct ListingBudget {
    private(set) var files: Int
    private(set) var segments: Int
    /// Bytes of memory.
    private(set) var memory: Int

    static let memoryOfSegment = 32
    static let memoryOfFile = 160

    init(_ limits: DeltaLimits, memory: Int? = nil) {
        files = limits.files
        segments = limits.segments
        self.memory = memory ?? limits.totalMemory
    }

    fileprivate mutating func take(segments count: UInt64) throws(DeltaCodecError) {
        guard count <= UInt64(max(0, min(segments, memory / Self.memoryOfSegment))) else {
            throw .tooLarge
        }
        segments -= Int(count)
        memory -= Int(count) * Self.memoryOfSegment
    }

    fileprivate mutating func take(files count: UInt64) throws(DeltaCodecError) {
        guard count <= UInt64(max(0, min(files, memory / Self.memoryOfFile))) else {
            throw .tooLarge
        }
        files -= Int(count)
        memory -= Int(count) * Self.memoryOfFile
    }

    fileprivate mutating func take(path count: Int) throws(DeltaCodecError) {
        guard count <= memory else { throw .tooLarge }
        memory -= count
    }
}

extension DeltaListing {
    /// Decodes a listing.
    ///
    /// - Parameter budget: What this listing and those after it may use.
    /// - Throws: ``DeltaCodecError`` for one that no encoder writes or that exceeds the limits.
    static func decode(
        _ bytes: [UInt8], _ range: Range<Int>, old: [OldFile], limits: DeltaLimits,
        budget: inout ListingBudget
    ) throws(DeltaCodecError) -> DeltaListing {
        var coder = NumberCoder(coder: BitDecoder(bytes, range))
        let listing = try code(
            DeltaListing(dictionary: [], files: []), old, limits, &budget, &coder)
        guard coder.coder.isAtEnd else { throw .invalidListing }
        return listing
    }

    /// Whether the numbers are ones that can be coded; what they refer to is checked while coding.
    func isCodable(_ old: [OldFile]) -> Bool {
        var previous = -1
        for segment in dictionary {
            guard segment.file > previous, segment.offset >= 0, segment.length >= 0 else {
                return false
            }
            previous = segment.file
        }
        return files.allSatisfy { file in
            file.size >= 0 && file.size <= Int(Int32.max)
                && file.base.map(old.indices.contains) ?? true
        }
    }

    /// Encodes the listing.
    ///
    /// - Returns: the bytes, and the listing as a decoder will see it.
    func encode(
        old: [OldFile], limits: DeltaLimits
    ) throws(DeltaCodecError) -> (bytes: [UInt8], listing: DeltaListing) {
        var coder = NumberCoder(coder: BitEncoder())
        var budget = ListingBudget(limits)
        let listing = try Self.code(self, old, limits, &budget, &coder)
        return (coder.finish(), listing)
    }

    /// Codes a listing, or decodes one: then `known` is empty.
    private static func code<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ old: [OldFile], _ limits: DeltaLimits,
        _ budget: inout ListingBudget, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> DeltaListing {
        var result = DeltaListing(dictionary: [], files: [])
        let segments = coder.number(UInt64(known.dictionary.count), kind: .segments)
        // One for each file, so that a number above the limit is rejected before the first is read.
        guard segments <= UInt64(old.count) else { throw .invalidListing }
        try budget.take(segments: segments)
        result.dictionary.reserveCapacity(Int(segments))
        var previous = -1
        var total = 0
        for index in 0..<Int(segments) {
            let segment = Coder.isDecoding ? nil : known.dictionary[index]
            let gap = coder.number(UInt64((segment?.file ?? previous) - previous), kind: .gap)
            guard gap > 0, gap <= UInt64(old.count - 1 - previous) else { throw .invalidListing }
            previous += Int(gap)
            let size = old[previous].size
            let isWhole = coder.flag(segment.map { $0.length == size } ?? false, kind: .isWhole)
            var coded = Segment(file: previous, offset: 0, length: size)
            if !isWhole {
                let offset = coder.number(UInt64(segment?.offset ?? 0), kind: .offset)
                guard offset <= UInt64(size) else { throw .invalidListing }
                let length = coder.number(UInt64(segment?.length ?? 0), kind: .length)
                guard length <= UInt64(size) - offset else { throw .invalidListing }
                coded.offset = Int(offset)
                coded.length = Int(length)
            }
            guard coded.length <= limits.dictionary - total else { throw .tooLarge }
            total += coded.length
            result.dictionary.append(coded)
        }
        try codeFiles(known, old, limits, &budget, &result, &coder)
        return result
    }

    private static func codeFiles<Coder: BitCoder & ~Copyable>(
        _ known: DeltaListing, _ old: [OldFile], _ limits: DeltaLimits,
        _ budget: inout ListingBudget, _ result: inout DeltaListing,
        _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) {
        let count = coder.number(UInt64(known.files.count), kind: .files)
        guard count <= UInt64(limits.files) else { throw .invalidListing }
        try budget.take(files: count)
        result.files.reserveCapacity(Int(count))
        var expectedBase = 0
        var total = 0
        for index in 0..<Int(count) {
            let file = Coder.isDecoding ? nil : known.files[index]
            var coded = NewFile(
                path: [], size: 0)
            coded.isContinued = coder.flag(file?.isContinued ?? false, kind: .isContinued)
            guard !coded.isContinued || index == 0 else { throw .invalidListing }
            var model = result.files.last?.path ?? []
            if coder.flag(file?.base != nil, kind: .hasBase) {
                let step = coder.signed((file?.base ?? 0) - expectedBase, kind: .base)
                let (base, isOver) = expectedBase.addingReportingOverflow(step)
                guard !isOver, old.indices.contains(base) else { throw .invalidListing }
                coded.base = base
                expectedBase = base + 1
                model = old[base].path
            }
            let isSamePath =
                coded.base != nil && coder.flag(file?.path == model, kind: .isSamePath)
            if isSamePath {
                coded.path = model
            } else {
                let edit: Edit
                (coded.path, edit) = try codePath(file?.path, model, limits, &budget, &coder)
                if coded.base != nil {
                    coded.edit = edit
                    coded.keepsBase = coder.flag(file?.keepsBase ?? false, kind: .keepsBase)
                }
            }
            coded.size = try codeSize(file?.size, coded.base.map { old[$0].size }, &coder)
            guard coded.size <= limits.output - total else { throw .tooLarge }
            total += coded.size
            result.files.append(coded)
        }
    }

    private static func codeSize<Coder: BitCoder & ~Copyable>(
        _ size: Int?, _ base: Int?, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> Int {
        guard let base else {
            let coded = coder.number(UInt64(size ?? 0), kind: .size)
            guard coded <= UInt64(Int32.max) else { throw .tooLarge }
            return Int(coded)
        }
        let change = coder.signed((size ?? 0) - base, kind: .sizeChange)
        let (coded, isOver) = base.addingReportingOverflow(change)
        guard !isOver, coded >= 0, coded <= Int(Int32.max) else { throw .tooLarge }
        return coded
    }

    /// Codes a path as another one with one piece replaced.
    private static func codePath<Coder: BitCoder & ~Copyable>(
        _ path: [UInt8]?, _ model: [UInt8], _ limits: DeltaLimits,
        _ budget: inout ListingBudget, _ coder: inout NumberCoder<Coder>
    ) throws(DeltaCodecError) -> (path: [UInt8], edit: Edit) {
        let known = path.map { Edit(from: model, to: $0) }
        let suffix = coder.number(
            UInt64(known.map { model.count - $0.prefix - $0.oldLength } ?? 0), kind: .suffix)
        let oldLength = coder.number(UInt64(known?.oldLength ?? 0), kind: .oldMiddle)
        guard suffix <= UInt64(model.count), oldLength <= UInt64(model.count) - suffix else {
            throw .invalidListing
        }
        let change = coder.signed((known?.newLength ?? 0) - Int(oldLength), kind: .newMiddle)
        let (length, isOver) = Int(oldLength).addingReportingOverflow(change)
        let prefix = model.count - Int(suffix) - Int(oldLength)
        guard !isOver, length >= 0, length <= limits.pathLength - prefix - Int(suffix) else {
            throw .invalidListing
        }
        try budget.take(path: prefix + length + Int(suffix))
        var result: [UInt8] = []
        result.reserveCapacity(prefix + length + Int(suffix))
        result += model[..<prefix]
        for index in 0..<length {
            let byte = known.flatMap { edit in path?[edit.prefix + index] } ?? 0
            result.append(coder.byte(byte, afterStart: index > 0))
        }
        result += model[(model.count - Int(suffix))...]
        return (result, Edit(prefix: prefix, oldLength: Int(oldLength), newLength: length))
    }
}

extension NumberCoder where Coder == BitEncoder {
    consuming func finish() -> [UInt8] { coder.finish() }
}

extension DeltaListing.Edit {
    /// The edit that turns one path into another.
    ///
    /// The piece starts and ends where content hashes do, so that all files of a build have the
    /// same edit.
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
        while suffix > 0, old[old.count - suffix] != UInt8(ascii: ".") { suffix -= 1 }
        self.init(
            prefix: prefix, oldLength: old.count - suffix - prefix,
            newLength: new.count - suffix - prefix)
    }
}
