import CArchive
import Dispatch
import Synchronization

/// Compresses large content in parts, several at a time, and joins them into one raw deflate stream.
///
/// libdeflate decides by the bytes nearby where a block ends. So a part begins some way before the place
/// where it takes over, which is where one of its own blocks ends, and the part before goes on to that
/// very place: what is joined is within a hundredth of a percent of what one piece would take. Where the
/// parts are depends on the content's size alone, and what comes out not on how many work on them.
struct SplitDeflater {
    /// Level of libdeflate.
    let level: Int32
    /// How many parts may be worked on at a time.
    let jobs: Int

    /// Content from two times this size on is split.
    static let partSize = 3 << 20
    /// How far behind its start a part takes over at the earliest: the window of deflate, so that what it
    /// says from there on may refer as far back as ever.
    private static let lead = 32 << 10
    /// How much is compressed to see where a block ends.
    ///
    /// Most end within the first; no block of libdeflate is longer than 300,000 bytes, and more than the
    /// least length of one has to follow.
    private static let previews = [160 << 10, 384 << 10]

    static func parts(of count: Int) -> Int { max(1, count / partSize) }

    /// A part: what is compressed, and which bytes of that the stream takes from it.
    private struct Part {
        var input: Range<Int>
        var share: Range<Int>
        /// The first bit that is taken, that of the last block's header, and that behind the last one.
        var first = 0
        var last = 0
        var end = 0
    }

    /// Compresses content as a raw deflate stream (RFC 1951).
    ///
    /// - Returns: the number of bytes written, or `nil` where the parts do not fit or cannot be joined,
    ///   as where some of it does not shrink: compress it in one piece then.
    func compress(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        let count = Self.parts(of: input.count)
        let starts = (0..<count).map { input.count / count * $0 }
        let memory = unsafe Memory(input: input, output: output)
        let joints = perform(count) { index in
            guard index > 0 else { return 0 }
            for preview in Self.previews {
                if let place = try? unsafe joint(
                    memory.input, behind: starts[index], within: preview)
                {
                    return place
                }
            }
            return nil
        }
        var planned: [Part] = []
        for index in 0..<count {
            guard let from = joints[index],
                let to = index + 1 < count ? joints[index + 1] : input.count,
                from < to, from < output.count
            else { return nil }
            planned.append(Part(input: starts[index]..<to, share: from..<to))
        }
        let parts = perform(count) { [planned] index in
            try? unsafe compress(planned[index], memory)
        }.compactMap(\.self)
        guard parts.count == count else { return nil }
        return unsafe join(parts, output)
    }

    /// What all parts read and write, each in places of its own.
    @unsafe private struct Memory: @unchecked Sendable {
        let input: UnsafeRawBufferPointer
        let output: UnsafeMutableRawBufferPointer
    }

    /// Does a number of things, as many at a time as there are jobs.
    private func perform<Result: Sendable>(
        _ count: Int, _ body: @Sendable (Int) -> Result?
    ) -> [Result?] {
        let results = Mutex([Result?](repeating: nil, count: count))
        for first in stride(from: 0, to: count, by: max(1, jobs)) {
            DispatchQueue.concurrentPerform(iterations: min(max(1, jobs), count - first)) {
                let index = first + $0
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
        return results.withLock { $0 }
    }

    /// Where the first block ends that ends at least the window behind a place.
    ///
    /// - Parameter preview: how many bytes from that place on are compressed to see it.
    private func joint(
        _ input: UnsafeRawBufferPointer, behind start: Int, within preview: Int
    ) throws(CompressorError) -> Int? {
        let piece = unsafe UnsafeRawBufferPointer(
            rebasing: input[start..<min(input.count, start + preview)])
        let buffer = ByteBuffer(count: preview + 4096)
        guard let size = try unsafe Deflater(level: level).compress(piece, into: buffer.bytes)
        else { return nil }
        let stream = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<size])
        let blocks = try unsafe DeflateBlocks(stream).blocks
        return blocks.first { $0.content >= Self.lead }.map { start + $0.content }
    }

    /// Compresses a part into the place of its share, and finds what of it is taken.
    ///
    /// - Returns: `nil` where it does not fit there, or cannot be joined to the part before.
    private func compress(_ part: Part, _ memory: Memory) throws(CompressorError) -> Part? {
        let (input, output) = unsafe (memory.input, memory.output)
        var part = part
        let place = unsafe UnsafeMutableRawBufferPointer(
            rebasing: output[part.share.lowerBound..<min(part.share.upperBound, output.count)])
        let piece = unsafe UnsafeRawBufferPointer(rebasing: input[part.input])
        guard let size = try unsafe Deflater(level: level).compress(piece, into: place) else {
            return nil
        }
        let stream = unsafe UnsafeRawBufferPointer(rebasing: place[..<size])
        let read = try unsafe DeflateBlocks(stream)
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

    /// Moves the parts together; nothing is changed where that is not possible.
    ///
    /// - Returns: the size of the stream in bytes.
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
                unsafe output[last / 8] &= ~(1 << UInt8(last % 8))
            }
            end += length
        }
        return (end + 7) / 8
    }

    /// Moves bits towards the start; those behind the last one in its byte become 0.
    static func moveBits(
        _ bytes: UnsafeMutableRawBufferPointer, from source: Int, _ length: Int, to target: Int
    ) {
        guard length > 0 else { return }
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
