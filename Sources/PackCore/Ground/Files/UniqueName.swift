/// A random name of 32 hexadecimal digits.
///
/// With a fixed temporary name two publishers could write into one file.
package func uniqueName() -> String {
    var generator = SystemRandomNumberGenerator()
    return hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
}
