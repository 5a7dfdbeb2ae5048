/// The work of making the new files of a delta, in bytes of output.
///
/// A decoder knows it from the headers of the streams (``DeltaDecoder/work``), an encoder from
/// each finished stream (``DeltaEncoder/Stream/work``). Together, the three counts are the size of
/// the output, without the old files that are copied as a whole.
public struct DeltaWork: Hashable, Sendable {
    /// The bytes coded one by one by the aligned coder, about 2,000 instructions each.
    public var coded: Int
    /// The bytes copied by the aligned coder from the text before them, about 17 instructions each.
    public var copied: Int
    /// The bytes made by the fallback, about 50 instructions each.
    public var unpacked: Int

    /// Combines the three counts.
    public init(coded: Int = 0, copied: Int = 0, unpacked: Int = 0) {
        self.coded = coded
        self.copied = copied
        self.unpacked = unpacked
    }

    /// The work of two streams or deltas together.
    public static func + (one: Self, other: Self) -> Self {
        Self(
            coded: one.coded.addingSaturated(other.coded),
            copied: one.copied.addingSaturated(other.copied),
            unpacked: one.unpacked.addingSaturated(other.unpacked))
    }
}
