/// A file in a listing.
package struct ListedObject: Sendable {
    package let path: String
    /// Size in bytes.
    package let size: UInt64

    package init(path: String, size: UInt64) {
        self.path = path
        self.size = size
    }
}
