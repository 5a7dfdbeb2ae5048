/// One scalar of a text that should be UTF-8, or the bytes that one U+FFFD replaces.
///
/// Encoding standard, UTF-8 decoder: an error spans the longest prefix of a valid sequence, so the
/// number of replacement characters is the browser's.
struct UTF8Sequence {
    /// `nil` if the bytes are not UTF-8.
    let scalar: Unicode.Scalar?
    /// The number of bytes, 1 to 4.
    let length: Int

    /// Reads at `index`, which must be inside `bytes`.
    init(in bytes: ArraySlice<UInt8>, at index: Int) {
        let lead = bytes[index]
        if lead < 0x80 {
            self.init(scalar: Unicode.Scalar(lead), length: 1)
            return
        }
        // The range of the second byte excludes overlong forms, surrogates and values above
        // U+10FFFF.
        let (needed, lower, upper): (Int, UInt8, UInt8)
        switch lead {
        case 0xC2...0xDF: (needed, lower, upper) = (1, 0x80, 0xBF)
        case 0xE0: (needed, lower, upper) = (2, 0xA0, 0xBF)
        case 0xED: (needed, lower, upper) = (2, 0x80, 0x9F)
        case 0xE1...0xEF: (needed, lower, upper) = (2, 0x80, 0xBF)
        case 0xF0: (needed, lower, upper) = (3, 0x90, 0xBF)
        case 0xF1...0xF3: (needed, lower, upper) = (3, 0x80, 0xBF)
        case 0xF4: (needed, lower, upper) = (3, 0x80, 0x8F)
        default:
            self.init(scalar: nil, length: 1)
            return
        }
        var value = UInt32(lead) & (0x3F >> UInt32(needed))
        for step in 1...needed {
            let next = index + step
            guard next < bytes.endIndex,
                (step == 1 ? lower...upper : 0x80...0xBF).contains(bytes[next])
            else {
                self.init(scalar: nil, length: step)
                return
            }
            value = value << 6 | UInt32(bytes[next] & 0x3F)
        }
        self.init(scalar: Unicode.Scalar(value), length: needed + 1)
    }

    private init(scalar: Unicode.Scalar?, length: Int) {
        self.scalar = scalar
        self.length = length
    }
}
