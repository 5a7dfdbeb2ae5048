/// A file in a listing.
package struct ListedObject: Sendable {
    package let place: String
    /// Size in bytes.
    package let size: UInt64

    package init(place: String, size: UInt64) {
        self.place = place
        self.size = size
    }
}
