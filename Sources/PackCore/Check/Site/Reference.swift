import PackGround
package import PackProfile
package import PackWeb

/// A URL in a file of the build: its text, its place, and its resolution.
///
/// Its fields never change.
/// It is a class so that a page's many references are not copied by every rule that iterates over
/// them.
package final class Reference: Sendable {
    /// What contains the URL, for edits.
    package enum Holder: Sendable {
        /// An attribute of the page: an index into ``HTMLReferences/references``.
        case attribute(Int)
        /// A style sheet's file: an index into ``CSSReferences/references``.
        case css(Int)
        /// CSS in the page: an index into `HTMLReferences.fragments`, and one into the references of the
        /// ``DocumentContext/EmbeddedStyle`` that it is, whose ranges are in the fragment's decoded bytes.
        case fragmentCSS(Int, Int)
        /// A string of a script or of JSON, whose quotes are outside the range.
        case literal
        /// A page inside an attribute (`srcdoc`), which is not edited in place.
        case nested
    }

    /// The context of a reference, where it matters.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Inside a template, whose content is not loaded until a script copies it.
        package static let inTemplate = Traits(rawValue: 1)
        /// Inside `noscript`, which is ignored where scripts run.
        package static let inNoscript = Traits(rawValue: 2)
        /// Browsers ignore it: an invalid candidate of `srcset`, a second `base`.
        package static let ineffective = Traits(rawValue: 4)
        /// In a page inside an attribute.
        package static let nested = Traits(rawValue: 8)
        /// It counts from the page or worker that runs the script: ``Reference/resolution`` is that
        /// from the launch page, and findings about it are confirmed once all files have been read.
        package static let late = Traits(rawValue: 16)
        /// It counts from a `base` that is not the page itself.
        package static let fromBase = Traits(rawValue: 32)
        /// In a script, where a condition or `try` means that the page works without it.
        package static let guarded = Traits(rawValue: 64)
        /// A literal in a script that is compared or searched, not loaded as it is.
        package static let compared = Traits(rawValue: 128)
        /// An import that says what the file is: `with {type: "json"}`.
        package static let typed = Traits(rawValue: 256)
        /// The web view does not ask for it, or the page is the same without it: an icon, a sheet
        /// for printing, a font format of other engines.
        package static let unasked = Traits(rawValue: 512)
        /// Something takes its place if it is missing, or it is not needed at once.
        package static let spare = Traits(rawValue: 1024)
        /// A script requests the file as soon as the code runs: `fetch(new URL(…))`.
        package static let requested = Traits(rawValue: 2048)
    }

    package let kind: ReferenceKind
    package let use: ReferenceUse
    /// The URL as the document means it: decoded, with white space around it, not resolved.
    package let value: [UInt8]
    /// The bytes of the file that contain it, without quotes.
    package let range: Range<Int>
    package let holder: Holder
    package let traits: Traits
    /// The element it belongs to, an index into `HTMLReferences.elements`; `nil` outside pages and
    /// in nested ones.
    package let element: Int?
    package let resolution: Resolution

    package init(
        kind: ReferenceKind, use: ReferenceUse, value: [UInt8], range: Range<Int>, holder: Holder,
        traits: Traits = [], element: Int? = nil, resolution: Resolution
    ) {
        self.kind = kind
        self.use = use
        self.value = value
        self.range = range
        self.holder = holder
        self.traits = traits
        self.element = element
        self.resolution = resolution
    }

    /// The URL as text, for people.
    package var text: String { printable(value) }

    /// Whether the request finds no file, as far as is known yet.
    package var mayMiss: Bool { resolution.isMiss || traits.contains(.late) }

    /// Whether a page works without it: icons, manifests, what is only fetched ahead.
    package var isRarelyMissed: Bool {
        switch htmlKind {
        case .icon, .manifest, .applicationCache, .prefetch, .connectionHint, .metadata: true
        default: false
        }
    }

    package var isEffective: Bool { !traits.contains(.ineffective) }

    /// The HTML kind; `nil` elsewhere.
    package var htmlKind: HTMLReferenceKind? {
        guard case .html(let kind) = kind else { return nil }
        return kind
    }

    /// The CSS role; `nil` elsewhere.
    package var cssRole: CSSReference.Role? {
        guard case .css(let role) = kind else { return nil }
        return role
    }

    /// The scheme that the reference itself spells, in lower case; `nil` for a relative one.
    package var writtenScheme: [UInt8]? { Self.scheme(of: value) }

    /// Whether it starts with `//` (or what a browser treats as that).
    package var isProtocolRelative: Bool {
        let trimmed = value.drop { $0 <= 0x20 }
        return trimmed.starts(with: "//".utf8)
    }

    /// The scheme that a text starts with (docs/sources.md#rfc3986, section 3.1), in lower case.
    package static func scheme(of value: [UInt8]) -> [UInt8]? {
        let trimmed = value.drop { $0 <= 0x20 }
        guard let colon = trimmed.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let word = trimmed[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let first = word.first, (0x61...0x7A).contains(first),
            word.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                    || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            })
        else { return nil }
        return word
    }
}
