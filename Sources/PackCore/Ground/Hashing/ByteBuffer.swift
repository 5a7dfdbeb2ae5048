/// A fixed block of memory through which one task reads files.
///
/// It is accessed only through spans, which are checked in release builds as well.
@safe package final class ByteBuffer {
    private let storage: UnsafeMutableRawBufferPointer

    package init(count: Int) {
        unsafe storage = .allocate(byteCount: count, alignment: 64)
    }

    deinit { unsafe storage.deallocate() }

    package var count: Int { unsafe storage.count }

    /// Passes the first `count` bytes to `body`.
    package func withBytes<Result, Failure: Error>(
        first count: Int, _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let all = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(storage))
        return try body(all.extracting(..<count))
    }

    /// Passes the whole memory to `body` to be filled.
    package func withMutableBytes<Result, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var all = unsafe MutableRawSpan(_unsafeBytes: storage)
        return try body(&all)
    }

    /// Reads the next piece of a file.
    ///
    /// - Returns: The number of bytes read; 0 at the end of the file.
    package func read(
        _ file: borrowing OwnedDescriptor, atMost limit: UInt64 = .max
    ) throws(FileSystemError) -> Int {
        let room = min(count, Int(clamping: limit))
        return try withMutableBytes { all throws(FileSystemError) in
            var part = all._mutatingExtracting(..<room)
            return try file.read(into: &part)
        }
    }

    /// Large enough to read a file in few calls, small enough for the processor's cache.
    package static func forReading() -> ByteBuffer { ByteBuffer(count: 256 * 1024) }
}

extension MutableRawSpan {
    /// Overwrites the first bytes with others, which must fit.
    package mutating func replaceFirst(with bytes: RawSpan) {
        precondition(bytes.byteCount <= byteCount)
        unsafe withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
    }
}
