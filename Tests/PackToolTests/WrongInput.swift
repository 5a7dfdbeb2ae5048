import TestSupport

/// A user error and the expected reaction.
struct WrongInput: Sendable, CustomStringConvertible {
    /// Names the case and its snapshot section.
    let name: String
    /// The setup script (``Fixtures/prelude``).
    let prepare: String
    /// The text before `packtool`: variables, another user.
    let prefix: String
    /// The arguments, as typed.
    let arguments: String
    let status: Int32
    /// The start of the error's code in `--json`, or `nil` if the result itself is the document.
    let code: String?
    /// The texts that the message must contain.
    let says: [String]
    /// The prefix of files that may remain afterwards.
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
        usage + unused + words + configuration + builds + paths + surroundings + manifests
        + origins
        + installations + channels + embedding + deltas + applications
}
