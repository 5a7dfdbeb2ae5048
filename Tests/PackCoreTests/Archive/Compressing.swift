import TestSupport

/// Compresses into an array of `room` bytes, filled with `filler` before.
///
/// - Returns: The returned size, and the whole array afterwards.
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
