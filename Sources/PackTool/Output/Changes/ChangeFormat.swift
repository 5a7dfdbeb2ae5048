import ArgumentParser

/// The forms in which changes are shown.
enum ChangeFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, github, markdown
}
