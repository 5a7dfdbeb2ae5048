/// The edits of base paths in a delta's listings so far.
///
/// Bundlers put one hash into several file names, such as a script, its licences and its source
/// map, or a file per language folder, and a build's hash into the name of a folder.
struct KnownEdits: Sendable {
    private var replacements: [[UInt8]: [UInt8]] = [:]

    /// The range of lengths, in bytes, of remembered pieces.
    private static let lengths = 4...64
    /// The largest number of remembered pieces.
    private static let most = 1024

    /// Remembers the replacement of a piece of a path, if it is the first for that piece.
    mutating func note(_ edit: DeltaListing.Edit, from old: [UInt8], to new: [UInt8]) {
        guard Self.lengths.contains(edit.oldLength), edit.newLength > 0,
            replacements.count < Self.most
        else { return }
        let piece = Array(old[edit.prefix..<(edit.prefix + edit.oldLength)])
        guard replacements[piece] == nil else { return }
        replacements[piece] = Array(new[edit.prefix..<(edit.prefix + edit.newLength)])
    }

    /// Replaces the last piece of a path that has a known replacement.
    ///
    /// A piece goes from a separator to the next dot or slash or the end.
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
