/// Writes JSON in one fixed form.
///
/// Two spaces of indent, containers below the second level on one line, members in the given order,
/// only the escapes that RFC 8259 requires, LF at the end.
package enum JSONWriter {
    /// Writes a whole value.
    package static func write(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        write(value, depth: 0, into: &output)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    /// Writes a value on one line without an end.
    package static func line(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        write(value, depth: 2, into: &output)
        return output
    }

    /// A member of a document that is written in pieces.
    package enum Member {
        /// `nil` leaves the member out.
        case value(JSONValue?)
        /// An array whose elements are created one at a time.
        case list(count: Int, element: (Int) -> JSONValue)
    }

    /// Writes an object piece by piece, in the form of ``write(_:)``.
    ///
    /// - Parameter sink: Receives the text in pieces of about 64 KiB.
    package static func write(
        _ members: KeyValuePairs<String, Member>, to sink: ([UInt8]) throws -> Void
    ) rethrows {
        var output: [UInt8] = []
        var isFirst = true
        func begin(_ name: String) {
            output.append(UInt8(ascii: isFirst ? "{" : ","))
            isFirst = false
            newLine(depth: 1, into: &output)
            write(name, into: &output)
            output += ": ".utf8
        }
        for (name, member) in members {
            switch member {
            case .value(nil): break
            case .value(let value?):
                begin(name)
                write(value, depth: 1, into: &output)
            case .list(let count, let element):
                begin(name)
                output.append(UInt8(ascii: "["))
                for index in 0..<count {
                    if index > 0 { output.append(UInt8(ascii: ",")) }
                    newLine(depth: 2, into: &output)
                    write(element(index), depth: 2, into: &output)
                    if output.count >= pieceSize {
                        try sink(output)
                        output.removeAll(keepingCapacity: true)
                    }
                }
                if count > 0 { newLine(depth: 1, into: &output) }
                output.append(UInt8(ascii: "]"))
            }
        }
        if isFirst {
            output.append(UInt8(ascii: "{"))
        } else {
            newLine(depth: 0, into: &output)
        }
        output += "}\n".utf8
        try sink(output)
    }

    private static let pieceSize = 64 << 10

    private static func write(_ value: JSONValue, depth: Int, into output: inout [UInt8]) {
        switch value {
        case .null: output += "null".utf8
        case .bool(let flag): output += (flag ? "true" : "false").utf8
        case .integer(let number): output += String(number).utf8
        case .decimal(let text): output += text.utf8
        case .string(let text): write(text, into: &output)
        case .array(let elements):
            writeContainer("[", "]", elements, depth: depth, into: &output) { element, output in
                write(element, depth: depth + 1, into: &output)
            }
        case .object(let members):
            writeContainer("{", "}", members, depth: depth, into: &output) { member, output in
                write(member.name, into: &output)
                output += ": ".utf8
                write(member.value, depth: depth + 1, into: &output)
            }
        }
    }

    private static func writeContainer<Element>(
        _ open: String, _ close: String, _ elements: [Element], depth: Int,
        into output: inout [UInt8], body: (Element, inout [UInt8]) -> Void
    ) {
        let isInline = depth >= 2 || elements.isEmpty
        output += open.utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            if isInline {
                if index > 0 { output.append(UInt8(ascii: " ")) }
            } else {
                newLine(depth: depth + 1, into: &output)
            }
            body(element, &output)
        }
        if !isInline { newLine(depth: depth, into: &output) }
        output += close.utf8
    }

    private static func newLine(depth: Int, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * depth) { output.append(UInt8(ascii: " ")) }
    }

    private static func write(_ text: String, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        // Most strings need no escape, so their bytes are copied unchanged.
        if text.utf8.contains(where: isEscaped) {
            for byte in text.utf8 { writeEscaped(byte, into: &output) }
        } else {
            output += text.utf8
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
        case 0..<0x20: output += Array("\\u00".utf8) + Array(hexadecimal([byte]).utf8)
        default: output.append(byte)
        }
    }
}
