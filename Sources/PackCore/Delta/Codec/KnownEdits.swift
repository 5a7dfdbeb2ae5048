/// The edits of base paths in a delta's listings so far: bundlers put one hash into the names of several files, such
/// as a script, its licences and its source map, or a language in each folder, and that of a build into a folder's.
struct KnownEdits: Sendable {
    private var replacements: [[UInt8]: [UInt8]] = [:]

    /// The lengths, in bytes, of pieces that are remembered.
    private static let lengths = 4...64
    /// The number of pieces that are remembered.
    private static let most = 1024

    /// Remembers what replaced a piece of a path, if it is the first that did.
    mutating func note(_ edit: DeltaListing.Edit, from old: [UInt8], to new: [UInt8]) {
        guard Self.lengths.contains(edit.oldLength), edit.newLength > 0,
            replacements.count < Self.most
        else { return }
        let piece = Array(old[edit.prefix..<(edit.prefix + edit.oldLength)])
        guard replacements[piece] == nil else { return }
        replacements[piece] = Array(new[edit.prefix..<(edit.prefix + edit.newLength)])
    }

    /// The path with its last piece replaced that was replaced before, from a separator to the next dot or slash or the
    /// end.
    ///
    /// - Returns: `nil` for a path without such a piece.
    func apply(to path: [UInt8]) -> (path: [UInt8], edit: DeltaListing.Edit)? {
        if replacements.isEmpty { return nil }
        var end = path.count
        for start in path.indices.reversed() {
            if DeltaListing.Edit.isEnd(path[start]) { end = start }
            guard start == 0 || NameSeeds.isSeparator(path[start - 1]),
                Self.lengths.contains(end - start),
                let new = replacements[Array(path[start..<end])]
            else { continue }
            let edit = DeltaListing.Edit(
                prefix: start, oldLength: end - start, newLength: new.count)
            return (path[..<start] + new + path[end...], edit)
        }
        return nil
    }
}
