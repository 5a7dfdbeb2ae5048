/// What kind of character a byte is in the languages of the web.
enum ByteClass {
    /// Letters, digits, `_`, `$` and every byte beyond ASCII: what tokens are made of.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A)
            || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F || byte == 0x24 || byte >= 0x80
    }

    /// Fifteen classes, 0 to 14.
    static func of(_ byte: UInt8) -> UInt8 {
        switch byte {
        case 0x61...0x7A: 0
        case 0x41...0x5A: 1
        case 0x30...0x39: 2
        case 0x5F, 0x24: 3
        case 0..<0x20: 4
        case 0x80...: 5
        case 0x22, 0x27, 0x60: 6
        case 0x2E: 7
        case 0x2C: 8
        case 0x28, 0x29: 9
        case 0x7B, 0x7D: 10
        case 0x20: 11
        case 0x3D, 0x3A: 12
        case 0x2D, 0x2F: 13
        default: 14
        }
    }
}

/// The byte classes as tables.
@safe struct ByteTables: ~Copyable {
    private let tokens: UnsafeMutablePointer<Bool>
    private let classes: UnsafeMutablePointer<UInt8>

    init() {
        unsafe tokens = .allocate(capacity: 256)
        unsafe classes = .allocate(capacity: 256)
        for byte in UInt8.min...UInt8.max {
            unsafe (tokens + Int(byte)).initialize(to: ByteClass.isTokenByte(byte))
            unsafe (classes + Int(byte)).initialize(to: ByteClass.of(byte))
        }
    }

    deinit {
        unsafe tokens.deallocate()
        unsafe classes.deallocate()
    }

    @inline(__always)
    func isToken(_ byte: UInt8) -> Bool { unsafe tokens[Int(byte)] }

    @inline(__always)
    func kind(_ byte: UInt8) -> UInt32 { unsafe UInt32(classes[Int(byte)]) }
}
