extension Rule {
    /// A manifest in the build that the S003 client cannot use.
    static let manifestEntry = Rule(
        "manifest-entry", "the manifest lists a file that clients cannot load", group: .names,
        level: .always(.error),
        explanation: .init(
            what: """
                Reads an `info.json` in the build and checks its list of files: absolute https \
                URLs, and no two with the same last component where the client stores files by \
                name only.
                """,
            why: """
                The client loads each entry as it is written and stores it under its last \
                component. It never loads a relative URL or a custom URL.
                """,
            sources: [.cite(.s003, "info.json")],
            instead: "Create the file with `packtool manifest` or `packtool publish`.",
            detection:
                "Only a top-level `info.json` with `version` and `files` is checked."),
        examples: [
            .bad("info.json", "{\"version\": \"1\", \"files\": [\"/x.js\"]}"),
            .bad("info.json", "{\"version\": \"1\", \"files\": [\"customscheme://h/x.js\"]}"),
            .bad(
                "info.json",
                "{\"version\": \"1\", \"files\": [\"https://h/en/x.js\", \"https://h/zh/x.js\"]}"),
            .good("info.json", "{\"version\": \"1\", \"files\": [\"https://h/x.js\"]}"),
            .good("info.json", "{\"files\": 3}"),
        ],
        document: { document, sink in
            guard document.path.bytes.elementsEqual("info.json".utf8),
                case .object(let members)? = try? JSONParser.parse(document.bytes),
                members.contains(where: { $0.name == "version" }),
                case .array(let files)? = members.first(where: { $0.name == "files" })?.value
            else { return }
            var names: Set<[UInt8]> = []
            for case .string(let text) in files {
                guard let url = URLRecord.parse(text), url.scheme.elementsEqual("https".utf8) else {
                    sink.report(at: nil, "'\(printable(text.utf8))' is not an absolute https URL")
                    continue
                }
                let name = url.pathComponents.last.map(Array.init) ?? []
                if !names.insert(name).inserted, document.profile.client.lookUp == .basename {
                    sink.report(at: nil, "two entries end in '\(printable(name))'")
                }
            }
        })
}
