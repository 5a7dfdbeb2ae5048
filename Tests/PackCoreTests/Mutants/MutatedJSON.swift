import PackGround
import PackOrigin
import PackRelease
import TestSupport

/// Edits of a JSON document that keep it valid, and different spellings of its text.
struct MutatedJSON {
    private(set) var root: JSONValue
    private var program: EditProgram

    private static let words = [
        "", "index.html", "../a", "/", "a//b", "CON", "A.JS", "a.js", "\u{0}", "\u{7F}", "é",
        "e\u{301}",
        "production", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
        "-001-01-01T00:00:00Z", "%2F", "%zz", "https://x/%C3%BC.css", "AA==", "AB==", "=", "1",
        String(repeating: "a", count: 255), String(repeating: "0", count: 64),
        String(repeating: "0", count: 20),
    ]
    /// Possible spellings of numbers, and invalid ones.
    private static let spellings = [
        "-0", "1.0", "1e2", "1E400", "-1e-400", "9007199254740991", "9007199254740992",
        "-9007199254740992",
        "18446744073709551616", "1e999999999999", "01", "+1", ".5", "1.", "0x1", "NaN",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"", "\"\\u0000\"", "\"\\q\"", "tru", "[[[[[[[[]]]]]]]]",
        "{\"a\":1,\"a\":2}", "",
    ]

    init(_ root: JSONValue, _ program: EditProgram) {
        self.root = root
        self.program = program
    }

    /// Applies the program's edits.
    ///
    /// - Parameter repair: Updates hashes and lists to match. Skipped for some mutants.
    /// - Returns: The text, sometimes damaged.
    static func text(
        of root: JSONValue, _ program: inout EditProgram, repair: (JSONValue) -> JSONValue
    ) -> [UInt8] {
        let form = program.byte()
        var json = MutatedJSON(root, program)
        for _ in 0...Int(form & 3) where !json.program.isAtEnd { json.edit() }
        if form & 0x18 != 0 { json.root = repair(json.root) }
        var text = JSONWriter.write(json.root)
        if form & 0xE0 == 0 { json.program.damage(&text) }
        program = json.program
        return text
    }

    private mutating func edit() {
        root = edited(root, depth: 0)
    }

    /// Selects a value according to the program and edits it.
    private mutating func edited(_ value: JSONValue, depth: Int) -> JSONValue {
        let choice = program.byte()
        // Most edits are at deeper levels.
        guard choice & 3 != 0 || depth == 0, depth < 8 else { return changed(value) }
        switch value {
        case .object(var members) where !members.isEmpty:
            let index = program.below(members.count)
            let member = members[index]
            switch choice >> 3 {
            case 0: members.remove(at: index)
            case 1: members.append(member)
            case 2: members[index] = .init(word(member.name), member.value)
            case 3: members.swapAt(index, program.below(members.count))
            case 4: members.append(.init(word("new"), fresh()))
            default:
                members[index] = .init(member.name, edited(member.value, depth: depth + 1))
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty:
            let index = program.below(elements.count)
            switch choice >> 3 {
            case 0: elements.remove(at: index)
            case 1: elements.insert(elements[index], at: program.below(elements.count))
            case 2: elements.swapAt(index, program.below(elements.count))
            case 3:
                elements += Array(
                    repeating: elements[index],
                    count: program.below(8) == 0 ? 101 : program.below(4))
            default: elements[index] = edited(elements[index], depth: depth + 1)
            }
            return .array(elements)
        default: return changed(value)
        }
    }

    private mutating func changed(_ value: JSONValue) -> JSONValue {
        switch (value, program.below(4)) {
        case (.string(let text), 1...): .string(word(text))
        case (.integer(let number), 1...): .integer(this(number))
        case (.bool(let flag), 1...): .bool(!flag)
        default: fresh()
        }
    }

    private mutating func this(_ number: Int) -> Int {
        // The writer accepts any number, but the reader only exact ones.
        program.isSet()
            ? Int(truncatingIfNeeded: program.number()) : number &+ Int(program.byte()) &- 128
    }

    /// Another word, or a changed one.
    private mutating func word(_ text: String) -> String {
        var bytes = Array(text.utf8)
        switch program.below(5) {
        case 0: return program.pick(Self.words)
        case 1: return String(decoding: program.raw(atMost: 40), as: UTF8.self)
        case 2: bytes += Array(program.pick(Self.words).utf8)
        case 3: bytes.removeLast(min(bytes.count, program.below(70)))
        default:
            if !bytes.isEmpty { bytes[program.below(bytes.count)] = program.byte() }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func fresh() -> JSONValue {
        switch program.below(8) {
        case 0: return .null
        case 1: return .bool(program.isSet())
        case 2: return .integer(Int(truncatingIfNeeded: program.number()))
        case 3: return .decimal(program.pick(Self.spellings))
        case 4: return .string(word(""))
        case 5: return .array([])
        case 6: return .object([])
        default:
            return (0..<program.below(program.below(8) == 0 ? 160 : 8)).reduce(.integer(1)) {
                value, _ in .array([value])
            }
        }
    }
}

extension JSONValue {
    /// The value of an object's first member with this name.
    func first(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var word: String? { if case .string(let text) = self { text } else { nil } }

    var items: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    func replacing(_ name: String, by value: JSONValue) -> JSONValue {
        guard case .object(var members) = self,
            let index = members.firstIndex(where: { $0.name == name })
        else { return self }
        members[index] = .init(name, value)
        return .object(members)
    }
}

/// Edited manifests and pointers.
enum MutatedDocument {
    private static let hashes = (
        old: String(repeating: "0a", count: 32), new: String(repeating: "b1", count: 32)
    )

    private static func asset(_ path: String, _ encoded: String, _ size: Int) -> JSONValue {
        .members([
            "path": .string(path), "url": .string("https://cdn.example.com/o/" + encoded),
            "sha256": .string(hashes.new), "size": .integer(size), "type": .string("text/html"),
        ])
    }

    private static func reference(_ name: String) -> JSONValue {
        .members([
            "url": .string("https://cdn.example.com/" + name), "sha256": .string(hashes.old),
            "size": .integer(412),
        ])
    }

    private static let manifest: JSONValue = .members([
        "version": .string(""), "files": .array([]), "schema": .integer(1), "app": .string("shop"),
        "packageHash": .string(""), "launch": .string("index.html"), "scheme": .string("custom"),
        "assets": .array([
            asset("a b/ü.css", "%C3%BC.css", 0), asset("index.html", "index.html", 14),
            asset("static/main.js", "main.js", 5),
        ]),
        "package": reference("package.zip"),
        "build": .members(["commit": .string("4f2a"), "tool": .string("packtool 1")]),
    ])

    static let pointer: JSONValue = .members([
        "schema": .integer(1), "app": .string("shop"), "channel": .string("production"),
        "sequence": .integer(418), "createdAt": .string("2026-11-21T08:00:00Z"),
        "expires": .string("2027-02-19T08:00:00Z"), "version": .string(""),
        "packageHash": .string(hashes.new),
        "tree": .members(["assets": .integer(3), "size": .integer(19)]), "label": .string("2.4.1"),
        "info": reference("info.json"),
        "package": reference("package.zip"),
        "deltas": .array([
            .members([
                "from": .string(String(hashes.old.prefix(20))), "fromHash": .string(hashes.old),
                "url": .string("https://cdn.example.com/d"), "sha256": .string(hashes.new),
                "size": .integer(7), "memory": .integer(1 << 20),
            ])
        ]),
        "rollout": .integer(100), "mandatory": .bool(false), "enabled": .bool(true),
        "minNativeVersion": .null,
    ])

    static func manifest(_ bytes: [UInt8]) -> [UInt8] {
        var program = EditProgram(bytes)
        return MutatedJSON.text(of: manifest, &program, repair: repairedManifest)
    }

    static func pointer(_ bytes: [UInt8]) -> [UInt8] {
        var program = EditProgram(bytes)
        return pointer(&program)
    }

    private static func pointer(_ program: inout EditProgram) -> [UInt8] {
        MutatedJSON.text(of: pointer, &program, repair: repairedPointer)
    }

    /// Updates the version to match the hash.
    static func repairedPointer(_ root: JSONValue) -> JSONValue {
        root.replacing(
            "version", by: .string(String((root.first("packageHash")?.word ?? "").prefix(20))))
    }

    /// An edited envelope around an edited pointer.
    static func envelope(_ bytes: [UInt8]) -> [UInt8] {
        var program = EditProgram(bytes)
        let payload = pointer(&program)
        let envelope: JSONValue = .members([
            "payloadType": .string(Envelope.pointerType), "payload": .string(base64(payload)),
            "signatures": .array([.members(["keyid": .string("k"), "sig": .string("AAEC")])]),
        ])
        // Most envelopes stay valid, so that the pointer is read.
        if program.below(4) != 0 || program.isAtEnd { return JSONWriter.write(envelope) }
        return MutatedJSON.text(of: envelope, &program) { root in
            root.replacing("payloadType", by: .string(Envelope.pointerType))
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let word = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[$1]) : 0) }
            for digit in 0..<4 {
                text.append(
                    digit <= group.count ? digits[word >> (18 - 6 * digit) & 63] : UInt8(ascii: "=")
                )
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Updates order, URLs, hash and version to match the assets.
    private static func repairedManifest(_ root: JSONValue) -> JSONValue {
        let listed = (root.first("assets")?.items ?? []).map { element in
            (element: element, asset: asset(element))
        }
        let sorted = listed.sorted {
            guard let one = $0.asset, let other = $1.asset else { return false }
            return one.path < other.path
        }
        let hash = Release(assets: sorted.compactMap(\.asset)).packageHash.description
        return root.replacing("assets", by: .array(sorted.map(\.element)))
            .replacing("files", by: .array(sorted.map { $0.element.first("url") ?? .null }))
            .replacing("packageHash", by: .string(hash))
            .replacing("version", by: .string(String(hash.prefix(20))))
    }

    private static func asset(_ element: JSONValue) -> Asset? {
        guard let path = element.first("path")?.word.flatMap({ try? AssetPath($0) }),
            let digest = element.first("sha256")?.word.flatMap({ Digest($0) })
        else { return nil }
        return Asset(path: path, size: 0, sha256: digest)
    }
}
