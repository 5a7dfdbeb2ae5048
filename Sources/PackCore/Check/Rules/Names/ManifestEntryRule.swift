import PackGround
import PackProfile
import PackURL

extension Rule {
    /// A manifest in the build that the S003 client cannot use.
    static let manifestEntry = Rule(
        "manifest-entry", group: .names, level: .always(.error),
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
