import PackCheck

/// A path as typed in a shell, in single quotes if it contains special characters.
func shellWord(_ path: String) -> String {
    let isPlain = !path.isEmpty && !path.contains { " \n\t'\"\\$`&;|<>()[]{}*?!#~".contains($0) }
    return isPlain ? path : "'\(path.replacing("'", with: #"'\''"#))'"
}
