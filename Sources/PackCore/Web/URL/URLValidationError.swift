/// A deviation from a valid URL string that the parser met, and where.
///
/// URL standard, "validation errors": one of them does not mean that parsing fails.
struct URLValidationError: Hashable, Sendable {
    /// What is wrong; the raw value of the standard's own kinds is its name for them.
    enum Kind: String, CaseIterable, Sendable {
        case domainToASCII = "domain-to-ASCII"
        case domainPercentEncoded = "domain-percent-encoded"
        case hostInvalidCodePoint = "host-invalid-code-point"
        case ipv4EmptyPart = "IPv4-empty-part"
        case ipv4TooFewParts = "IPv4-too-few-parts"
        case ipv4TooManyParts = "IPv4-too-many-parts"
        case ipv4NonNumericPart = "IPv4-non-numeric-part"
        case ipv4NonDecimalPart = "IPv4-non-decimal-part"
        case ipv4OutOfRangePart = "IPv4-out-of-range-part"
        case ipv6Unclosed = "IPv6-unclosed"
        case ipv6InvalidCompression = "IPv6-invalid-compression"
        case ipv6TooManyPieces = "IPv6-too-many-pieces"
        case ipv6MultipleCompression = "IPv6-multiple-compression"
        case ipv6InvalidCodePoint = "IPv6-invalid-code-point"
        case ipv6TooFewPieces = "IPv6-too-few-pieces"
        case ipv6PieceLeadingZero = "IPv6-piece-leading-zero"
        case ipv4InIPv6TooManyPieces = "IPv4-in-IPv6-too-many-pieces"
        case ipv4InIPv6InvalidCodePoint = "IPv4-in-IPv6-invalid-code-point"
        case ipv4InIPv6OutOfRangePart = "IPv4-in-IPv6-out-of-range-part"
        case ipv4InIPv6TooFewParts = "IPv4-in-IPv6-too-few-parts"
        case invalidURLUnit = "invalid-URL-unit"
        case specialSchemeMissingFollowingSolidus = "special-scheme-missing-following-solidus"
        case missingSchemeNonRelativeURL = "missing-scheme-non-relative-URL"
        case invalidReverseSolidus = "invalid-reverse-solidus"
        case invalidCredentials = "invalid-credentials"
        case hostMissing = "host-missing"
        case portOutOfRange = "port-out-of-range"
        case portInvalid = "port-invalid"
        case fileInvalidWindowsDriveLetter = "file-invalid-Windows-drive-letter"
        case fileInvalidWindowsDriveLetterHost = "file-invalid-Windows-drive-letter-host"

        // The kinds of the standard's invalid-URL-unit.
        case surroundingSpace = "surrounding-space"
        case tabOrNewline = "tab-or-newline"
        case invalidPercentSequence = "invalid-percent-sequence"
        case notUTF8 = "not-UTF-8"

        // Not errors by the standard, but relevant where URLs are compared as text.
        case upperCaseScheme = "upper-case-scheme"
        case upperCaseHost = "upper-case-host"
        case defaultPort = "default-port"
    }

    let kind: Kind
    /// The byte of the input, as it was given, that the error starts at; the input's length where
    /// something is missing at its end.
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}
