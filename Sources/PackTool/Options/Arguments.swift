import ArgumentParser
import PackCore

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
