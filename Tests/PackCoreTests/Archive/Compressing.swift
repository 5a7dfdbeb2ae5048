import TestSupport

/// Compresses into an array of at most `room` bytes, which are `filler` before.
///
/// - Returns: the size that was said, and the whole room as it is afterwards.
func compress(
    _ content: [UInt8], room: Int, filler: UInt8 = 0,
    _ body: (RawSpan, inout MutableRawSpan) throws -> Int?
) rethrows -> (size: Int?, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: filler, count: room)
    var span = bytes.mutableSpan
    var output = span.mutableBytes
    let size = try body(content.span.bytes, &output)
    return (size, bytes)
}
