/// A file as a store gave it.
package struct Stored: Sendable {
    package let bytes: [UInt8]
    package let revision: Revision
}
