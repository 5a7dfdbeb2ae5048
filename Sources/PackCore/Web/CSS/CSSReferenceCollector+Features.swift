/// Parts of CSS dropped by older engines.
extension CSSReferenceCollector {
    /// The features of the current item, and the property before it in the same block.
    struct OpenFeatures {
        var found = CSSFeatures()
        /// The features of the current item with their offsets, until its kind is known.
        var pending: [(feature: CSSFeature, offset: Int)] = []
        /// The name of the previous declaration of the block, if its value is of every engine.
        var fallback: Range<Int>?
        /// The number of rules around the outermost `@supports`.
        var supportsDepth: Int?
        /// The end of the last colon, which a pseudo-class follows.
        var colonEnd = -1
        /// The end of the last parenthesis of a function.
        var openEnd = -1
    }

    /// Reads a token or the start of a function in an item.
    mutating func noteFeature(
        _ token: CSSToken, _ walker: CSSWalker, _ source: Span<UInt8>
    ) {
        switch token.kind {
        case .colon: features.colonEnd = token.end
        case .function:
            features.openEnd = token.end
            if walker.item == .atRule {
                if token.isNamed("layer", in: source) { pend(.layer, token) }
            } else if token.start == features.colonEnd,
                let feature = Self.pseudoClass(token, source)
            {
                pend(feature, token)
            } else if let feature = Self.function(token, source) {
                pend(feature, token)
            }
        case .dimension:
            if let feature = Self.unit(token, source) { pend(feature, token) }
        case .ident where token.contentEnd &- token.contentStart == 7:
            if token.isNamed("subgrid", in: source) { pend(.subgrid, token) }
        case .ident where token.start == features.openEnd && walker.item != .atRule:
            if token.isNamed("from", in: source) { pend(.relativeColor, token) }
        case .delim where walker.item == .atRule:
            let byte = source[token.start]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=") {
                pend(.mediaRange, token)
            }
        default: break
        }
    }

    private mutating func pend(_ feature: CSSFeature, _ token: CSSToken) {
        features.pending.append((feature, token.start))
    }

    private static func pseudoClass(_ token: CSSToken, _ source: Span<UInt8>) -> CSSFeature? {
        if token.isNamed("has", in: source) { return .has }
        if token.isNamed("is", in: source) { return .matches }
        return token.isNamed("where", in: source) ? .where : nil
    }

    private static func function(_ token: CSSToken, _ source: Span<UInt8>) -> CSSFeature? {
        switch token.contentEnd &- token.contentStart {
        case 3:
            return token.isNamed("lab", in: source) || token.isNamed("lch", in: source)
                ? .lab : nil
        case 5:
            if token.isNamed("clamp", in: source) { return .clamp }
            if token.isNamed("oklch", in: source) { return .oklch }
            return token.isNamed("oklab", in: source) ? .oklab : nil
        case 9: return token.isNamed("color-mix", in: source) ? .colorMix : nil
        case 10: return token.isNamed("light-dark", in: source) ? .lightDark : nil
        default: return nil
        }
    }

    private static func unit(_ token: CSSToken, _ source: Span<UInt8>) -> CSSFeature? {
        let unit = token.content
        guard unit.count == 3 || unit.count == 5 else { return nil }
        let first = CSSByte.lowercased(source[unit.lowerBound])
        let second = CSSByte.lowercased(source[unit.lowerBound &+ 1])
        if first == UInt8(ascii: "c"), second == UInt8(ascii: "q") { return .containerUnits }
        let isSize =
            first == UInt8(ascii: "d") || first == UInt8(ascii: "s") || first == UInt8(ascii: "l")
        return isSize && second == UInt8(ascii: "v") ? .viewportUnits : nil
    }

    // MARK: Items

    /// The block of a rule starts: the features of its prelude drop the rule.
    mutating func noteFeatures(ofBlock walker: CSSWalker, _ source: Span<UInt8>) {
        defer {
            features.pending.removeAll(keepingCapacity: true)
            features.fallback = nil
        }
        if rules.contains(.style) { keep(.nesting, at: itemStart) }
        guard walker.item == .atRule, let name = walker.name else {
            for (feature, offset) in features.pending where feature.dropsRule {
                keep(feature, at: offset)
            }
            return
        }
        if name.isNamed("supports", in: source) {
            if features.supportsDepth == nil { features.supportsDepth = rules.count }
        } else if name.isNamed("layer", in: source) {
            keep(.layer, at: name.start)
        } else if name.isNamed("container", in: source) {
            keep(.container, at: name.start)
        } else if name.isNamed("scope", in: source) {
            keep(.scope, at: name.start)
        } else if name.isNamed("media", in: source) {
            for (feature, offset) in features.pending where feature == .mediaRange {
                keep(feature, at: offset)
            }
        }
    }

    /// An item without a block ends.
    mutating func noteFeatures(ofItem walker: CSSWalker, _ source: Span<UInt8>) {
        defer { features.pending.removeAll(keepingCapacity: true) }
        guard let name = walker.name else { return }
        switch walker.item {
        case .declaration:
            if let feature = Self.property(name, source) {
                features.pending.append((feature, name.start))
            }
            let known = features.pending.filter { !$0.feature.dropsRule }
            if known.isEmpty {
                features.fallback = name.range
            } else if !isFallback(for: name, source) {
                for (feature, offset) in known { keep(feature, at: offset) }
            }
        case .customProperty:
            // A later declaration replaces an earlier one before its value is read.
            for (feature, offset) in features.pending where !feature.dropsRule {
                keep(feature, at: offset)
            }
        case .atRule where name.isNamed("import", in: source):
            for (feature, offset) in features.pending where feature == .layer {
                keep(feature, at: offset)
            }
        default: break
        }
    }

    private mutating func keep(_ feature: CSSFeature, at offset: Int) {
        if features.supportsDepth == nil, !isDead { features.found.note(feature, at: offset) }
    }

    /// Whether the declaration before has the same effect in older engines.
    private func isFallback(for name: CSSToken, _ source: Span<UInt8>) -> Bool {
        guard let before = features.fallback else { return false }
        let bytes = before.map { CSSByte.lowercased(source[$0]) }
        if bytes.elementsEqual(name.text(in: source).map(CSSByte.lowercased)) { return true }
        // `top: 0; left: 0; inset: 0`
        return name.isNamed("inset", in: source)
            && ["left", "bottom", "right", "top"].contains { bytes.elementsEqual($0.utf8) }
    }

    private static let properties: [(name: String, feature: CSSFeature)] = [
        ("inset", .inset), ("inset-inline", .insetInline), ("inset-block", .insetBlock),
        ("margin-inline", .marginInline), ("margin-block", .marginBlock),
        ("padding-inline", .paddingInline), ("padding-block", .paddingBlock),
        ("aspect-ratio", .aspectRatio), ("translate", .transforms), ("rotate", .transforms),
        ("scale", .transforms),
    ]

    private static func property(_ name: CSSToken, _ source: Span<UInt8>) -> CSSFeature? {
        let count = name.contentEnd &- name.contentStart
        return properties.first {
            $0.name.utf8.count == count && name.isNamed($0.name, in: source)
        }?.feature
    }
}
