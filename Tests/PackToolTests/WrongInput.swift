import TestSupport

/// One thing a user can get wrong, and what the tool has to make of it.
struct WrongInput: Sendable, CustomStringConvertible {
    /// Names the case, its snapshot section too.
    let name: String
    /// Makes the situation (``Fixtures/prelude``).
    let prepare: String
    /// What stands before `packtool`: variables, another user.
    let prefix: String
    /// The arguments, as typed.
    let arguments: String
    let status: Int32
    /// The start of the error's code in `--json`; `nil` where the result itself is the document.
    let code: String?
    /// What the message has to name.
    let says: [String]
    /// Names that may be new afterwards, by their prefix.
    let leaves: String?

    init(
        _ name: String, _ arguments: String, given prepare: String = "", prefix: String = "",
        status: Int32 = 2, code: String?, says: [String], leaves: String? = nil
    ) {
        self.name = name
        self.prepare = prepare
        self.prefix = prefix
        self.arguments = arguments
        self.status = status
        self.code = code
        self.says = says
        self.leaves = leaves
    }

    var description: String { name }

    static let all =
        usage + unused + words + configuration + builds + places + surroundings + manifests
        + origins
        + installations + channels + embedding + deltas + applications
}
