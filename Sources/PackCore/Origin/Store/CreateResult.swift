/// The result of an upload.
package enum CreateResult: Equatable, Sendable {
    case made
    /// The file already existed with the same content.
    case present
    /// The file had other content, but no references.
    case replaced
}
