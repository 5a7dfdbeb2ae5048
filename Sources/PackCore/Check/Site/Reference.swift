import PackGround
package import PackProfile
package import PackWeb

/// A URL in a file of the build: its text, its range and its resolution.
///
/// A class, so that rules iterating over a page's many references do not copy them. Its fields
/// never change.
package final class Reference: Sendable {
    /// The syntax containing the URL, used for edits.
    package enum Holder: Sendable {
        /// An attribute of the page: an index into ``HTMLReferences/references``.
        case attribute(Int)
        /// A style sheet file: an index into ``CSSReferences/references``.
        case css(Int)
        /// A style sheet in the page: an index into `HTMLReferences.fragments`, and one into the
        /// references of its ``DocumentContext/EmbeddedStyle``, whose ranges are in the fragment's
        /// decoded bytes.
        case fragmentCSS(Int, Int)
        /// A string in a script or JSON; its quotes are outside the range.
        case literal
        /// A page inside an attribute (`srcdoc`), which is not edited in place.
        case nested
    }

    /// The context of a reference.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Inside a template, whose content is not loaded until a script copies it.
        package static let inTemplate = Traits(rawValue: 1)
        /// Inside `noscript`, which is ignored if scripts run.
        package static let inNoscript = Traits(rawValue: 2)
        /// Ignored by browsers: an invalid candidate of `srcset`, a second `base`.
        package static let ineffective = Traits(rawValue: 4)
        /// In a page inside an attribute.
        package static let nested = Traits(rawValue: 8)
        /// Resolves against the page or worker running the script: ``Reference/resolution`` assumes
        /// the launch page, and findings are confirmed after all files have been read.
        package static let late = Traits(rawValue: 16)
        /// Resolves against a `base` other than the page itself.
        package static let fromBase = Traits(rawValue: 32)
        /// In a script, guarded by a condition or `try`, so the page works without it.
        package static let guarded = Traits(rawValue: 64)
        /// A literal in a script that is compared or searched, not loaded.
        package static let compared = Traits(rawValue: 128)
        /// An import that declares the file's type: `with {type: "json"}`.
        package static let typed = Traits(rawValue: 256)
        /// Not requested by the web view, or without effect on the page: an icon, a sheet for
        /// printing, a font format of other engines.
        package static let unasked = Traits(rawValue: 512)
        /// Replaced by an alternative if missing, or not needed immediately.
        package static let spare = Traits(rawValue: 1024)
        /// Requested by a script as soon as the code runs: `fetch(new URL(…))`.
        package static let requested = Traits(rawValue: 2048)
        /// A frame with `sandbox`, running scripts without the page's web origin.
        package static let opaqueOrigin = Traits(rawValue: 4096)
    }

    package let kind: ReferenceKind
    private let target: ReferenceTarget
    /// The range in the file, without quotes.
    package let range: Range<Int>
    package let holder: Holder
    package let traits: Traits
    /// The index of its element in `HTMLReferences.elements`; `nil` outside pages and in nested
    /// ones.
    package let element: Int?

    package init(
        kind: ReferenceKind, target: ReferenceTarget, range: Range<Int>, holder: Holder,
        traits: Traits = [], element: Int? = nil
    ) {
        self.kind = kind
        self.target = target
        self.range = range
        self.holder = holder
        self.traits = traits
        self.element = element
    }

    package var use: ReferenceUse { target.text.use }

    /// The decoded but unresolved URL, with surrounding white space.
    package var value: [UInt8] { target.text.value }

    package var resolution: Resolution { target.text.resolution }

    /// The fault of its spelling, if any.
    var fault: URLFault? { target.fault }

    /// The diagnosis if it has no file.
    func miss(in site: SiteIndex) -> ReferenceTarget.Miss { target.miss(in: site) }

    /// The URL as printable text.
    package var text: String { printable(value) }

    /// Whether the request finds no file, as far as is known yet.
    package var mayMiss: Bool { resolution.isMiss || traits.contains(.late) }

    /// Whether a page works without it: icons, manifests, prefetched resources.
    package var isRarelyMissed: Bool {
        switch htmlKind {
        case .icon, .manifest, .applicationCache, .prefetch, .connectionHint, .metadata: true
        default: false
        }
    }

    package var isEffective: Bool { !traits.contains(.ineffective) }

    /// The HTML kind; `nil` in other languages.
    package var htmlKind: HTMLReferenceKind? {
        guard case .html(let kind) = kind else { return nil }
        return kind
    }

    /// The CSS role; `nil` in other languages.
    package var cssRole: CSSReference.Role? {
        guard case .css(let role) = kind else { return nil }
        return role
    }

    /// The scheme written in the reference, in lower case; `nil` for a relative one.
    package var writtenScheme: [UInt8]? { Self.scheme(of: value) }

    /// Whether it starts with `//` or an equivalent spelling.
    package var isProtocolRelative: Bool { Self.isProtocolRelative(value) }

    /// Whether a text starts with `//` or an equivalent spelling.
    static func isProtocolRelative(_ value: [UInt8]) -> Bool {
        value.drop { $0 <= 0x20 }.starts(with: "//".utf8)
    }

    /// The scheme at the start of a text, in lower case (docs/sources.md#rfc3986, section 3.1).
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
