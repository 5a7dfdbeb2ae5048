/// A fixed piece of memory that one task reads files through.
///
/// It is reached through spans alone, which are checked in release builds as well.
@safe final class ByteBuffer {
    private let storage: UnsafeMutableRawBufferPointer

    init(count: Int) {
        unsafe storage = .allocate(byteCount: count, alignment: 64)
    }

    deinit { unsafe storage.deallocate() }

    var count: Int { unsafe storage.count }

    /// Hands out the first `count` bytes.
    func withBytes<Result, Failure: Error>(
        first count: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let all = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(storage))
        return try body(all.extracting(..<count))
    }

    /// Hands out the whole memory to be filled.
    func withMutableBytes<Result, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var all = unsafe MutableRawSpan(_unsafeBytes: storage)
        return try body(&all)
    }

    /// Reads the next piece of a file.
    ///
    /// - Returns: how many of the first bytes are now the file's; 0 at its end.
    func read(
        _ file: borrowing OwnedDescriptor, atMost limit: UInt64 = .max
    ) throws(FileSystemError) -> Int {
        let room = min(count, Int(clamping: limit))
        return try withMutableBytes { all throws(FileSystemError) in
            var part = all._mutatingExtracting(..<room)
            return try file.read(into: &part)
        }
    }

    /// What fits a file read in few calls and still stays in the processor's cache.
    static func forReading() -> ByteBuffer { ByteBuffer(count: 256 * 1024) }
}

extension MutableRawSpan {
    /// Overwrites the first bytes with others, for which there has to be room.
    mutating func replaceFirst(with bytes: RawSpan) {
        precondition(bytes.byteCount <= byteCount)
        unsafe withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
    }
}
