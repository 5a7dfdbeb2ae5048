/// A file read from a store.
package struct StoredObject: Sendable {
    package let bytes: [UInt8]
    package let revision: Revision
    /// The answer to keep for ``OriginStore/read(_:limit:confirming:)``, if its server gave a tag.
    package let answer: HTTPAnswer?
    /// Whether the server confirmed an earlier answer instead of sending the file.
    package let isConfirmed: Bool

    package init(
        bytes: [UInt8], revision: Revision, answer: HTTPAnswer? = nil, isConfirmed: Bool = false
    ) {
        self.bytes = bytes
        self.revision = revision
        self.answer = answer
        self.isConfirmed = isConfirmed
    }
}
