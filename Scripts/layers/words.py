"""The words of Swift that matter for its scopes."""

TYPE_WORDS = {"struct", "enum", "class", "actor", "protocol"}
ACCESS = {"public", "package", "internal", "private", "fileprivate"}
MODIFIERS = ACCESS | {
    "static", "final", "mutating", "nonmutating", "override", "lazy", "weak", "unowned", "nonisolated",
    "consuming", "borrowing", "indirect", "convenience", "required", "optional", "dynamic",
}
# Words of the language wherever they appear.
RESERVED = {
    "as", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
    "associatedtype", "var", "where", "while", "yield", "Self", "Any", "_",
}
# Words of the language in certain places; a call of one is a call of a function.
CONTEXTUAL = MODIFIERS | {
    "actor", "any", "async", "copy", "didSet", "discard", "each", "get", "isolated", "sending", "set",
    "some", "unsafe", "willSet", "consume", "of", "safe", "every", "then",
}
BEFORE_BRACKET = {
    "any", "some", "async", "unsafe", "unowned", "nonisolated", "set", "sending", "consuming",
    "borrowing", "isolated", "repeat", "each", "copy", "consume",
}
# Names that the compiler declares.
IMPLICIT = {"error", "newValue", "oldValue"}
OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = {")", "]", "}"}
