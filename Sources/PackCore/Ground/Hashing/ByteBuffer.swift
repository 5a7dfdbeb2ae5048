/// A fixed block of memory that one task uses to read files.
///
/// It is accessed only through spans, which are also bounds-checked in release builds.
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

    /// Passes the whole memory to `body`, which fills it.
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
    ) throws(Failure) -> Int {
        let room = min(count, Int(clamping: limit))
        return try withMutableBytes { all throws(Failure) in
            var part = all._mutatingExtracting(..<room)
            return try file.read(into: &part)
        }
    }

    /// Large enough to read a file in few calls, small enough for the processor's cache.
    package static func forReading() -> ByteBuffer { ByteBuffer(count: 256 * 1024) }
}

extension MutableRawSpan {
    /// Overwrites the first bytes with other bytes, which must fit.
    package mutating func replaceFirst(with bytes: RawSpan) {
        precondition(bytes.byteCount <= byteCount)
        unsafe withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
        }
    }
}
