/// The reason why a delta stream cannot be encoded or decoded.
public enum DeltaCodecError: Error, Equatable, Sendable {
    /// The header is not that of a stream of this version.
    case invalidHeader
    /// The listing refers to missing files or pieces, or ends at the wrong position.
    case invalidListing
    /// The stream needs more memory, or produces more output, than the limits allow.
    case tooLarge
    /// The streams together take longer to decode than the limits allow.
    case tooMuchWork
    /// The content does not decode, ends at the wrong position, or differs in size from its
    /// listing.
    case invalidContent
}
