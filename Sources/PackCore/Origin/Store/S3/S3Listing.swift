/// What one page of a listing said of everything below a prefix, in the order of the keys' bytes.
///
/// For a small bucket that is all of it, and one request answers what would otherwise take one for each question.
struct S3Listing: Sendable {
    private(set) var entries: [[UInt8]: S3Memory.Entry] = [:]
    /// The last place that was listed; `nil` where nothing comes after it.
    private let end: [UInt8]?

    /// - Parameter isComplete: whether nothing comes after the last place.
    init(_ found: [(place: [UInt8], entry: S3Memory.Entry)], isComplete: Bool) {
        for (place, entry) in found { entries[place] = entry }
        let isSorted = zip(found, found.dropFirst()).allSatisfy {
            $0.place.lexicographicallyPrecedes($1.place)
        }
        // A page of a store that does not sort its keys only says what it names. A few keys are in order by chance.
        let tells = isSorted && found.count >= Self.fewestInOrder
        end = isComplete ? nil : tells ? found.last?.place ?? [] : []
    }

    /// So many keys in order say that the store sorts them: it is chance in one of 16! pages.
    static let fewestInOrder = 16

    /// Whether it says if something is at a place.
    func covers(_ place: [UInt8]) -> Bool {
        guard let end else { return true }
        return !end.lexicographicallyPrecedes(place)
    }

    /// Whether it names everything below a folder.
    func covers(allIn folder: [UInt8]) -> Bool {
        guard let end else { return true }
        return folder.lexicographicallyPrecedes(end) && !end.starts(with: folder)
    }

    var isComplete: Bool { end == nil }

    /// The places that start with some bytes, in no order.
    func places(in folder: [UInt8]) -> [[UInt8]] { entries.keys.filter { $0.starts(with: folder) } }

    /// How many objects there are in all, by how far the page went through their hashes.
    ///
    /// - Returns: `nil` where the page has none.
    func estimatedObjects(in folder: [UInt8]) -> Int? {
        guard let end, end.starts(with: folder) else { return nil }
        let digits = String(decoding: end.dropFirst(folder.count).prefix(4), as: UTF8.self)
        guard let reached = Int(digits, radix: 16), digits.utf8.count == 4 else { return nil }
        let count = places(in: folder).count
        return (count * 65_536 / (reached + 1)).clamped(from: count, to: .max)
    }

    /// Takes over what this run did.
    mutating func note(_ place: [UInt8], _ entry: S3Memory.Entry?) { entries[place] = entry }
}

extension Int {
    fileprivate func clamped(from lowest: Int, to highest: Int) -> Int {
        Swift.max(lowest, Swift.min(highest, self))
    }
}
