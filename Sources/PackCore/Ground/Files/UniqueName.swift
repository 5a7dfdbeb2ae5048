/// A name no other run has: 32 random hexadecimal digits.
///
/// A fixed temporary name lets two publishers write into one file.
package func uniqueName() -> String {
    var generator = SystemRandomNumberGenerator()
    return hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
}
