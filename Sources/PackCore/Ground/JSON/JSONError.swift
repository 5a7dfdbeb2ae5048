/// The reason why a JSON text was rejected, and the byte offset.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Reason: Equatable, Sendable {
        case unexpectedEnd, unexpectedByte, trailingBytes, tooDeep, invalidUTF8, byteOrderMark
        case duplicateName(String)
        case numberTooLarge, invalidEscape, controlInString
        case tooManyMembers, elementTooLarge
    }

    package let reason: Reason
    /// Offset in bytes from the start of the text.
    package let offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String {
        let what =
            switch reason {
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte: "not valid JSON"
            case .trailingBytes: "the value is followed by other bytes"
            case .tooDeep: "values are nested deeper than \(JSONParser.deepest)"
            case .invalidUTF8: "the text is not UTF-8"
            case .byteOrderMark: "the text starts with a byte order mark"
            case .duplicateName(let name):
                "the key \"\(printable(name.utf8))\" appears twice in one object"
            case .numberTooLarge: "a number is larger than 2^53 - 1"
            case .invalidEscape: "a string contains an invalid escape"
            case .controlInString: "a string contains a raw control character"
            case .tooManyMembers: "an object or list has too many members"
            case .elementTooLarge: "a value is larger than \(JSONParser.largestElement >> 10) KiB"
            }
        return "\(what) (byte \(offset))"
    }
}
