// Prints the trees of scripts and their features, for Tests/Rigs/JavaScript.
import Foundation

/// The names of our kinds there; other kinds are not compared.
private let kinds: [JavaScriptNode.Kind: String] = [
    .call: "call", .new: "new", .importCall: "import-call", .member: "member", .index: "index",
    .string: "string",
    .regularExpression: "regex", .true: "boolean", .false: "boolean", .null: "null",
    .number: "number",
    .template: "template", .taggedTemplate: "tagged", .templateText: "text",
    .functionExpression: "function",
    .functionDeclaration: "function", .arrowFunction: "arrow", .conditional: "conditional",
    .binary: "binary",
    .assignment: "assign", .unary: "unary", .update: "update", .sequence: "sequence",
    .object: "object", .array: "array",
    .classDeclaration: "class", .classExpression: "class", .spread: "spread", .yield: "yield",
    .variables: "variables",
    .declarator: "declarator", .ifStatement: "if", .forStatement: "for", .forIn: "for-in",
    .forOf: "for-of",
    .whileStatement: "while", .doStatement: "do", .returnStatement: "return",
    .throwStatement: "throw",
    .tryStatement: "try", .catchClause: "catch", .switchStatement: "switch", .switchCase: "case",
    .block: "block",
    .labeled: "label", .expressionStatement: "statement", .importDeclaration: "import",
    .exportNamed: "export",
    .exportAll: "export", .exportDefault: "export", .metaProperty: "meta", .breakStatement: "break",
    .continueStatement: "continue", .this: "this", .super: "super", .identifier: "name",
    .privateName: "private",
    .property: "property", .method: "method-definition", .field: "field",
    .emptyStatement: "empty", .debugger: "debugger", .withStatement: "with",
    .importSpecifier: "import-specifier",
    .importDefault: "import-default", .importNamespace: "import-namespace",
    .exportSpecifier: "export-specifier",
    .error: "error",
]

/// Reads lines of a path, a tab and `module` or `script`; prints a line for each node of each script.
func printTrees() {
    while let line = readLine() {
        let parts = line.split(separator: "\t").map(String.init)
        guard parts.count == 2,
            let content = try? Array(Data(contentsOf: URL(fileURLWithPath: parts[0])))
        else { continue }
        let tree = JavaScriptParser.tree(
            of: content.span, goal: parts[1] == "module" ? .module : .unknown)
        var output = "file " + parts[0] + "\n"
        var open: [JavaScriptNode.ID] = [tree.root]
        while let id = open.popLast() {
            open += tree.children(id)
            guard let kind = name(of: id, in: tree) else { continue }
            output += "\(kind) \(tree[id].start) \(tree[id].end)\n"
        }
        print(output + "end")
    }
}

/// Reads the same lines; prints a line for each feature of each script, with its first offset.
func printFeatures() {
    while let line = readLine() {
        let parts = line.split(separator: "\t").map(String.init)
        guard parts.count == 2,
            let content = try? Array(Data(contentsOf: URL(fileURLWithPath: parts[0])))
        else { continue }
        let tree = JavaScriptParser.tree(
            of: content.span, goal: parts[1] == "module" ? .module : .unknown)
        print("file", parts[0])
        if tree.hasErrors { print("errors 0") }
        for (feature, offset) in tree.features.all { print(feature, offset) }
        print("end")
    }
}

private func name(of id: JavaScriptNode.ID, in tree: JavaScriptTree) -> String? {
    let node = tree[id]
    if node.kind == .unary, node.symbol == .await { return "await" }
    let parent = tree[tree.parent(id)]
    let isOfMember = parent.kind == .property || parent.kind == .method
    if node.kind == .functionExpression, isOfMember, tree.second(tree.parent(id)) == id,
        parent.flags.contains(.isMethod) || parent.flags.contains(.isAccessor)
    {
        return "method"
    }
    return kinds[node.kind]
}
