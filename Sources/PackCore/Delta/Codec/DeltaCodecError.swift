/// Why a delta stream cannot be decoded.
package enum DeltaCodecError: Error, Equatable, Sendable {
    /// The header is no stream's of this version.
    case invalidHeader
    /// The listing names what does not exist, or does not end where it should.
    case invalidListing
    /// It asks for more memory or output than is allowed.
    case tooLarge
    /// The content does not decode, or does not end where it should.
    case invalidContent
}
