/// A file as a store gave it.
package struct StoredObject: Sendable {
    package let bytes: [UInt8]
    package let revision: Revision

    package init(bytes: [UInt8], revision: Revision) {
        self.bytes = bytes
        self.revision = revision
    }
}
