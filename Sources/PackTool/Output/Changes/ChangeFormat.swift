import ArgumentParser

/// The output formats for changes.
enum ChangeFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, github, markdown
}
