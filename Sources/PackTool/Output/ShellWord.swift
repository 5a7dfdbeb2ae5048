/// A path as a person types it: in quotes where a shell would split or replace something.
func shellWord(_ path: String) -> String {
    let isPlain = !path.isEmpty && !path.contains { " '\"\\$`&;|<>()*?!#~".contains($0) }
    return isPlain ? path : "\"\(path)\""
}
