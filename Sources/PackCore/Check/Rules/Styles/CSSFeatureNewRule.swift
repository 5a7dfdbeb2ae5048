import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A style sheet with rules that the oldest supported engine drops.
    static let cssFeatureNew = Rule(
        "css-feature-new", group: .styles,
        level: .init(
            "warning if the settings give the oldest system and whole rules are dropped, else hint"
        ) { $0.statesMinimum ? .warning : .hint },
        document: { document, sink in
            var found: [NewFeature] = []
            if let css = document.css { found += NewFeature.all(css, document) { $0 } }
            for style in document.styles where !NewFeature.isUnused(style, document) {
                found += NewFeature.all(style.css, document) { style.text.sourceRange(of: $0) }
            }
            NewFeature.report(found, document.profile, &sink)
        })
}

/// A feature newer than the app's minimum, in a file's style sheets.
private struct NewFeature {
    let feature: CSSFeature
    let release: EngineRelease
    let range: Range<Int>

    static func all(
        _ css: CSSReferences, _ document: DocumentContext, _ range: (Range<Int>) -> Range<Int>
    ) -> [NewFeature] {
        let oldest = document.profile.oldestEngine
        return css.features.all.compactMap { feature, offset in
            let release = feature.releases.first(for: document.profile)
            guard release > oldest else { return nil }
            return NewFeature(
                feature: feature, release: release, range: range(offset..<offset + 1))
        }
    }

    /// Whether no engine with scripts applies a style sheet of a page.
    static func isUnused(
        _ style: DocumentContext.EmbeddedStyle, _ document: DocumentContext
    ) -> Bool {
        guard let html = document.html else { return false }
        return html.elements[html.fragments[style.fragment].element].isInNoscript
    }

    /// Reports the newest feature whose rules are dropped, otherwise the newest of the others.
    static func report(_ found: [NewFeature], _ profile: Profile, _ sink: inout FindingSink) {
        let sorted = found.sorted { $0.rank > $1.rank }
        guard let worst = sorted.first else { return }
        var named: Set<CSSFeature> = [worst.feature]
        let others = sorted.filter { named.insert($0.feature).inserted }.prefix(5).map {
            "\($0.feature.title) needs \(profile.name(of: $0.release))"
        }
        let dropped = worst.feature.dropsRule ? "the whole rule" : "the declaration"
        sink.report(
            at: worst.range,
            """
            \(worst.feature.title) needs \(profile.name(of: worst.release)), and \
            \(profile.minimumClause): older engines drop \(dropped)
            """,
            notes: Array(others), severity: worst.feature.dropsRule ? nil : .hint,
            cause: profile.statesMinimum ? "\(worst.feature)" : "minimum")
    }

    /// Dropped rules before dropped declarations, newer requirements before older ones, then by
    /// position.
    private var rank: (Int, EngineRelease, Int) {
        (feature.dropsRule ? 1 : 0, release, -range.lowerBound)
    }
}

extension CSSFeature {
    /// The name in messages.
    fileprivate var title: String {
        switch self {
        case .layer: "'@layer'"
        case .container: "'@container'"
        case .scope: "'@scope'"
        case .nesting: "a rule in a rule"
        case .mediaRange: "a comparison in '@media'"
        case .has: "':has()'"
        case .matches: "':is()'"
        case .where: "':where()'"
        case .inset: "'inset'"
        case .insetInline: "'inset-inline'"
        case .insetBlock: "'inset-block'"
        case .marginInline: "'margin-inline'"
        case .marginBlock: "'margin-block'"
        case .paddingInline: "'padding-inline'"
        case .paddingBlock: "'padding-block'"
        case .aspectRatio: "'aspect-ratio'"
        case .transforms: "'translate', 'rotate' or 'scale' as a property"
        case .subgrid: "'subgrid'"
        case .clamp: "'clamp()'"
        case .colorMix: "'color-mix()'"
        case .oklch: "'oklch()'"
        case .oklab: "'oklab()'"
        case .lab: "'lab()' or 'lch()'"
        case .lightDark: "'light-dark()'"
        case .relativeColor: "a color from another one ('rgb(from …)')"
        case .viewportUnits: "a unit such as 'dvh'"
        case .containerUnits: "a unit such as 'cqw'"
        }
    }
}
