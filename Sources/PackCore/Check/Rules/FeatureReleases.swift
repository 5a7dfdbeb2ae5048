// Written by Scripts/feature-releases.py from browser-compat-data 8.0.10 (docs/sources.md#browser-compat-data).

import PackWeb

extension JavaScriptFeature {
    var releases: Releases {
        switch self {
        case .exponentiation: Releases(.init(10, 3), 51)
        case .asyncFunctions: Releases(.init(10, 3), 55)
        case .trailingCommas: Releases(.init(10), 58)
        case .objectSpread: Releases(.init(11, 3), 60)
        case .asyncGenerators: Releases(.init(12), 63)
        case .forAwait: Releases(.init(12), 63)
        case .optionalCatchBinding: Releases(.init(11, 3), 66)
        case .templateEscapes: Releases(.init(11), 62)
        case .dynamicImport: Releases(.init(11, 3), 63)
        case .importOptions: Releases(.init(15), 91)
        case .importMeta: Releases(.init(12), 64)
        case .bigInt: Releases(.init(14), 67)
        case .numericSeparators: Releases(.init(13), 75)
        case .optionalChaining: Releases(.init(13, 4), 80)
        case .nullishCoalescing: Releases(.init(13, 4), 80)
        case .logicalAssignment: Releases(.init(14), 85)
        case .classFields: Releases(.init(14), 72)
        case .staticFields: Releases(.init(14, 5), 72)
        case .privateFields: Releases(.init(14, 5), 74)
        case .privateMethods: Releases(.init(15), 84)
        case .privateIn: Releases(.init(15), 91)
        case .staticBlocks: Releases(.init(16, 4), 94)
        case .topLevelAwait: Releases(.init(15), 89)
        case .exportNamespace: Releases(.init(14, 5), 72)
        case .stringNames: Releases(.init(14, 5), 88)
        case .importAttributes: Releases(.init(17, 2), 123)
        case .importAssertions: Releases(nil, 91)
        case .hashbang: Releases(.init(13, 4), 74)
        case .using: Releases(nil, 134)
        case .awaitUsing: Releases(nil, 134)
        case .regexpSticky: Releases(.init(10), 49)
        case .regexpUnicode: Releases(.init(10), 50)
        case .regexpDotAll: Releases(.init(11, 3), 62)
        case .regexpIndices: Releases(.init(15), 90)
        case .regexpSets: Releases(.init(17), 112)
        case .regexpLookBehind: Releases(.init(16, 4), 62)
        case .regexpNamedGroups: Releases(.init(11, 3), 64)
        case .regexpDuplicateNames: Releases(.init(17), 125)
        case .regexpProperties: Releases(.init(11, 3), 64)
        case .regexpModifiers: Releases(.init(26), 125)
        }
    }
}

extension CSSFeature {
    var releases: Releases {
        switch self {
        case .layer: Releases(.init(15, 4), 99)
        case .container: Releases(.init(16), 105)
        case .scope: Releases(.init(17, 4), 118)
        case .nesting: Releases(.init(16, 5), 112)
        case .mediaRange: Releases(.init(16, 4), 104)
        case .has: Releases(.init(15, 4), 105)
        case .matches: Releases(.init(14), 88)
        case .where: Releases(.init(14), 88)
        case .inset: Releases(.init(14, 5), 87)
        case .insetInline: Releases(.init(14, 5), 87)
        case .insetBlock: Releases(.init(14, 5), 87)
        case .marginInline: Releases(.init(14, 5), 87)
        case .marginBlock: Releases(.init(14, 5), 87)
        case .paddingInline: Releases(.init(14, 5), 87)
        case .paddingBlock: Releases(.init(14, 5), 87)
        case .aspectRatio: Releases(.init(15), 88)
        case .transforms: Releases(.init(14, 5), 104)
        case .subgrid: Releases(.init(16), 117)
        case .clamp: Releases(.init(13, 4), 79)
        case .colorMix: Releases(.init(16, 2), 111)
        case .oklch: Releases(.init(15, 4), 111)
        case .oklab: Releases(.init(15, 4), 111)
        case .lab: Releases(.init(15), 111)
        case .lightDark: Releases(.init(17, 5), 123)
        case .relativeColor: Releases(.init(16, 4), 119)
        case .viewportUnits: Releases(.init(15, 4), 108)
        case .containerUnits: Releases(.init(16), 105)
        }
    }
}
