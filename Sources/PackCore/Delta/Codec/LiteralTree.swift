/// The binary tree by which literal bytes are coded.
///
/// Its leaves are in the order of the bytes. In scripts, a byte takes 6.2 decisions on average
/// instead of eight.
@safe struct LiteralTree: ~Copyable {
    /// The depth of each byte's leaf, in hexadecimal.
    private static let depths = """
        aaaaabbbba7bbbbbbbbbbbcccccccccc77789988567756677666666666788688\
        99888889989988888887899999978997766664677677665677555678888777bb\
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\
        bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbcccc
        """

    /// The children of each inner node by bit: an inner node, or 256 and a byte.
    private let children: UnsafeMutablePointer<UInt16>
    /// The decisions of each byte, the first one highest.
    private let paths: UnsafeMutablePointer<UInt16>
    /// The number of decisions of each byte.
    private let lengths: UnsafeMutablePointer<UInt8>

    /// The number of inner nodes; the root is 0.
    static var nodes: Int { 255 }

    init() {
        unsafe children = .allocate(capacity: 2 * Self.nodes)
        unsafe children.initialize(repeating: 0, count: 2 * Self.nodes)
        unsafe paths = .allocate(capacity: 256)
        unsafe lengths = .allocate(capacity: 256)
        var count = 1
        var path: UInt32 = 0
        for (byte, digit) in Self.depths.utf8.enumerated() {
            let depth = Int(digit < 0x3A ? digit &- 0x30 : digit &- 0x57)
            let code = path >> (16 - UInt32(depth))
            var node = 0
            for step in 1..<depth {
                let edge = node << 1 | Int(code >> UInt32(depth - step) & 1)
                if unsafe children[edge] == 0 {
                    unsafe children[edge] = UInt16(count)
                    count += 1
                }
                node = unsafe Int(children[edge])
            }
            unsafe children[node << 1 | Int(code & 1)] = UInt16(256 | byte)
            unsafe (paths + byte).initialize(to: UInt16(truncatingIfNeeded: path))
            unsafe (lengths + byte).initialize(to: UInt8(depth))
            path += 1 << (16 - UInt32(depth))
        }
        assert(path == 65536 && count == Self.nodes)
    }

    deinit {
        unsafe children.deallocate()
        unsafe paths.deallocate()
        unsafe lengths.deallocate()
    }

    /// The child of an inner node: an inner node, or 256 and a byte.
    @inline(__always)
    func child(_ node: Int, _ bit: UInt32) -> Int {
        unsafe Int(children[node << 1 | Int(bit)])
    }

    /// The decisions of a byte in 16 bits, the first one highest.
    @inline(__always)
    func path(_ byte: UInt8) -> UInt32 { unsafe UInt32(paths[Int(byte)]) }

    /// The number of decisions of a byte.
    @inline(__always)
    func length(_ byte: UInt8) -> Int { unsafe Int(lengths[Int(byte)]) }
}
