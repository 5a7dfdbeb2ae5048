/// The names of an object, each of which may occur once; names are compared as bytes.
struct SeenNames {
    /// Filled only if there are too many names for a linear search.
    private var set: Set<[UInt8]> = []

    private static let few = 16

    /// Records a name.
    ///
    /// - Parameter members: The members already read.
    /// - Returns: Whether the name is new.
    mutating func insert(_ name: String, after members: [JSONValue.Member]) -> Bool {
        if members.count < Self.few {
            return !members.contains { $0.name.utf8.elementsEqual(name.utf8) }
        }
        if set.isEmpty { set = Set(members.map { Array($0.name.utf8) }) }
        return set.insert(Array(name.utf8)).inserted
    }
}
