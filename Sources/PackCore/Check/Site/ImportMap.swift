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

    private let imports: [(name: [UInt8], address: URLRecord?)]
    private let scopes: [(prefix: [UInt8], entries: [(name: [UInt8], address: URLRecord?)])]
    /// The range in the page: scripts before it do not use the map.
    let range: Range<Int>

    /// - Returns: `nil` if the text is not an import map.
    init?(_ text: [UInt8], base: URLRecord?, range: Range<Int>) {
        guard case .object(let members)? = try? JSONParser.parse(text) else { return nil }
        self.range = range
        imports = Self.entries(members.first { $0.name == "imports" }?.value, base)
        guard case .object(let scopes)? = members.first(where: { $0.name == "scopes" })?.value
        else {
            self.scopes = []
            return
        }
        self.scopes = scopes.compactMap { scope in
            URLRecord.parse(scope.name.utf8, base: base).map {
                ($0.serialized(), Self.entries(scope.value, base))
            }
        }
    }

    private static func entries(_ value: JSONValue?, _ base: URLRecord?) -> Entries {
        guard case .object(let members)? = value else { return [] }
        return members.map { member in
            guard case .string(let text) = member.value,
                DocumentReader.isAddress(Array(text.utf8))
            else { return (Array(member.name.utf8), nil) }
            return (Array(member.name.utf8), URLRecord.parse(text.utf8, base: base))
        }
    }

    /// Looks up a bare name imported by a module with this URL.
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
