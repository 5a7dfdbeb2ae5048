/// The context of the next token: whether `/` starts a regular expression, and whether `{` opens a
/// block or an object.
///
/// The grammar has two goals for a slash, depending on the production (docs/sources.md#ecma-262,
/// 12.1). This is the part of a parser that distinguishes them, with one frame for each open
/// bracket, and with automatic semicolons as far as they are needed.
struct JavaScriptContext: Sendable {
    /// An open bracket, or a head whose bracket has not been read yet.
    enum Frame: UInt8 {
        /// Around the whole script.
        case program
        case block, functionDeclaration, functionExpression, arrowBody, methodBody
        case object, exportList, classDeclaration, classExpression
        /// `( )` of a call or a group, of a statement's head, of `for`.
        case paren, controlParen, forParen
        case bracket
        case substitution
        /// After `function` and `class`, until `{`.
        case functionDeclarationHead, functionExpressionHead, classDeclarationHead,
            classExpressionHead

        var isHead: Bool { rawValue >= Frame.functionDeclarationHead.rawValue }
        var isParen: Bool { self == .paren || self == .controlParen || self == .forParen }
        var isClass: Bool { self == .classDeclaration || self == .classExpression }
    }

    /// The previous token, as far as needed.
    private enum Previous: UInt8 {
        case other, dot, control, forWord, closeParen, arrow, export, exportDefault, jump
        /// `return`, which ends with its line.
        case returnWord
        case staticWord, asyncDeclaration, asyncExpression
    }

    /// At greater depth, brackets are only counted.
    private static let deepest = 4_000_000

    /// The frame in the low byte; above it, the number of its `?` without a `:` so far.
    private var frames: [UInt32] = [UInt32(Frame.program.rawValue)]
    private var uncounted = 0
    private(set) var top = Frame.program
    private var questions: UInt32 = 0
    /// Whether an operand is expected: `/` starts a regular expression.
    private(set) var expectsOperand = true
    private(set) var startsStatement = true
    private(set) var startsMember = false
    private var previous = Previous.other

    var depth: Int { frames.count &- 1 &+ uncounted }

    // MARK: - Frames

    private mutating func push(_ frame: Frame) {
        guard frames.count < Self.deepest else {
            uncounted &+= 1
            return
        }
        frames[frames.count &- 1] = UInt32(top.rawValue) | questions &<< 8
        frames.append(UInt32(frame.rawValue))
        top = frame
        questions = 0
    }

    private mutating func pop() {
        if uncounted > 0 {
            uncounted &-= 1
            return
        }
        guard frames.count > 1 else { return }
        frames.removeLast()
        let below = frames[frames.count &- 1]
        top = Frame(rawValue: UInt8(truncatingIfNeeded: below)) ?? .program
        questions = below &>> 8
    }

    private mutating func popHeads() { while top.isHead, frames.count > 1 { pop() } }

    private mutating func replace(_ frame: Frame) {
        top = frame
        questions = 0
    }

    @inline(__always)
    private mutating func expect(
        operand: Bool, statement: Bool = false, _ previous: Previous = .other
    ) {
        expectsOperand = operand
        startsStatement = statement
        startsMember = false
        self.previous = previous
    }

    private mutating func openStatements() { expect(operand: true, statement: true) }

    private mutating func openMembers() {
        expect(operand: false)
        startsMember = true
    }

    // MARK: - Tokens

    /// A string, number, template without substitution, regular expression or private name.
    @inline(__always)
    mutating func operand() { expect(operand: false) }

    /// Whether a keyword is a plain name here: after a dot, or as a member's name.
    @inline(__always)
    var takesAnyName: Bool { previous == .dot || startsMember }

    /// A name or keyword.
    mutating func word(_ word: JavaScriptWord, afterNewline: Bool) {
        if previous == .dot {
            expect(operand: false)
            return
        }
        if startsMember {
            let isModifier = word == .static || word == .accessor || word == .async
            expect(operand: false, word == .static ? .staticWord : .other)
            startsMember = isModifier
            return
        }
        switch word {
        case .name, .accessor, .static, .operand:
            if previous == .jump, !afterNewline, word != .operand {
                openStatements()
            } else {
                expect(operand: false)
            }
        case .function: function(afterNewline: afterNewline)
        case .class:
            let isDeclaration = isDeclarationHere
            push(isDeclaration ? .classDeclarationHead : .classExpressionHead)
            expect(operand: false)
        case .extends, .operator, .import, .declaration: expect(operand: true)
        case .control: expect(operand: true, statement: true, .control)
        case .for: expect(operand: true, .forWord)
        case .statement, .debugger: openStatements()
        case .return: expect(operand: true, .returnWord)
        case .jump: expect(operand: true, statement: true, .jump)
        case .default:
            let isExport = previous == .export
            expect(operand: isExport, isExport ? .exportDefault : .other)
        case .export: expect(operand: true, statement: true, .export)
        case .async:
            expect(operand: false, isDeclarationHere ? .asyncDeclaration : .asyncExpression)
        case .await: expect(operand: true, previous == .forWord ? .forWord : .other)
        // In `for (x of y)` it is an operator; elsewhere it is a name, which minifiers use.
        case .of: expect(operand: top == .forParen && !expectsOperand)
        }
    }

    /// Whether `function` or `class` starts a declaration here.
    ///
    /// If an operator is expected, it can only follow an automatic semicolon.
    private var isDeclarationHere: Bool {
        startsStatement || !expectsOperand || previous == .exportDefault
    }

    private mutating func function(afterNewline: Bool) {
        let isDeclaration =
            switch previous {
            case .asyncDeclaration where !afterNewline: true
            case .asyncExpression where !afterNewline: false
            default: isDeclarationHere
            }
        push(isDeclaration ? .functionDeclarationHead : .functionExpressionHead)
        expect(operand: false)
    }

    mutating func openParen() {
        let frame: Frame =
            switch previous {
            case .control: .controlParen
            case .forWord: .forParen
            default: .paren
            }
        push(frame)
        expect(operand: true)
    }

    mutating func closeParen() {
        popHeads()
        guard top.isParen else {
            expect(operand: false, .closeParen)
            return
        }
        let isControl = top != .paren
        pop()
        if isControl { openStatements() } else { expect(operand: false, .closeParen) }
    }

    mutating func openBracket() {
        push(.bracket)
        expect(operand: true)
    }

    mutating func closeBracket() {
        popHeads()
        if top == .bracket { pop() }
        expect(operand: false)
    }

    mutating func openBrace(afterNewline: Bool) {
        switch top {
        case .functionDeclarationHead: replace(.functionDeclaration)
        case .functionExpressionHead: replace(.functionExpression)
        case .classDeclarationHead where !expectsOperand:
            replace(.classDeclaration)
            return openMembers()
        case .classExpressionHead where !expectsOperand:
            replace(.classExpression)
            return openMembers()
        default:
            let frame = braceFrame(afterNewline: afterNewline)
            push(frame)
            if frame == .object || frame == .exportList { return openMembers() }
        }
        openStatements()
    }

    private func braceFrame(afterNewline: Bool) -> Frame {
        switch previous {
        case .arrow: return .arrowBody
        case .export: return .exportList
        case .returnWord where afterNewline: return .block
        default: break
        }
        if top.isClass || top == .object {
            return expectsOperand && previous != .staticWord ? .object : .methodBody
        }
        return startsStatement || !expectsOperand ? .block : .object
    }

    /// Closes a brace.
    ///
    /// - Returns: Whether the brace ends a substitution, so that the template continues.
    mutating func closeBrace() -> Bool {
        popHeads()
        let closed = top
        switch closed {
        case .substitution:
            pop()
            return true
        case .object, .functionExpression, .classExpression:
            pop()
            expect(operand: false)
        case .methodBody:
            pop()
            expect(operand: false)
            startsMember = top.isClass
        case .block, .functionDeclaration, .arrowBody, .exportList, .classDeclaration:
            pop()
            openStatements()
            startsMember = top.isClass
        default: openStatements()
        }
        return false
    }

    mutating func openSubstitution() {
        push(.substitution)
        expect(operand: true)
    }

    mutating func semicolon() {
        popHeads()
        questions = 0
        if top.isClass { return openMembers() }
        expect(operand: true, statement: !top.isParen)
    }

    mutating func comma() {
        expect(operand: true)
        startsMember = top == .object || top == .exportList
    }

    mutating func colon() {
        if questions > 0 {
            questions &-= 1
            return expect(operand: true)
        }
        switch top {
        case .object, .paren, .controlParen, .forParen, .bracket, .substitution:
            expect(operand: true)
        // A label, or the end of `case`.
        default: openStatements()
        }
    }

    mutating func question() {
        if questions < 0xFF_FFFF { questions &+= 1 }
        expect(operand: true)
    }

    mutating func dot() { expect(operand: true, .dot) }
    mutating func arrow() { expect(operand: true, .arrow) }

    /// `++` and `--`: after an operand on the same line, they belong to it.
    mutating func increment(afterNewline: Bool) {
        expect(operand: expectsOperand || afterNewline)
    }

    mutating func star() {
        let wasMember = startsMember
        expect(operand: !wasMember && !top.isHead)
        startsMember = wasMember
    }

    @inline(__always)
    mutating func otherOperator() { expect(operand: true) }
}
