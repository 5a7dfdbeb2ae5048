/// A node of a script's tree.
///
/// Kinds follow ESTree (https://github.com/estree/estree), except that parentheses have no node, that
/// patterns have the kinds of expressions, and that a template without substitutions and tag is a
/// string. A comment after a kind lists its children; `absent` stands for a missing one.
struct JavaScriptNode: Sendable {
    typealias ID = UInt32

    /// The kind of a node.
    enum Kind: UInt8, Sendable {
        /// The node with the number 0, and the place of a missing child.
        case absent
        /// Tokens that do not fit the grammar, or those that are nested too deep.
        case error
        case program

        // Statements.
        case block
        /// expression
        case expressionStatement
        /// declarator…; the symbol is the word
        case variables
        /// target, value or absent
        case declarator
        /// test, then, else or absent
        case ifStatement
        /// start, test, update, body
        case forStatement
        /// target or variables, object, body
        case forIn, forOf
        /// test, body
        case whileStatement
        /// body, test
        case doStatement
        /// value or absent
        case returnStatement
        case throwStatement
        /// label or absent
        case breakStatement, continueStatement
        /// value, case…
        case switchStatement
        /// test or absent, statement…
        case switchCase
        /// block, catch or absent, finally or absent
        case tryStatement
        /// parameter or absent, block
        case catchClause
        /// label, statement
        case labeled
        /// object, body
        case withStatement
        case debugger, emptyStatement
        /// specifier…, string, attributes
        case importDeclaration
        /// imported, local
        case importSpecifier
        /// local
        case importDefault, importNamespace
        /// declaration; or specifier…, string
        case exportNamed
        /// name or absent, string
        case exportAll
        case exportDefault
        /// local, exported
        case exportSpecifier

        // Functions and classes.
        /// name or absent, parameters, body
        case functionDeclaration, functionExpression
        /// parameters, body
        case arrowFunction
        case parameters
        /// name or absent, superclass or absent, member…
        case classDeclaration, classExpression
        /// key, function
        case method
        /// key, value or absent
        case field
        case staticBlock
        case decorator

        // Expressions.
        /// Their first child is the number of the name.
        case identifier, privateName
        case this, `super`, number, string, regularExpression, null, `true`, `false`
        /// text, expression, text, …
        case template
        case templateText
        /// tag, template
        case taggedTemplate
        /// element…, `absent` for a hole
        case array
        case object
        /// key, value
        case property
        case spread
        /// operand; the symbol is the operator
        case unary, update
        /// left, right; the symbol is the operator
        case binary
        /// target, value; the symbol is the operator
        case assignment
        /// test, then, else
        case conditional
        case sequence
        /// object, identifier or privateName
        case member
        /// object, expression
        case index
        /// callee, argument…
        case call, new
        /// argument…
        case importCall
        /// `import.meta` and `new.target`: identifier, identifier
        case metaProperty
        /// value or absent
        case yield
    }

    /// Properties of a node besides its kind.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        /// Of a string or a text: its characters differ from its bytes.
        static let escaped = Flags(rawValue: 1)
        static let unterminated = Flags(rawValue: 2)
        /// A string with the delimiters of a template.
        static let isTemplate = Flags(rawValue: 4)
        /// A key in brackets.
        static let computed = Flags(rawValue: 1)
        /// `{a}`.
        static let shorthand = Flags(rawValue: 2)
        /// `{a() {}}`, `get a() {}`.
        static let isMethod = Flags(rawValue: 4)
        static let isAccessor = Flags(rawValue: 8)
        static let isStatic = Flags(rawValue: 16)
        /// Of a function.
        static let isAsync = Flags(rawValue: 1)
        static let isGenerator = Flags(rawValue: 2)
        /// `?.` before the name, the bracket or the parenthesis.
        static let optional = Flags(rawValue: 1)
        /// `x++`.
        static let isPostfix = Flags(rawValue: 1)
        /// `export * from`, `for await`.
        static let isAwait = Flags(rawValue: 1)
        /// Of an identifier: the name of a member, a property or a label, not of a value.
        static let isKey = Flags(rawValue: 64)
        /// In parentheses of its own.
        static let parenthesized = Flags(rawValue: 128)
    }

    var kind: Kind
    var symbol: JavaScriptSymbol
    var flags: Flags
    var start: UInt32
    var end: UInt32
    /// The first child; of a name, its number in the table of names.
    var first: UInt32
    var next: ID
    var parent: ID

    init(
        _ kind: Kind, _ start: UInt32, _ end: UInt32, symbol: JavaScriptSymbol = .none,
        flags: Flags = [], first: UInt32 = 0
    ) {
        self.kind = kind
        self.symbol = symbol
        self.flags = flags
        self.start = start
        self.end = end
        self.first = first
        next = 0
        parent = 0
    }
}

extension JavaScriptNode.Kind {
    var isFunction: Bool {
        self == .functionExpression || self == .arrowFunction || self == .functionDeclaration
    }

    /// Whether patterns read nodes of the kind, whatever their names.
    var isWatched: Bool {
        switch self {
        case .importCall, .importDeclaration, .exportNamed, .exportAll, .variables, .error,
            .forStatement, .functionExpression, .functionDeclaration, .array, .throwStatement:
            true
        default: false
        }
    }

    var isClass: Bool { self == .classDeclaration || self == .classExpression }
    var isName: Bool { self == .identifier || self == .privateName }

    var isStatement: Bool {
        rawValue >= Self.block.rawValue && rawValue <= Self.exportSpecifier.rawValue
            || self == .functionDeclaration || self == .classDeclaration || self == .program
    }
}
