import PackGround
import PackURL

/// The import map of a page, which maps the names in imports to URLs (HTML 8.1.6.2).
struct ImportMap: Sendable {
    /// The result of looking up a name.
    enum Lookup: Equatable {
        case address(URLRecord, isWhole: Bool)
        /// The entry has no valid address: importing the name throws.
        case invalid
        /// No entry matches the name.
        case none
    }

    private typealias Entries = [(name: [UInt8], address: URLRecord?)]

    private let imports: Entries
    private let scopes: [(prefix: [UInt8], entries: Entries)]
    /// The range in the page: scripts before it do not use the map.
    let range: Range<Int>
    /// Whether it has names that are URLs.
    let mapsAddresses: Bool

    /// - Returns: `nil` if the text is not an import map.
    init?(_ text: [UInt8], base: URLRecord?, range: Range<Int>) {
        guard case .object(let members)? = try? JSONParser.parse(text) else { return nil }
        self.range = range
        let imports = Self.entries(members.first { $0.name == "imports" }?.value, base)
        var scopes: [(prefix: [UInt8], entries: Entries)] = []
        if case .object(let members)? = members.first(where: { $0.name == "scopes" })?.value {
            scopes = members.compactMap { scope in
                URLRecord.parse(scope.name.utf8, base: base).map {
                    ($0.serialized(), Self.entries(scope.value, base))
                }
            }
        }
        mapsAddresses = ([imports] + scopes.map(\.entries)).contains(where: Self.hasAddress)
        self.imports = imports
        self.scopes = scopes
    }

    private static func hasAddress(_ entries: Entries) -> Bool {
        entries.contains { DocumentReader.isAddress($0.name) }
    }

    private static func entries(_ value: JSONValue?, _ base: URLRecord?) -> Entries {
        guard case .object(let members)? = value else { return [] }
        return members.map { member in
            var name = Array(member.name.utf8)
            if DocumentReader.isAddress(name), let url = URLRecord.parse(name, base: base) {
                name = url.serialized()
            }
            guard case .string(let text) = member.value,
                DocumentReader.isAddress(Array(text.utf8))
            else { return (name, nil) }
            return (name, URLRecord.parse(text.utf8, base: base))
        }
    }

    /// Looks up a name, or the URL of an address, imported by a module with this URL.
    func lookUp(_ name: [UInt8], from module: URLRecord?) -> Lookup {
        let address = module?.serialized() ?? []
        for scope in scopes.sorted(by: { $0.prefix.count > $1.prefix.count })
        where scope.prefix == address
            || scope.prefix.last == UInt8(ascii: "/") && address.starts(with: scope.prefix)
        {
            let found = Self.lookUp(name, in: scope.entries)
            if found != .none { return found }
        }
        return Self.lookUp(name, in: imports)
    }

    private static func lookUp(_ name: [UInt8], in entries: Entries) -> Lookup {
        if let exact = entries.first(where: { $0.name == name }) {
            return exact.address.map { .address($0, isWhole: true) } ?? .invalid
        }
        let prefixes = entries.filter {
            $0.name.last == UInt8(ascii: "/") && name.starts(with: $0.name)
        }
        guard let longest = prefixes.max(by: { $0.name.count < $1.name.count }) else {
            return .none
        }
        guard let address = longest.address, address.serialized().last == UInt8(ascii: "/"),
            let url = URLRecord.parse(name.dropFirst(longest.name.count), base: address)
        else { return .invalid }
        return .address(url, isWhole: false)
    }
}

/// The import maps of all pages with names that are URLs.
///
/// Pages are read before scripts.
final class ImportMaps: Sendable {
    private let known = Locked<[Int: ImportMap]>([:])

    func add(_ page: DocumentContext) {
        guard let map = page.importMap, map.mapsAddresses else { return }
        known.withLock { $0[page.index] = map }
    }

    /// In the order of their pages.
    var all: [ImportMap] {
        known.withLock { $0.isEmpty ? [] : $0.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Whether the name of an entry is this URL, so that modules get another file.
    func maps(_ url: URLRecord?) -> Bool {
        guard let url else { return false }
        let name = url.serialized()
        return all.contains { $0.lookUp(name, from: nil) != .none }
    }
}
