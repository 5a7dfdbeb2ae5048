/// A random name of 32 hexadecimal digits.
///
/// With a fixed temporary name, two publishers could write to the same file.
package func uniqueName() -> String { hexadecimal(randomBytes(16)) }

/// Random bytes from the system's generator, suitable for salts.
package func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
}
