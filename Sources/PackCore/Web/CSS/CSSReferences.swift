/// Every URL in a style sheet, a `style` attribute or one property's value.
///
/// One pass in constant memory, apart from the result and a byte or two for each open bracket.
package struct CSSReferences: Sendable {
    /// The largest number of problems kept; a file that is not CSS may have one in every other
    /// byte.
    package static let mostProblems = 1000

    /// In the order of the source.
    package let references: [CSSReference]
    package let problems: [CSSProblem]
    /// The number of problems beyond those in ``problems``.
    package let furtherProblems: Int
    /// The custom properties read by it.
    package let variables: CSSVariables
    /// The features dropped by older engines.
    package let features: CSSFeatures
    /// `nil` if the surrounding document determines it.
    package let encoding: CSSEncoding?

    /// Reads a file of CSS.
    ///
    /// Reads nothing if the encoding is UTF-16; see ``CSSEncoding/reading``.
    package static func file(
        _ bytes: [UInt8], protocolLabel: String? = nil, environmentLabel: String? = nil
    ) -> CSSReferences {
        let source = bytes.span
        let encoding = CSSEncoding.detect(
            source, protocolLabel: protocolLabel, environmentLabel: environmentLabel)
        guard encoding.reading != .none else {
            return CSSReferences(
                references: [], problems: [], furtherProblems: 0, variables: CSSVariables(),
                features: CSSFeatures(), encoding: encoding)
        }
        var collector = CSSReferenceCollector()
        collector.collect(source, in: encoding.start..<source.count, root: .rules)
        return collector.result(encoding)
    }

    /// Reads a style sheet inside a document: the content of a `style` element.
    package static func styleSheet(_ source: Span<UInt8>, in range: Range<Int>? = nil)
        -> CSSReferences
    {
        read(source, range, .rules, property: nil)
    }

    /// Reads a list of declarations: a `style` attribute.
    package static func declarations(_ source: Span<UInt8>, in range: Range<Int>? = nil)
        -> CSSReferences
    {
        read(source, range, .declarations, property: nil)
    }

    /// Reads the value of one property: an SVG presentation attribute such as `fill="url(#a)"`.
    package static func value(
        _ source: Span<UInt8>, in range: Range<Int>? = nil, of property: String
    ) -> CSSReferences {
        read(source, range, .values, property: property)
    }

    private static func read(
        _ source: Span<UInt8>, _ range: Range<Int>?, _ root: CSSWalker.Root, property: String?
    ) -> CSSReferences {
        var collector = CSSReferenceCollector(property: property)
        collector.collect(source, in: range ?? 0..<source.count, root: root)
        return collector.result(nil)
    }
}
