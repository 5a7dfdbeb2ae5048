import CArchive

/// Owns libyaml's parser and the text that it reads.
@safe
struct YAMLParser: ~Copyable {
    /// The events that a document consists of; those of streams and documents are ``other``.
    enum Event {
        case scalar(String, isText: Bool, anchor: String?)
        case alias(String)
        case sequenceStart(anchor: String?)
        case sequenceEnd
        case mappingStart(anchor: String?)
        case mappingEnd
        case documentStart
        case streamEnd
        case other
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) throws(YAMLError) {
        unsafe parser = .allocate(capacity: 1)
        unsafe self.text = .allocate(capacity: text.utf8.count)
        _ = unsafe self.text.initialize(from: text.utf8)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            throw YAMLError(reason: "not enough memory", line: nil)
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// The next event and its line, 1-based.
    mutating func next() throws(YAMLError) -> (event: Event, line: Int) {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error }
        defer { unsafe yaml_event_delete(&event) }
        return (unsafe Self.value(of: event), unsafe Int(clamping: event.start_mark.line) + 1)
    }

    private static func value(of event: yaml_event_t) -> Event {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            // A tag wins over the quotes: '!!str yes' is text, '!!bool "yes"' is not.
            let tag = unsafe string(scalar.tag)
            let isText =
                unsafe tag.map { $0 == "!" || $0 == YAML_STR_TAG }
                ?? (scalar.style != YAML_PLAIN_SCALAR_STYLE)
            return unsafe .scalar(
                String(decoding: bytes, as: UTF8.self), isText: isText,
                anchor: string(scalar.anchor))
        case YAML_ALIAS_EVENT: return unsafe .alias(string(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_START_EVENT:
            return unsafe .sequenceStart(anchor: string(event.data.sequence_start.anchor))
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            return unsafe .mappingStart(anchor: string(event.data.mapping_start.anchor))
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_STREAM_END_EVENT: return .streamEnd
        default: return .other
        }
    }

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }

    /// What stopped the parser.
    private var error: YAMLError {
        let reason = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        // The reader of characters knows an offset alone.
        let line =
            unsafe parser.pointee.error == YAML_READER_ERROR
            ? text.prefix(parser.pointee.problem_offset).count { $0 == UInt8(ascii: "\n") }
            : Int(clamping: parser.pointee.problem_mark.line)
        return YAMLError(reason: reason ?? "it cannot be read", line: line + 1)
    }
}
