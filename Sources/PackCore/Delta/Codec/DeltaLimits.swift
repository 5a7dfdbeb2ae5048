/// The resources a delta may use; exceeding them is an error before anything is allocated or done.
public struct DeltaLimits: Sendable {
    /// The number of files of all streams together.
    public var files = 200_000
    /// The number of pieces of old files in the dictionaries of all streams together.
    public var segments = 400_000
    /// The number of bytes of one new path.
    public var pathLength = 1024
    /// The number of bytes of a stream's dictionary.
    public var dictionary = 1 << 28
    /// The number of output bytes of one stream.
    public var output = 1 << 25
    /// The number of bytes of memory of one stream, without the dictionary and the fields of source maps.
    public var memory = 64 << 20
    /// The number of bytes that all streams together code one by one, each of which takes 0.7 to 2.5 µs.
    public var codedBytes = 8_000_000
    /// The number of bytes of memory for applying a delta in total.
    ///
    /// A client skips a delta that declares more.
    public var totalMemory = 512 << 20

    /// The limits of the reference client.
    ///
    /// 200,000 files, 400,000 pieces, paths of 1,024 bytes, dictionaries of 256 MiB, 32 MiB of
    /// output and 64 MiB of memory per stream, 8,000,000 bytes coded one by one, 512 MiB of memory
    /// in total.
    public init() {}
}
