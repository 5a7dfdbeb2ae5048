import PackProfile
import PackWeb

/// The effect on a page if a URL in its style sheets finds no file.
///
/// It limits the severity of findings about the URL.
struct CSSConsequence {
    private let references: [CSSReference]
    private let resolve: ([UInt8]) -> Resolution
    /// The current declaration, and its first alternative with a file.
    private var current: (declaration: Int, found: Int?)?

    init(_ css: CSSReferences, resolve: @escaping ([UInt8]) -> Resolution) {
        references = css.references
        self.resolve = resolve
    }

    /// The traits of a URL; call it for the URLs of a declaration in order.
    mutating func traits(of index: Int) -> Reference.Traits {
        let reference = references[index]
        guard reference.isAsked else { return .unasked }
        let known = alternatives(of: index, reference)
        return reference.isOptional && known.isEmpty ? .spare : known
    }

    private mutating func alternatives(
        of index: Int, _ reference: CSSReference
    ) -> Reference.Traits {
        switch reference.role {
        // Phones have no pointer.
        case .cursor: return .unasked
        case .fontSource:
            guard let found = found(from: index), found != index else { return [] }
            return found < index ? .unasked : .spare
        case .image, .mask:
            guard reference.isAlternative, let found = found(from: index), found != index else {
                return []
            }
            return .spare
        default: return []
        }
    }

    /// The first alternative of the same declaration with a file.
    private mutating func found(from index: Int) -> Int? {
        let declaration = references[index].declaration
        if let current, current.declaration == declaration { return current.found }
        var found: Int?
        for other in index..<references.count {
            guard references[other].declaration == declaration else { break }
            if references[other].isAsked, !resolve(references[other].value).isMiss {
                found = other
                break
            }
        }
        current = (declaration, found)
        return found
    }
}
