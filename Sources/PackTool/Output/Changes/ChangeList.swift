import PackGround
import PackRelease

/// The differences between two releases, file by file.
struct ChangeList {
    enum Kind: CaseIterable {
        case added, removed, changed, renamed, moved, unknown
    }

    struct Change {
        let kind: Kind
        let path: String
        /// The old path, if it differs.
        var from: String?
        /// Sizes in bytes; `nil` if the release does not have the file.
        var old: UInt64?
        var new: UInt64?

        /// The sizes: `1.2 kB`, or `1.2 kB -> 1.3 kB`.
        var sizes: String {
            [old, kind == .moved ? nil : new].compactMap { $0.map(readableSize) }
                .joined(separator: " -> ")
        }
    }

    /// The changes of each kind, sorted by path.
    let changes: [Kind: [Change]]
    let unchanged: Int
    let newContentBytes: UInt64

    /// - Parameters:
    ///   - unknown: Files of which it is unknown whether they changed.
    ///   - hasOldSizes: Whether the sizes of the old release are known.
    init(_ diff: ReleaseDiff, unknown: Set<AssetPath> = [], hasOldSizes: Bool = true) {
        func change(_ kind: Kind, _ change: ReleaseDiff.Change) -> Change {
            let (old, new) = (change.old.path.description, change.new.path.description)
            return Change(
                kind: kind, path: new, from: old == new ? nil : old,
                old: hasOldSizes ? change.old.size : nil, new: change.new.size)
        }
        let isUnknown = { (change: ReleaseDiff.Change) in unknown.contains(change.new.path) }
        changes = [
            .added: diff.added.map {
                Change(kind: .added, path: $0.path.description, new: $0.size)
            },
            .removed: diff.removed.map {
                Change(
                    kind: .removed, path: $0.path.description, old: hasOldSizes ? $0.size : nil)
            },
            .changed: diff.changed.filter { !isUnknown($0) }.map { change(.changed, $0) },
            .renamed: diff.renamed.map { change(.renamed, $0) },
            .moved: diff.moved.map { change(.moved, $0) },
            .unknown: diff.changed.filter(isUnknown).map { change(.unknown, $0) },
        ]
        unchanged = diff.unchanged.count
        newContentBytes = diff.newContentBytes
    }

    func count(_ kind: Kind) -> Int { changes[kind]?.count ?? 0 }

    var isEmpty: Bool { changes.values.allSatisfy(\.isEmpty) }

    /// "2 added, 1 removed, 3 changed, …".
    var summary: String {
        let counts = Kind.allCases.compactMap { kind -> String? in
            let count = count(kind)
            return kind == .unknown && count == 0 || kind == .renamed && count == 0
                ? nil : "\(grouped(count)) \(kind)"
        }
        return (counts + ["\(grouped(unchanged)) unchanged"]).joined(separator: ", ")
            + "; \(count(.unknown) > 0 ? "at most " : "")\(readableSize(newContentBytes)) of new content"
    }

    /// The first changes of each kind, and a line with the number of others.
    ///
    /// - Parameter limit: The maximum number of changes of a kind; 0 for all.
    func lines(limit: Int, _ line: (Change) -> String) -> [String] {
        Kind.allCases.flatMap { kind -> [String] in
            let all = changes[kind] ?? []
            let shown = limit == 0 ? all[...] : all.prefix(limit)
            let rest = all.count - shown.count
            return shown.map(line)
                + (rest > 0
                    ? ["  … and \(grouped(rest)) more \(kind) ('--limit 0' shows all)"] : [])
        }
    }
}
