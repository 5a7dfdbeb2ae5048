/// The effort of compressing a package.
package enum CompressionLevel: String, CaseIterable, Sendable {
    case fast
    case `default`
    case max

    /// The level of libdeflate (1 to 12).
    ///
    /// Measured on eight real builds: 7 costs about half of the CPU of `zip -9`, 12 is as small as
    /// `7z -mx=9` at a quarter of its CPU (`Benchmarks/RESULTS.md`).
    package var libdeflate: Int32 {
        switch self {
        case .fast: 4
        case .default: 7
        case .max: 12
        }
    }

    /// The level for large content that compresses well.
    ///
    /// A deeper search pays off there: level 7 alone gives a larger result than `zip -9`, and zip
    /// spends most of its time on such content.
    var deepLibdeflate: Int32 {
        switch self {
        case .fast: 4
        case .default: 8
        case .max: 12
        }
    }

    /// The level of zlib for entries too large to compress in one piece.
    var zlib: Int32 {
        switch self {
        case .fast: 1
        case .default: 8
        case .max: 9
        }
    }

    /// Bits 1 and 2 of the general purpose flags, which record the compression level
    /// (docs/sources.md#appnote, 4.4.4).
    var flagBits: UInt16 {
        switch self {
        case .fast: 0x0004
        case .default: 0x0000
        case .max: 0x0002
        }
    }
}
