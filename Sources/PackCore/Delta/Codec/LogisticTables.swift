/// The fixed tables of the codec, computed with integers only, so that they are equal on all
/// platforms.
///
/// Probabilities have 16 bits; the logistic domain counts 1/256 from −3072 to 3071
/// (`docs/formats.md`, "Arithmetic").
enum LogisticTables {
    /// The largest value of the logistic domain.
    static let limit: Int32 = 3071

    /// e^(−1/256) with 62 fractional bits, rounded to nearest.
    private static let decay: UInt64 = 4_593_706_758_521_714_574

    /// 65536 / (1 + e^(−x/256)) for x from −3072 to 3071, between 1 and 65535.
    static let squash = makeSquash()
    /// The largest x whose squash is at most 16 i + 8, for i from 0 to 4095.
    static let stretch = makeStretch()
    /// The step of a counter at its n-th observation: 65536 / (n + 1.6).
    static let reciprocals = (0..<1024).map { 655_360 / (10 * UInt32($0) + 16) }

    private static func makeSquash() -> [UInt16] {
        var table = [UInt16](repeating: 0, count: 6144)
        // e^(−x/256) for x ≥ 0, with 62 fractional bits.
        var power: UInt64 = 1 << 62
        for x in 0...3072 {
            let value = (UInt64(1) << 48) / ((1 << 32) &+ (power >> 30))
            if x < 3072 { table[3072 + x] = UInt16(min(value, 65535)) }
            if x > 0 { table[3072 - x] = UInt16(max(65536 &- value, 1)) }
            let product = power.multipliedFullWidth(by: decay)
            power = product.high << 2 | product.low >> 62
        }
        return table
    }

    private static func makeStretch() -> [Int16] {
        var table = [Int16](repeating: 0, count: 4096)
        var x = 0
        for i in 0..<4096 {
            while x < 6143, Int(squash[x + 1]) <= 16 * i + 8 { x += 1 }
            table[i] = Int16(x - 3072)
        }
        return table
    }
}
