import PackCheck

/// A path as a person types it: in single quotes, in which a shell replaces nothing, where it would otherwise split or
/// replace something.
func shellWord(_ path: String) -> String {
    let isPlain = !path.isEmpty && !path.contains { " \n\t'\"\\$`&;|<>()[]{}*?!#~".contains($0) }
    return isPlain ? path : "'\(path.replacing("'", with: #"'\''"#))'"
}
