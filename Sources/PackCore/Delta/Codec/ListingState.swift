/// The shared state of the listings of a delta's streams: the known edits of paths, and the
/// remaining limits.
///
/// Limits are counted while decoding, since an entry can take less than a thousandth of a bit.
struct ListingState {
    private(set) var files: Int
    private(set) var segments: Int
    /// Remaining memory in bytes.
    private(set) var memory: Int
    var edits = KnownEdits()

    static let memoryOfSegment = 32
    static let memoryOfFile = 160

    init(_ limits: DeltaLimits, memory: Int? = nil) {
        files = limits.files
        segments = limits.segments
        self.memory = memory ?? limits.totalMemory
    }

    mutating func take(segments count: UInt64) throws(DeltaCodecError) {
        guard count <= UInt64(max(0, min(segments, memory / Self.memoryOfSegment))) else {
            throw .tooLarge
        }
        segments -= Int(count)
        memory -= Int(count) * Self.memoryOfSegment
    }

    mutating func take(files count: UInt64) throws(DeltaCodecError) {
        guard count <= UInt64(max(0, min(files, memory / Self.memoryOfFile))) else {
            throw .tooLarge
        }
        files -= Int(count)
        memory -= Int(count) * Self.memoryOfFile
    }

    mutating func take(path count: Int) throws(DeltaCodecError) {
        guard count <= memory else { throw .tooLarge }
        memory -= count
    }
}
