import ArgumentParser
import PackArchive
import PackCheck
import PackProfile

extension CompressionLevel: ExpressibleByArgument {}

extension Profile.PageOrigin: ExpressibleByArgument {}

/// The name of a built-in profile.
struct ProfileName: ExpressibleByArgument {
    let name: String

    init?(argument: String) {
        guard Profile.builtIn(named: argument) != nil else { return nil }
        name = argument
    }

    static var allValueStrings: [String] { Profile.builtIn.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension CompletionKind {
    /// A build, a package, a manifest or an origin: a file or a directory.
    ///
    /// Without it, shells do not complete file names for string arguments.
    static var path: CompletionKind { .file() }

    /// The ids of the rules of `check`.
    static var rules: CompletionKind { .list(RuleCatalog.all.map(\.id)) }
}
