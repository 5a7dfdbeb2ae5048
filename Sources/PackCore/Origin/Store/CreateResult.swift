/// What became of an upload.
package enum CreateResult: Equatable, Sendable {
    case made
    /// The same content was there.
    case present
    /// Other content was there, but nothing could refer to it.
    case replaced
}
