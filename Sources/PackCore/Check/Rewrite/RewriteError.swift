package import PackGround

/// The reason why a build cannot be rewritten.
package enum RewriteError: Remedied, Equatable {
    case noHost
    case securePages
    case dualNeedsProtocolRelative
    /// Long URLs would make the file disproportionately large; sizes in bytes.
    case growsTooMuch(path: String, size: Int, limit: Int)
    /// Two edits of a file overlap: a bug in packtool.
    case overlappingEdits(path: String)
    case noRecord(path: String)
    case badRecord(path: String, problem: String)
    /// A rewritten file was modified later.
    case changedSince(path: String)
    /// Rewritten files are missing or renamed.
    case recordedFilesMissing(path: String, names: [String])

    package var code: String {
        switch self {
        case .noHost: "rewrite.no-host"
        case .securePages: "rewrite.https-pages"
        case .dualNeedsProtocolRelative: "rewrite.dual-custom"
        case .growsTooMuch: "rewrite.grows-too-much"
        case .overlappingEdits: "rewrite.overlap"
        case .noRecord: "rewrite.no-record"
        case .badRecord: "rewrite.bad-record"
        case .changedSince: "rewrite.changed-since"
        case .recordedFilesMissing: "rewrite.missing-files"
        }
    }

    package var description: String {
        switch self {
        case .noHost: "no host is configured for the pages' URLs"
        case .securePages:
            """
            pages that are loaded over https cannot load scripts and styles from the package: \
            WebKit blocks \
            them as mixed content
            """
        case .dualNeedsProtocolRelative:
            "custom URLs cannot be written into pages that browsers also load"
        case .growsTooMuch(let path, let size, let limit):
            """
            '\(path)' would grow from \(readableSize(UInt64(size))) to more than \
            \(readableSize(UInt64(limit))): each of its URLs would repeat its long <base>
            """
        case .overlappingEdits(let path): "two edits overlap in '\(path)'"
        case .noRecord(let path): "'\(path)' has no '\(RewriteRecord.name)'"
        case .badRecord(let path, let problem):
            """
            '\(path)' was changed after the rewrite: \(problem)
            """
        case .changedSince(let path): "'\(path)' has changed since it was rewritten"
        case .recordedFilesMissing(let path, let names):
            "'\(path)' lacks \(counted(names.count, "file")) that \(names.count == 1 ? "was" : "were") "
                + "rewritten: "
                + names.prefix(5).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
                + (names.count > 5 ? ", …" : "")
        }
    }

    package var unaffected: String? { "the original build" }

    package var remedy: String {
        switch self {
        case .noHost: "name the hosts: --host www.example.com, or 'host:' in packtool.yaml"
        case .securePages:
            "load the pages over the custom scheme ('page-origin: custom'), or use --dual"
        case .dualNeedsProtocolRelative: "use --dual alone, or --form protocol-relative"
        case .growsTooMuch:
            "shorten the page's <base>, or remove it and write the URLs relative to the page"
        case .overlappingEdits: "report this as a bug, with the file"
        case .noRecord: "name a directory that 'packtool rewrite' wrote"
        case .badRecord, .changedSince: "rewrite the original build again"
        case .recordedFilesMissing:
            "restore them under these names, or rewrite the original build again"
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .noHost, .securePages, .dualNeedsProtocolRelative: .usage
        default: .couldNotDo
        }
    }
}
