import PackGround
import PackProfile
import PackURL
import PackWeb

/// The style sheets with uses of custom properties.
///
/// WebKit resolves a relative URL in a custom property against the style sheet that uses the
/// property with `var()`, whether it is registered or not. If `var(--x)` is the whole value of a
/// shorthand, it is the sheet with the declaration of `--x`. Observed in WebKitGTK 2.50 (`var-*`
/// and `base-css-*` in Tests/Rigs/Pages). In Chromium, it is the sheet with `var()` in any case. CSS
/// always resolves it against the sheet of its
/// declaration (https://drafts.csswg.org/css-values-4/#relative-urls).
struct PropertyUsers {
    /// A custom property, and the file with its declaration.
    private struct Declaration: Hashable {
        let name: [UInt8]
        let file: Int
    }

    private var users: [Declaration: [ScriptRunners.Runner]] = [:]
    /// The names of properties with a URL, by file and offset of the URL.
    private var names: [Int: [Int: [UInt8]]] = [:]

    init(_ site: SiteIndex, _ summaries: [DocumentSummary]) {
        for summary in summaries where !summary.properties.isEmpty {
            names[summary.index] = summary.properties
        }
        let declared = Set(
            names.flatMap { file, names in
                names.values.map { Declaration(name: $0, file: file) }
            })
        guard !declared.isEmpty else { return }
        let readers = summaries.filter { !$0.variables.isEmpty }
        for declaration in declared {
            users[declaration] = Self.bases(
                of: declaration, readers, usesOnly: site.profile.platform == .android
            ).sorted().map {
                let base = summaries.indices.contains($0) ? summaries[$0].base : nil
                return .init(file: $0, base: base ?? site.profile.url(of: site.path($0)))
            }
        }
    }

    /// The files against which the URL in a declaration is resolved.
    ///
    /// - Parameter usesOnly: Whether the file with the declaration is never one of them.
    private static func bases(
        of first: Declaration, _ readers: [DocumentSummary], usesOnly: Bool
    ) -> Set<Int> {
        var bases: Set<Int> = []
        var all: Set<Declaration> = [first]
        var rest = [first]
        while let next = rest.popLast() {
            for reader in readers {
                if reader.variables.used.contains(next.name) { bases.insert(reader.index) }
                if reader.variables.shorthands.contains(next.name) {
                    bases.insert(usesOnly ? reader.index : next.file)
                }
                for alias in reader.variables.aliases where alias.name == next.name {
                    let other = Declaration(
                        name: alias.property, file: alias.isWhole ? next.file : reader.index)
                    if all.insert(other).inserted { rest.append(other) }
                }
            }
        }
        return bases
    }

    /// The users of the property with the URL at an offset of a file.
    func users(of file: Int, at start: Int) -> [ScriptRunners.Runner] {
        names[file]?[start].flatMap { users[Declaration(name: $0, file: file)] } ?? []
    }
}

extension DocumentContext {
    /// The names of the custom properties with a path, by the offset of the path.
    var lateProperties: [Int: [UInt8]] {
        var names: [Int: [UInt8]] = [:]
        for reference in references
        where reference.cssRole == .customProperty && reference.traits.contains(.late) {
            let name =
                switch reference.holder {
                case .css(let index): css?.references[index].name
                case .fragmentCSS(let fragment, let index):
                    styles.first { $0.fragment == fragment }?.css.references[index].name
                default: String?.none
                }
            names[reference.range.lowerBound] = name.map { Array($0.utf8) }
        }
        return names
    }
}
