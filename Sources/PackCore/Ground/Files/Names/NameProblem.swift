/// The reason why a release cannot contain a name (`docs/formats.md`, "Names" and "The strict zip
/// profile").
///
/// Three checks report them: ``AssetPath`` for any path, ``AssetPath/portabilityProblem`` for names
/// in packages, and ``NameCollisions`` for names that a client could not keep apart.
package enum NameProblem: Error, Equatable, Sendable {
    case empty, absolute, emptyComponent, dotComponent
    case controlCharacter, backslash, notUTF8, componentTooLong
    case symbolicLink, notAFile
    case collides(with: String)
    case colon, trailingDotOrSpace, deviceName, notComposed, pathTooLong, tooDeep

    package var reason: String {
        switch self {
        case .empty: "the name is empty"
        case .absolute: "the path is absolute"
        case .emptyComponent: "the path has an empty component"
        case .dotComponent: "the path has a '.' or '..' component"
        case .controlCharacter: "the name contains a control character"
        case .backslash: "the name contains a backslash, which some systems read as a separator"
        case .notUTF8: "the name is not valid UTF-8"
        case .componentTooLong: "a component is longer than \(AssetPath.longestComponent) bytes"
        case .symbolicLink: "it is a symbolic link"
        case .notAFile: "it is neither a file nor a directory"
        case .collides(let other):
            "it equals '\(other)' on a file system that ignores case or Unicode normal form"
        case .colon: "the name contains a colon, which some systems refuse"
        case .trailingDotOrSpace: "a component ends in a dot or a space, which some systems drop"
        case .deviceName: "a component is a device name on Windows"
        case .notComposed: "the name is not in Unicode normal form C"
        case .pathTooLong: "the path is longer than \(AssetPath.longestPath) bytes"
        case .tooDeep: "the path is deeper than \(AssetPath.deepestPath) components"
        }
    }
}
