import CArchive
import Dispatch
import PackGround

/// Compresses large content in parallel parts and joins them into one raw deflate stream.
///
/// libdeflate places block boundaries by the bytes nearby. So a part starts some way before its own
/// share, at the end of one of its own blocks, and the part before it continues to that same
/// boundary. The result is within 0.01 % of the size of compressing in one piece. The parts depend
/// only on the content's size, and the output does not depend on the number of jobs.
package struct SplitDeflater {
    /// The level of libdeflate.
    package let level: Int32
    /// The number of parts to compress at a time.
    package let jobs: Int

    package init(level: Int32, jobs: Int) {
        self.level = level
        self.jobs = jobs
    }

    /// Content of at least twice this size is split.
    package static let partSize = 3 << 20
    /// The least distance from a part's start to its share.
    ///
    /// It is deflate's window, so that the part's output can refer back as far as deflate allows.
    private static let lead = 32 << 10
    /// The number of bytes to compress to find the end of a block.
    ///
    /// Most blocks end within the first value. No block of libdeflate is longer than 300,000 bytes,
    /// and at least the minimum length of a block must follow it.
    private static let previews = [160 << 10, 384 << 10]

    /// The number of parts for content of `count` bytes.
    package static func parts(of count: Int) -> Int { max(1, count / partSize) }

    /// A part: its input, and the bytes of it that the stream uses.
    private struct Part {
        var input: Range<Int>
        var share: Range<Int>
        /// The first used bit, the first bit of the last block's header, and the bit after the last
        /// one.
        var first = 0
        var last = 0
        var end = 0
    }

    /// Compresses content as a raw deflate stream (docs/sources.md#rfc1951).
    ///
    /// - Returns: The number of bytes written, or `nil` if the parts do not fit or cannot be
    ///   joined, for example if some of the content does not shrink. Compress it in one piece then.
    package func compress(_ input: RawSpan, into output: inout MutableRawSpan) -> Int? {
        unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe compress(Memory(input: input, output: output))
            }
        }
    }

    private func compress(_ memory: Memory) -> Int? {
        let (inputCount, outputCount) = unsafe (memory.input.count, memory.output.count)
        let count = Self.parts(of: inputCount)
        let starts = (0..<count).map { inputCount / count * $0 }
        let joints = perform(count) { index in
            guard index > 0 else { return 0 }
            for preview in Self.previews {
                if let place = try? unsafe joint(memory, behind: starts[index], within: preview) {
                    return place
                }
            }
            return nil
        }
        var planned: [Part] = []
        for index in 0..<count {
            guard let from = joints[index],
                let to = index + 1 < count ? joints[index + 1] : inputCount,
                from < to, from < outputCount
            else { return nil }
            planned.append(Part(input: starts[index]..<to, share: from..<to))
        }
        let parts = perform(count) { [planned] index in
            try? unsafe compress(planned[index], memory)
        }.compactMap(\.self)
        guard parts.count == count else { return nil }
        return unsafe join(parts, memory.output)
    }

    /// Memory shared by all parts; every part gets its own range as a checked span.
    @unsafe private struct Memory: @unchecked Sendable {
        let input: UnsafeRawBufferPointer
        let output: UnsafeMutableRawBufferPointer
    }

    /// Runs a number of tasks, at most `jobs` at a time.
    private func perform<Result: Sendable>(
        _ count: Int, _ body: @Sendable (Int) -> Result?
    ) -> [Result?] {
        let results = Locked([Result?](repeating: nil, count: count))
        for first in stride(from: 0, to: count, by: max(1, jobs)) {
            DispatchQueue.concurrentPerform(iterations: min(max(1, jobs), count - first)) {
                let index = first + $0
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0 }
    }

    /// The end of the first block that ends at least one window after a position.
    ///
    /// - Parameter preview: The number of bytes from that position to compress.
    private func joint(
        _ memory: Memory, behind start: Int, within preview: Int
    ) throws(Failure) -> Int? {
        let input = unsafe RawSpan(_unsafeBytes: memory.input)
        let piece = input.extracting(start..<min(input.byteCount, start + preview))
        let buffer = ByteBuffer(count: preview + 4096)
        let deflater = try Deflater(level: level)
        guard let size = buffer.withMutableBytes({ deflater.compress(piece, into: &$0) })
        else { return nil }
        let blocks = try buffer.withBytes(first: size) { stream throws(Failure) in
            try DeflateBlocks(stream).blocks
        }
        return blocks.first { $0.content >= Self.lead }.map { start + $0.content }
    }

    /// Compresses a part into its range of the output, and finds the used bits.
    ///
    /// - Returns: `nil` if it does not fit, or cannot be joined to the previous part.
    private func compress(_ part: Part, _ memory: Memory) throws(Failure) -> Part? {
        let piece = unsafe RawSpan(_unsafeBytes: memory.input).extracting(part.input)
        var part = part
        var output = unsafe MutableRawSpan(_unsafeBytes: memory.output)
        let share = part.share.clamped(to: 0..<output.byteCount)
        var place = output._mutatingExtracting(share)
        let deflater = try Deflater(level: level)
        guard let size = deflater.compress(piece, into: &place) else { return nil }
        let read = try DeflateBlocks(place.bytes.extracting(..<size))
        let taken = part.share.lowerBound - part.input.lowerBound
        guard let end = read.end, let last = read.blocks.last,
            let first = read.blocks.first(where: { $0.content == taken })
        else { return nil }
        let isMoved = part.share.lowerBound > 0
        if isMoved, read.blocks.contains(where: { $0.isStored && $0.bit >= first.bit }) {
            return nil
        }
        part.first = first.bit
        part.last = last.bit
        part.end = end
        return part
    }

    /// Joins the parts in the output; changes nothing if that is not possible.
    ///
    /// - Returns: The size of the stream in bytes.
    private func join(_ parts: [Part], _ output: UnsafeMutableRawBufferPointer) -> Int? {
        var end = 0
        for part in parts {
            guard end <= part.share.lowerBound * 8 + part.first else { return nil }
            end += part.end - part.first
        }
        end = 0
        for (index, part) in parts.enumerated() {
            let from = part.share.lowerBound * 8 + part.first
            let length = part.end - part.first
            if from != end { unsafe Self.moveBits(output, from: from, length, to: end) }
            let last = end + part.last - part.first
            if index + 1 < parts.count {
                precondition(last / 8 < output.count)
                unsafe output[last / 8] &= ~(1 << UInt8(last % 8))
            }
            end += length
        }
        return (end + 7) / 8
    }

    /// Moves bits towards the start; bits after the last one in its byte become 0.
    package static func moveBits(
        _ bytes: UnsafeMutableRawBufferPointer, from source: Int, _ length: Int, to target: Int
    ) {
        guard length > 0 else { return }
        // The subscripts below are unchecked in release builds; all numbers are derived from our
        // own streams.
        precondition(target >= 0 && target <= source && length <= bytes.count * 8 - source)
        var filled = target % 8
        var bits = unsafe UInt32(bytes[target / 8]) & (1 << UInt32(filled) - 1)
        var place = target / 8
        var rest = length
        var next = source / 8
        var skipped = source % 8
        while rest > 0 {
            let count = min(8 - skipped, rest)
            let taken = unsafe UInt32(bytes[next] >> UInt8(skipped)) & (1 << UInt32(count) - 1)
            bits |= taken << UInt32(filled)
            filled += count
            rest -= count
            next += 1
            skipped = 0
            if filled >= 8 {
                unsafe bytes[place] = UInt8(truncatingIfNeeded: bits)
                bits >>= 8
                filled -= 8
                place += 1
            }
        }
        if filled > 0 { unsafe bytes[place] = UInt8(truncatingIfNeeded: bits) }
    }
}
