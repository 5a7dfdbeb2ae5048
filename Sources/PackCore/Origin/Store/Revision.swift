/// A state of a file in a store: equal as long as nobody has replaced the file.
package struct Revision: Equatable, Sendable {
    /// Each kind of store has its own; two kinds never compare equal.
    enum Value: Equatable, Sendable {
        case file(FileStatus)
        case number(UInt64)
    }

    let value: Value

    init(_ value: Value) { self.value = value }
}
