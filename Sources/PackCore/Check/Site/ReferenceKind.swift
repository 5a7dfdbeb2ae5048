package import PackWeb

/// The kind of a reference, in terms of the language containing it.
package enum ReferenceKind: Hashable, Sendable {
    case html(HTMLReferenceKind)
    case css(CSSReference.Role)
    case script(ScriptReferenceKind)
    case data(DataReferenceKind)

    /// The name used by `--dump-urls` and messages.
    package var name: String {
        switch self {
        case .html(let kind): kind.rawValue
        case .css(let role): "css-" + role.word
        case .script(let kind): "js-" + kind.rawValue
        case .data(let kind): kind.rawValue
        }
    }
}

/// The classes of references distinguished by rules.
package enum ReferenceUse: String, CaseIterable, Sendable {
    /// Loaded for the page: scripts, styles, images, fonts.
    case subresource
    /// Loaded as a separate document: frames, objects.
    case document
    case navigation, submission, beacon
    /// A request made by a script: `fetch`, XMLHttpRequest.
    case request
    /// Opens a connection but loads nothing.
    case connectionHint = "connection-hint"
    case base
    /// Not read by the browser, but by crawlers or share sheets.
    case metadata
    /// A name that looks like a URL.
    case identifier
    /// Text in a script that could be a URL; its use is unknown.
    case literal
    /// Not loaded by the browser.
    case inert

    /// Whether the view opens it as a page.
    package var opensPage: Bool { self == .navigation || self == .submission }

    /// Whether the browser loads it for the page or as a document in the page.
    package var isFetched: Bool { self == .subresource || self == .document }
}

/// The kind of a URL in a script.
package typealias ScriptReferenceKind = JavaScriptReference.Kind

/// The kind of a URL in a manifest, an import map or other data.
package typealias DataReferenceKind = DataReference.Kind

extension HTMLReferenceKind {
    var referenceUse: ReferenceUse {
        switch use {
        case .subresource: .subresource
        case .document: .document
        case .navigation: .navigation
        case .submission: .submission
        case .beacon: .beacon
        case .connectionHint: .connectionHint
        case .base: .base
        case .metadata: .metadata
        case .identifier: .identifier
        case .inert: .inert
        }
    }
}

extension CSSReference.Role {
    var referenceUse: ReferenceUse {
        switch self {
        case .importedSheet, .fontSource, .image, .cursor, .mask, .svgResource, .customProperty,
            .otherProperty:
            .subresource
        case .namespace, .charset: .identifier
        case .misplacedImport, .legacyBehavior, .otherAtRule, .discarded, .sourceMap: .inert
        }
    }

    var word: String {
        switch self {
        case .importedSheet: "import"
        case .misplacedImport: "misplaced-import"
        case .namespace: "namespace"
        case .charset: "charset"
        case .fontSource: "font"
        case .image: "image"
        case .cursor: "cursor"
        case .mask: "mask"
        case .svgResource: "svg-resource"
        case .customProperty: "custom-property"
        case .legacyBehavior: "legacy-behavior"
        case .otherProperty: "other"
        case .otherAtRule: "at-rule"
        case .discarded: "discarded"
        case .sourceMap: "source-map"
        }
    }
}
