/// The tokenizer of the HTML Standard (docs/sources.md#html-standard, 13.2.5) over the bytes of a
/// page.
///
/// A pull parser: the page is passed to every call, since a span cannot be stored. The standard's
/// states are positions in these functions, not values of a variable, so that the common paths are
/// loops over bytes; each function names its states.
///
/// * Bytes stay bytes: names, values and texts are ranges, and
///   ``CharacterReferences/decode(_:_:as:)`` decodes them on demand. Input that is not UTF-8 passes
///   through unchanged.
/// * The input stream is not preprocessed (13.2.3.5): CR and CR LF count as white space and
///   become LF when a text is decoded, so offsets are those of the file.
/// * Nothing is emitted for an end of file; ``next(in:)`` returns `nil`.
/// * A tree builder decides which state follows a start tag. The caller sets ``state`` and
///   ``allowsCDATA``; ``HTMLReader`` does this.
struct HTMLTokenizer: Sendable {
    enum State: UInt8, Sendable, CaseIterable {
        case data, rcdata, rawtext, scriptData, plaintext, cdataSection
    }

    /// The state in which the next token starts.
    var state: State
    /// Whether `<![CDATA[` opens a section: "the adjusted current node is not an HTML element".
    var allowsCDATA = false
    /// The start of the next token.
    var position: Int
    /// The attributes of the last start or end tag, including duplicates.
    var attributes: [HTMLAttribute] = []
    /// The last doctype.
    var doctype: HTMLDoctype?
    /// The parse errors so far, in the order of the tokens.
    var errors: [HTMLParseError] = []
    /// The number of parse errors beyond the limit.
    var omittedErrors = 0
    /// The last start tag's name, which ends RCDATA, RAWTEXT and script data.
    var lastStartTag = HTMLName()
    /// The number of bytes read and names compared, to test that the work is linear in the page.
    var steps = 0

    /// The end of the page, or of the part to read.
    let end: Int
    let errorLimit: Int
    /// Finds repeated names in tags of many attributes.
    var nameIndex = AttributeNameIndex()
    private var isFinished = false

    /// Starts reading.
    ///
    /// - Parameters:
    ///   - range: The part of the page to read; clamped to the page.
    ///   - state: The initial state.
    ///   - lastStartTag: The tag that ends an initial RCDATA, RAWTEXT or script data state.
    ///   - errorLimit: The largest number of parse errors to keep; 0 skips the work of finding
    ///     them.
    init(
        range: Range<Int>, state: State = .data, lastStartTag: HTMLName? = nil, errorLimit: Int = 0
    ) {
        position = max(range.lowerBound, 0)
        end = max(range.upperBound, 0)
        self.state = state
        self.errorLimit = errorLimit
        if let lastStartTag { self.lastStartTag = lastStartTag }
    }

    /// The next token; `nil` at the end of the page.
    mutating func next(in page: Span<UInt8>) -> HTMLToken? {
        let end = min(end, page.count)
        guard position < end else {
            finish()
            return nil
        }
        let bytes = page.extracting(0..<end)
        let token =
            switch state {
            case .data: data(bytes)
            case .rcdata: rawText(bytes, .rcdata)
            case .rawtext: rawText(bytes, .raw)
            case .scriptData: scriptData(bytes)
            case .plaintext: text(bytes, position..<end, .raw)
            case .cdataSection: cdataSection(bytes, from: position, contentStart: position)
            }
        position = token.range.upperBound
        return token
    }

    private mutating func finish() {
        guard !isFinished else { return }
        isFinished = true
        if state == .cdataSection { report(.eofInCDATA, at: position) }
    }

    // MARK: - Data state

    /// Text up to the next markup, or that markup.
    private mutating func data(_ bytes: Span<UInt8>) -> HTMLToken {
        let start = position
        var next = bytes.position(of: UInt8(ascii: "<"), from: start)
        while next < bytes.count, !opensMarkup(bytes, at: next) {
            next = bytes.position(of: UInt8(ascii: "<"), from: next &+ 1)
        }
        steps &+= next &- start &+ 1
        guard next == start else { return text(bytes, start..<next, .text) }
        return markup(bytes, at: start)
    }

    /// Tag open and end tag open states; `false` if they emit `<` or `</` as characters.
    private mutating func opensMarkup(_ bytes: Span<UInt8>, at lessThan: Int) -> Bool {
        let next = lessThan &+ 1
        guard next < bytes.count else {
            report(.eofBeforeTagName, at: next)
            return false
        }
        switch bytes[next] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
        case UInt8(ascii: "/"):
            guard next &+ 1 < bytes.count else {
                report(.eofBeforeTagName, at: next &+ 1)
                return false
            }
            return true
        case let byte where byte.isASCIILetter: return true
        default:
            report(.invalidFirstCharacterOfTagName, at: next)
            return false
        }
    }

    /// The markup after a `<`: at least one byte follows, two after `</`.
    private mutating func markup(_ bytes: Span<UInt8>, at start: Int) -> HTMLToken {
        switch bytes[start &+ 1] {
        case UInt8(ascii: "!"): return declaration(bytes, at: start)
        case UInt8(ascii: "?"):
            report(.unexpectedQuestionMark, at: start &+ 1)
            return bogusComment(bytes, at: start, contentStart: start &+ 1)
        case UInt8(ascii: "/"):
            let byte = bytes[start &+ 2]
            if byte.isASCIILetter { return tag(bytes, at: start, isEnd: true) }
            if byte == UInt8(ascii: ">") {
                report(.missingEndTagName, at: start &+ 2)
                let range = start..<(start &+ 3)
                return HTMLToken(kind: .discarded, range: range, content: range)
            }
            report(.invalidFirstCharacterOfTagName, at: start &+ 2)
            return bogusComment(bytes, at: start, contentStart: start &+ 2)
        default: return tag(bytes, at: start, isEnd: false)
        }
    }

    // MARK: - Errors

    /// Whether parse errors are to be reported.
    var reports: Bool { errorLimit > 0 }

    @inline(__always)
    mutating func report(_ code: HTMLParseError.Code, at offset: Int) {
        if errorLimit > 0 { record(code, at: offset) }
    }

    private mutating func record(_ code: HTMLParseError.Code, at offset: Int) {
        guard errors.count < errorLimit else {
            omittedErrors &+= 1
            return
        }
        errors.append(HTMLParseError(code: code, offset: offset))
    }

    /// A text token, with the errors of its characters.
    mutating func text(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ decoding: HTMLDecoding
    ) -> HTMLToken {
        if reports { reportCharacters(bytes, range, decoding) }
        return HTMLToken(kind: .text, decoding: decoding, range: range, content: range)
    }

    /// Reports U+0000 and broken character references of a text or an attribute's value.
    mutating func reportCharacters(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ decoding: HTMLDecoding
    ) {
        guard reports else { return }
        if decoding != .cdata { reportNulls(bytes, range) }
        guard decoding.hasReferences else { return }
        var position = range.lowerBound
        while position < range.upperBound {
            guard bytes[position] == UInt8(ascii: "&") else {
                position &+= 1
                continue
            }
            let match = CharacterReferences.match(
                bytes, at: position, end: range.upperBound, inAttribute: decoding == .attribute)
            for problem in match.problems { report(problem, at: match.problemOffset) }
            position = match.end
        }
    }

    mutating func reportNulls(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard reports else { return }
        for position in range where bytes[position] == 0 {
            report(.unexpectedNullCharacter, at: position)
        }
    }
}
