/// A text of another encoding as UTF-8, with a mapping to the bytes of the file.
package struct TranscodedText: Equatable, Sendable, MappedText {
    /// In UTF-8.
    package let bytes: [UInt8]
    /// The name from the Encoding standard, in lower case.
    package let encoding: String
    /// The size of the source in bytes.
    private let sourceCount: Int
    /// Characters that are not one byte in both texts, in order.
    ///
    /// For each: its offset here, its offset in the source, and its length in the source.
    private var starts: [UInt32] = []
    private var sources: [UInt32] = []
    private var lengths: [UInt8] = []

    /// Decodes a text as browsers do; invalid bytes become U+FFFD.
    ///
    /// - Returns: `nil` for UTF-8, for unsupported encodings (``canDecode(_:)``), and for a text
    ///   whose UTF-8 form has the same bytes.
    package init?(_ source: [UInt8], encoding: String) {
        guard encoding != "utf-8", source.count < Int(UInt32.max) / 4,
            let decoder = LegacyDecoder(encoding),
            !decoder.isASCIICompatible || source.contains(where: { $0 >= 0x80 })
        else { return nil }
        self.encoding = encoding
        sourceCount = source.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count + source.count / 2)
        let span = source.span
        var position = 0
        while position < span.count {
            if decoder.isASCIICompatible, span[position] < 0x80 {
                bytes.append(span[position])
                position += 1
                continue
            }
            let step = decoder.step(span, at: position)
            starts.append(UInt32(bytes.count))
            sources.append(UInt32(position))
            lengths.append(UInt8(min(step.length, 255)))
            position += step.length
            bytes.append(scalar: step.scalar)
            guard let second = step.second else { continue }
            starts.append(UInt32(bytes.count))
            sources.append(UInt32(position))
            lengths.append(0)
            bytes.append(scalar: second)
        }
        self.bytes = bytes
    }

    /// Whether an encoding is supported, or is UTF-8.
    package static func canDecode(_ encoding: String) -> Bool {
        encoding == "utf-8" || LegacyDecoder(encoding) != nil
    }

    // MARK: - Back to the source

    package func sourceOffset(of offset: Int, up: Bool) -> Int {
        // The last one that starts before the offset.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if Int(starts[middle]) < offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return min(offset, sourceCount) }
        let start = Int(starts[low - 1])
        let source = Int(sources[low - 1])
        let end = start + UTF8Length.of(lead: bytes[start])
        if offset < end, !up { return source }
        return min(source + Int(lengths[low - 1]) + max(0, offset - end), sourceCount)
    }

    /// Encodes a text in the encoding of the source; `nil` unless it is ASCII.
    package func encoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        switch encoding {
        case "utf-16le": return text.flatMap { [$0, 0] }
        case "utf-16be": return text.flatMap { [0, $0] }
        default: return text
        }
    }
}

private enum UTF8Length {
    static func of(lead: UInt8) -> Int {
        switch lead {
        case 0..<0x80: 1
        case 0..<0xE0: 2
        case 0..<0xF0: 3
        default: 4
        }
    }
}
