/// Why a delta stream cannot be encoded or decoded.
public enum DeltaCodecError: Error, Equatable, Sendable {
    /// The header is not that of a stream of this version.
    case invalidHeader
    /// The listing names what does not exist, or does not end where it should.
    case invalidListing
    /// The stream needs more memory, or makes more, than the limits allow.
    case tooLarge
    /// The streams together take longer to decode than the limits allow.
    case tooMuchWork
    /// The content does not decode, does not end where it should, or has another size than its listing says.
    case invalidContent
}
