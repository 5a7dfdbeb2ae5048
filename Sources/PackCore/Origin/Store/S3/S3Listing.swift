/// One page of a listing, in the byte order of the keys.
///
/// For a small bucket it is complete and replaces one request per file.
struct S3Listing: Sendable {
    private(set) var entries: [[UInt8]: S3Memory.Entry] = [:]
    /// The last listed path, or `nil` if the listing is complete.
    private let end: [UInt8]?

    /// - Parameter isComplete: Whether no keys follow the last one.
    init(_ found: [(path: [UInt8], entry: S3Memory.Entry)], isComplete: Bool) {
        for (path, entry) in found { entries[path] = entry }
        let isSorted = zip(found, found.dropFirst()).allSatisfy {
            $0.path.lexicographicallyPrecedes($1.path)
        }
        // If the store does not sort keys, a missing key may be on a later page. A few keys may be
        // sorted by chance.
        let tells = isSorted && found.count >= Self.fewestInOrder
        end = isComplete ? nil : tells ? found.last?.path ?? [] : []
    }

    /// The number of sorted keys that proves sorting.
    ///
    /// By chance, one in 16! pages is sorted.
    static let fewestInOrder = 16

    /// Whether the listing shows if a path exists.
    func covers(_ path: [UInt8]) -> Bool {
        guard let end else { return true }
        return !end.lexicographicallyPrecedes(path)
    }

    /// Whether the listing is complete for a folder.
    func covers(allIn folder: [UInt8]) -> Bool {
        guard let end else { return true }
        return folder.lexicographicallyPrecedes(end) && !end.starts(with: folder)
    }

    var isComplete: Bool { end == nil }

    /// The listed paths in a folder, unordered.
    func paths(in folder: [UInt8]) -> [[UInt8]] { entries.keys.filter { $0.starts(with: folder) } }

    /// The estimated number of objects, extrapolated from the last listed hash.
    ///
    /// - Returns: `nil` if the page does not end in the folder.
    func estimatedObjects(in folder: [UInt8]) -> Int? {
        guard let end, end.starts(with: folder) else { return nil }
        let digits = String(decoding: end.dropFirst(folder.count).prefix(4), as: UTF8.self)
        guard let reached = Int(digits, radix: 16), digits.utf8.count == 4 else { return nil }
        let count = paths(in: folder).count
        return (count * 65_536 / (reached + 1)).clamped(from: count, to: .max)
    }

    /// Records a change made by this run.
    mutating func note(_ path: [UInt8], _ entry: S3Memory.Entry?) { entries[path] = entry }
}

extension Int {
    fileprivate func clamped(from lowest: Int, to highest: Int) -> Int {
        Swift.max(lowest, Swift.min(highest, self))
    }
}
