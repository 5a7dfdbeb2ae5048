/// Why a build is not rewritten.
package enum RewriteError: Remedied, Equatable {
    case noHost
    case securePages
    case dualNeedsProtocolRelative
    /// Two changes of a file meet; it is a fault of this program.
    case overlappingEdits(path: String)
    case noRecord(path: String)
    case badRecord(path: String, problem: String)
    /// A rewritten file has changed since.
    case changedSince(path: String)
    /// Rewritten files are not there any more, or not under their names.
    case recordedFilesMissing(path: String, names: [String])

    package var code: String {
        switch self {
        case .noHost: "rewrite.no-host"
        case .securePages: "rewrite.https-pages"
        case .dualNeedsProtocolRelative: "rewrite.dual-custom"
        case .overlappingEdits: "rewrite.overlap"
        case .noRecord: "rewrite.no-record"
        case .badRecord: "rewrite.bad-record"
        case .changedSince: "rewrite.changed-since"
        case .recordedFilesMissing: "rewrite.missing-files"
        }
    }

    package var description: String {
        switch self {
        case .noHost: "which hosts the pages' URLs have is not known"
        case .securePages:
            "pages that come over https cannot load scripts and styles from the package: WebKit blocks "
                + "them as mixed content"
        case .dualNeedsProtocolRelative:
            "pages that browsers get as well must not have the custom scheme written into them"
        case .overlappingEdits(let path): "two changes meet in '\(path)'"
        case .noRecord(let path): "'\(path)' has no '\(RewriteRecord.name)'"
        case .badRecord(let path, let problem): "'\(path)' is not what rewrite wrote: \(problem)"
        case .changedSince(let path): "'\(path)' has changed since it was rewritten"
        case .recordedFilesMissing(let path, let names):
            "'\(path)' lacks \(counted(names.count, "file")) that \(names.count == 1 ? "was" : "were") "
                + "rewritten: "
                + names.prefix(5).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
                + (names.count > 5 ? ", …" : "")
        }
    }

    package var stillValid: String? { "the build is as it was, and nothing was written" }

    package var remedy: String {
        switch self {
        case .noHost: "name them: --host www.example.com, or 'host:' in packtool.yaml"
        case .securePages:
            "load the pages over the custom scheme ('page-origin: custom'), or use --dual"
        case .dualNeedsProtocolRelative: "use --dual alone, or --to protocol-relative"
        case .overlappingEdits: "report this with the file"
        case .noRecord: "name a directory that 'packtool rewrite' wrote"
        case .badRecord, .changedSince: "rewrite the original build again"
        case .recordedFilesMissing:
            "put them back under these names, or rewrite the original build again"
        }
    }

    package var failure: FailureKind {
        switch self {
        case .noHost, .securePages, .dualNeedsProtocolRelative: .usage
        default: .couldNotDo
        }
    }
}
