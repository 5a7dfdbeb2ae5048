/// A file read from a store.
package struct StoredObject: Sendable {
    package let bytes: [UInt8]
    package let revision: Revision

    package init(bytes: [UInt8], revision: Revision) {
        self.bytes = bytes
        self.revision = revision
    }
}
