import PackGround

/// The kind of an output file, used to recognize one from an earlier run.
///
/// A command only replaces such a file or an empty one, so that a mistyped name does not destroy a
/// user's file. `text` has no mark.
enum OutputMark {
    case archive, manifest, schema, page, proposal, json, sarif, junit, markdown, github

    /// The number of bytes inspected in a file.
    static let length = 4096

    /// - Parameter format: The name of a format of findings or reports.
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

    /// Whether packtool wrote a file that starts with these bytes.
    func matches(_ head: [UInt8]) -> Bool {
        switch self {
        case .archive:
            // A local header without data descriptor, with the first time of 1980.
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

extension Failure.Code {
    static let outputForeign = Self("output.foreign")
}

extension Failure {
    /// The file to replace was not written by packtool.
    static func outputForeign(_ file: String, _ mark: OutputMark) -> Failure {
        Failure(
            .outputForeign, "'\(file)' exists and is not \(mark.name) written by packtool",
            unaffected: "'\(file)'; nothing was written", details: ["file": file])
    }
}
