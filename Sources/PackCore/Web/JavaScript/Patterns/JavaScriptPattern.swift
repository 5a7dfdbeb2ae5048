/// A shape of code that refers to a file or depends on the page's address.
struct JavaScriptPattern: Sendable {
    typealias Read = @Sendable (inout JavaScriptReader, JavaScriptNode.ID, Span<UInt8>) -> Void

    /// The node that a pattern reads.
    enum Trigger: Sendable {
        /// `name(…)`, `x.name(…)`
        case call
        /// `new name(…)`, `new x.name(…)`
        case new
        /// `x.name`
        case member
        /// `name` anywhere
        case name
        /// `name = …`, `x.name = …`, and the other assignments.
        case assignment
        /// `{name: …}`
        case property
        /// A node of a kind, whatever its names.
        case node(JavaScriptNode.Kind)
    }

    let trigger: Trigger
    let names: [JavaScriptName]
    let read: Read

    init(_ trigger: Trigger, _ names: JavaScriptName..., read: @escaping Read) {
        self.trigger = trigger
        self.names = names
        self.read = read
    }
}

/// All patterns, by their trigger.
struct JavaScriptPatterns: Sendable {
    enum Column: Int, CaseIterable {
        case call, new, member, name, assignment, property

        var bit: UInt8 { 1 &<< UInt8(truncatingIfNeeded: rawValue) }
    }

    static let shared = JavaScriptPatterns(
        JavaScriptReader.requestPatterns + JavaScriptReader.assetPatterns
            + JavaScriptReader.pagePatterns + JavaScriptReader.codePatterns
            + JavaScriptReader.bundlePatterns)

    private let patterns: [JavaScriptPattern]
    /// The columns with a pattern of each name, as bits.
    let columns: [UInt8]
    /// The patterns of each column and name.
    private let byName: [[Int]]
    private let byKind: [[Int]]

    private init(_ patterns: [JavaScriptPattern]) {
        self.patterns = patterns
        var columns = [UInt8](repeating: 0, count: JavaScriptName.allCases.count + 1)
        var byName = [[Int]](repeating: [], count: columns.count * Column.allCases.count)
        var byKind = [[Int]](repeating: [], count: 256)
        for (index, pattern) in patterns.enumerated() {
            guard let column = Self.column(pattern.trigger) else {
                if case .node(let kind) = pattern.trigger {
                    byKind[Int(kind.rawValue)].append(index)
                }
                continue
            }
            for name in pattern.names {
                columns[Self.number(name)] |= column.bit
                byName[Self.number(name) * Column.allCases.count + column.rawValue].append(index)
            }
        }
        self.columns = columns
        self.byName = byName
        self.byKind = byKind
    }

    private static func column(_ trigger: JavaScriptPattern.Trigger) -> Column? {
        switch trigger {
        case .call: .call
        case .new: .new
        case .member: .member
        case .name: .name
        case .assignment: .assignment
        case .property: .property
        case .node: nil
        }
    }

    static func number(_ name: JavaScriptName) -> Int { Int(name.rawValue) + 1 }

    /// Reads a node with the patterns of its name.
    func run(
        _ column: Column, _ name: JavaScriptNames.ID, _ id: JavaScriptNode.ID,
        _ reader: inout JavaScriptReader, _ source: Span<UInt8>
    ) {
        for index in byName[Int(name) &* Column.allCases.count &+ column.rawValue] {
            patterns[index].read(&reader, id, source)
        }
    }

    /// Reads a node with the patterns of its kind.
    func run(
        _ kind: JavaScriptNode.Kind, _ id: JavaScriptNode.ID, _ reader: inout JavaScriptReader,
        _ source: Span<UInt8>
    ) {
        for index in byKind[Int(kind.rawValue)] { patterns[index].read(&reader, id, source) }
    }
}
