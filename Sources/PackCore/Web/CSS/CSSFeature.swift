/// A part of CSS dropped by engines before some release.
package enum CSSFeature: UInt8, CaseIterable, Sendable {
    // Of these, a whole rule is dropped.
    /// `@layer a {…}`, `@import … layer(a)`.
    case layer
    /// `@container (…) {…}`.
    case container
    /// `@scope (…) {…}`.
    case scope
    /// A rule in another one: `a { &:hover {…} }`.
    case nesting
    /// `@media (width >= 600px) {…}`.
    case mediaRange
    /// `:has(…)`.
    case has
    /// `:is(…)`.
    case matches
    /// `:where(…)`.
    case `where`

    // Of these, a declaration is dropped.
    /// `inset: 0`.
    case inset
    case insetInline, insetBlock, marginInline, marginBlock, paddingInline, paddingBlock
    case aspectRatio
    /// The properties `translate`, `rotate` and `scale`.
    case transforms
    /// `grid-template-columns: subgrid`.
    case subgrid
    /// `clamp(…)`.
    case clamp
    /// `color-mix(…)`.
    case colorMix
    /// `oklch(…)`.
    case oklch
    /// `oklab(…)`.
    case oklab
    /// `lab(…)`, `lch(…)`.
    case lab
    /// `light-dark(…)`.
    case lightDark
    /// `rgb(from …)`.
    case relativeColor
    /// `dvh`, `svh`, `lvh` and their widths.
    case viewportUnits
    /// `cqw` and the like.
    case containerUnits

    /// Whether a whole rule is dropped, with everything in it.
    package var dropsRule: Bool { rawValue <= CSSFeature.where.rawValue }
}

/// The features of a style sheet, each with its first offset.
///
/// Features in `@supports`, and those with an older declaration of the same property before them, are
/// not among them.
package struct CSSFeatures: Sendable {
    private var first: [Int] = []

    package init() {}

    /// Records a use at an offset.
    mutating func note(_ feature: CSSFeature, at offset: Int) {
        if first.isEmpty { first = [Int](repeating: .max, count: CSSFeature.allCases.count) }
        let index = Int(feature.rawValue)
        first[index] = min(first[index], offset)
    }

    /// The features found, in the order of their kinds.
    package var all: [(feature: CSSFeature, offset: Int)] {
        guard !first.isEmpty else { return [] }
        return CSSFeature.allCases.compactMap { feature in
            let offset = first[Int(feature.rawValue)]
            return offset == .max ? nil : (feature, offset)
        }
    }
}
