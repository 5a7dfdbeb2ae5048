import PackGround

/// The kind of a file that a command writes, by which it recognises an earlier one.
///
/// A command replaces only such a file, or an empty one: a mistyped name must not cost a user's file. `text` has no
/// mark.
enum OutputMark {
    case archive, manifest, schema, page, proposal, json, sarif, junit, markdown, github

    /// How much of a file is looked at, in bytes.
    static let length = 4096

    /// - Parameter format: the name of a form of findings or reports.
    init?(format: String) {
        switch format {
        case "html": self = .page
        case "json": self = .json
        case "sarif": self = .sarif
        case "junit": self = .junit
        case "markdown": self = .markdown
        case "github": self = .github
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .archive: "a package or delta"
        case .manifest: "an info.json"
        case .schema: "a schema"
        case .page: "a report"
        case .proposal: "a proposal"
        case .json, .sarif, .junit, .markdown, .github: "an output of this form"
        }
    }

    /// Whether a file that begins with some bytes was written by packtool.
    func matches(_ head: [UInt8]) -> Bool {
        switch self {
        case .archive:
            // A local header without data descriptor, whose time is the first of 1980.
            return head.count > 14 && head.starts(with: [0x50, 0x4B, 3, 4]) && head[6] & 8 == 0
                && head[10..<14].elementsEqual([0, 0, 0x21, 0])
        case .manifest:
            return head.starts(with: "{\n  \"version\": \"".utf8) && contains("\"files\": [", head)
        case .schema: return contains("\"$id\": \"packtool.schema.json\"", head)
        case .page:
            return contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-", head)
        case .proposal: return contains("\"application/vnd.packtool.", head)
        case .json: return head.starts(with: "{\n  \"schema\": 1,".utf8)
        case .sarif: return contains("\"name\": \"packtool\"", head)
        case .junit: return contains("<testsuites name=\"packtool", head)
        case .markdown: return head.starts(with: "## ".utf8)
        case .github: return head.starts(with: "::".utf8)
        }
    }

    private func contains(_ text: String, _ head: [UInt8]) -> Bool {
        head.firstRange(of: Array(text.utf8)) != nil
    }
}

/// A file that would be replaced was not written by packtool.
struct OutputForeign: Remedied {
    let file: String
    let mark: OutputMark

    var code: String { "output.foreign" }
    var description: String { "'\(file)' exists and is not \(mark.name) written by packtool" }
    var unaffected: String? { "'\(file)'; nothing was written" }
    var remedy: String { "choose another name, or remove '\(file)' first" }
}
