/// A URL in a page's markup, and its position.
package struct HTMLReference: Equatable, Sendable {
    package let kind: HTMLReferenceKind
    /// The index of its element in ``HTMLReferences/elements``.
    package let element: Int
    package let attributeName: HTMLName
    package let attribute: HTMLAttribute
    package let syntax: HTMLAttributeSyntax
    /// The URL in the page: decoded, with white space around it, not resolved.
    package let value: [UInt8]
    /// The source bytes of the URL, without quotes.
    package let range: Range<Int>
    /// The range of the URL in the attribute's decoded value.
    let decodedRange: Range<Int>
    /// Whether a browser uses it.
    ///
    /// `false` for a candidate of `srcset` with a bad descriptor, and for every `base` but the
    /// first.
    package let isEffective: Bool
}

/// The syntax of URLs in an attribute, or its other content.
package enum HTMLAttributeSyntax: Equatable, Sendable {
    case url
    /// URLs separated by white space.
    case urlList
    case srcset
    /// `content` of `<meta http-equiv=refresh>`.
    case refresh
    /// A library's own syntax: an index into ``LibraryAttribute/all``.
    case library(Int)
    /// Text in another language instead of a URL.
    case fragment(HTMLFragment.Kind)
}

/// The use of a URL in a browser, as detailed as the rules need.
package enum HTMLReferenceKind: String, Sendable, CaseIterable {
    case script
    case moduleScript = "module-script"
    /// `src` of a script with a type that no browser runs.
    case unusedScript = "unused-script"
    case styleSheet = "style-sheet"
    case image, icon
    /// `background` of `body` and of tables.
    case backgroundImage = "background-image"
    case media
    case textTrack = "text-track"
    case frame, object, embed
    case preload
    case fontPreload = "font-preload"
    case imagePreload = "image-preload"
    case modulePreload = "module-preload"
    case prefetch, manifest
    /// `<html manifest>`, removed from browsers.
    case applicationCache = "application-cache"
    case svgUse = "svg-use"
    case svgImage = "svg-image"
    /// Gradients, patterns, filters, paths and animations that refer to one another.
    case svgResource = "svg-resource"
    case navigation, refresh
    case formSubmission = "form-submission"
    case beacon
    case connectionHint = "connection-hint"
    case base, metadata, identifier
    /// Attributes that scripts turn into `src` later: `data-src` and its like.
    case lazy
    /// Attributes that no current browser reads: `lowsrc`, `classid`.
    case unused

    package var use: HTMLReferenceUse {
        switch self {
        case .script, .moduleScript, .styleSheet, .image, .icon, .backgroundImage, .media,
            .textTrack, .preload, .fontPreload, .imagePreload, .modulePreload, .prefetch,
            .manifest, .applicationCache, .svgUse, .svgImage, .svgResource:
            .subresource
        case .frame, .object, .embed: .document
        case .navigation, .refresh: .navigation
        case .formSubmission: .submission
        case .beacon: .beacon
        case .connectionHint: .connectionHint
        case .base: .base
        case .metadata: .metadata
        case .identifier: .identifier
        case .lazy, .unusedScript, .unused: .inert
        }
    }
}

/// The classes of URLs that the rules distinguish.
package enum HTMLReferenceUse: String, Sendable, CaseIterable {
    /// Loaded for the page.
    case subresource
    /// Loaded as a separate document: frames, objects.
    case document
    case navigation, submission, beacon
    /// Opens a connection, loads nothing.
    case connectionHint = "connection-hint"
    case base
    /// Read by software other than the browser: crawlers, share sheets.
    case metadata
    /// A name that looks like a URL.
    case identifier
    /// Not loaded by the browser.
    case inert
}

/// An element with a reference or a fragment.
package struct HTMLElement: Equatable, Sendable {
    package let name: HTMLName
    /// The name as written in the tag.
    package let nameRange: Range<Int>
    package let namespace: HTMLNamespace
    /// The start tag, from `<` to `>`.
    package let tag: Range<Int>
    /// All attributes of the tag, including duplicates.
    package let attributes: [HTMLAttribute]
    /// Whether it is inside a template, whose content is not fetched until a script copies it.
    package let isInTemplate: Bool
    /// Whether it is inside `noscript`, whose content exists only with scripting off.
    package let isInNoscript: Bool
    /// The start of the tag of the enclosing or own `picture`, `video` or `audio`; its sources are
    /// alternatives.
    package let choice: Int?
    /// For `object`: whether it has content, which is shown if its file is missing.
    package internal(set) var hasFallback = false

    /// The decoded value of an attribute; `nil` if the element does not have it.
    package func value(of name: HTMLName, in page: Span<UInt8>) -> [UInt8]? {
        attributes.value(of: name, in: page)
    }

    /// The value in ASCII lower case, without white space around it.
    package func keyword(of name: HTMLName, in page: Span<UInt8>) -> String? {
        value(of: name, in: page).map { String(keyword: $0) }
    }

    /// Whether the element has an attribute.
    package func has(_ name: HTMLName, in page: Span<UInt8>) -> Bool {
        attributes.first(name, in: page) != nil
    }
}

/// A part of a page in another language.
package struct HTMLFragment: Equatable, Sendable {
    /// The language of a fragment.
    package enum Kind: String, Sendable, CaseIterable {
        /// The content of `style`; one fragment for each run of text if svg splits it.
        case styleSheet = "style-sheet"
        case styleAttribute = "style-attribute"
        /// `fill`, `mask`, … of svg: one CSS value.
        case presentationAttribute = "presentation-attribute"
        case script
        case moduleScript = "module-script"
        case eventHandler = "event-handler"
        case importMap = "import-map"
        /// `systemjs-importmap`, which a script reads.
        case systemImportMap = "system-import-map"
        case speculationRules = "speculation-rules"
        /// `application/ld+json`.
        case linkedData = "linked-data"
        case json
        /// A script with a type that the browser does not run: templates, shaders.
        case dataBlock = "data-block"
        /// `srcdoc`: a page in an attribute.
        ///
        /// Its decoded bytes are read as a separate page; edits to it give the new value of the
        /// attribute.
        case document
        case contentSecurityPolicy = "content-security-policy"
    }

    package let kind: Kind
    /// The index of its element in ``HTMLReferences/elements``.
    package let element: Int
    /// The source bytes, without quotes.
    package let range: Range<Int>
    let decoding: HTMLDecoding
    /// The attribute that contains it; `nil` for an element's content.
    package let attribute: HTMLAttribute?

    /// The characters of the fragment, with the mapping to the source bytes.
    package func decoded(in page: Span<UInt8>) -> HTMLDecodedText {
        HTMLDecodedText(page, range, as: decoding)
    }
}

extension String {
    /// A keyword of an attribute: ASCII lower case, no white space around it.
    package init(keyword bytes: [UInt8]) {
        let trimmed = bytes.drop(while: \.isHTMLSpace)
        let end = trimmed.lastIndex { !$0.isHTMLSpace }.map { $0 + 1 } ?? trimmed.startIndex
        self.init(
            decoding: trimmed[..<end].map(\.asciiLowercased), as: UTF8.self)
    }
}
