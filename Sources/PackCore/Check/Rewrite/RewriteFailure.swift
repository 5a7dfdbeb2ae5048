package import PackGround

extension Failure.Code {
    package static let rewriteNoHost = Self("rewrite.no-host")
    package static let rewriteSecurePages = Self("rewrite.https-pages")
    package static let rewriteAndroid = Self("rewrite.android")
    package static let rewriteOtherHosts = Self("rewrite.other-hosts")
    package static let rewriteDualCustom = Self("rewrite.dual-custom")
    package static let rewriteGrowsTooMuch = Self("rewrite.grows-too-much")
    package static let rewriteOverlap = Self("rewrite.overlap")
    package static let rewriteNoRecord = Self("rewrite.no-record")
    package static let rewriteBadRecord = Self("rewrite.bad-record")
    package static let rewriteChangedSince = Self("rewrite.changed-since")
    package static let rewriteMissingFiles = Self("rewrite.missing-files")
}

/// The reason why a build cannot be rewritten.
extension Failure {
    package static func rewriteNoHost() -> Failure {
        rewrite(.rewriteNoHost, "no host is configured for the pages' URLs", exitCode: .usage)
    }

    package static func rewriteSecurePages() -> Failure {
        rewrite(
            .rewriteSecurePages,
            "pages loaded over https cannot load scripts and styles from the package: "
                + "WebKit blocks them as mixed content", exitCode: .usage)
    }

    package static func rewriteAndroid() -> Failure {
        rewrite(
            .rewriteAndroid, "an Android app answers the build's own https addresses",
            exitCode: .usage)
    }

    /// Profiles without a common host, which a URL without a scheme needs.
    package static func rewriteOtherHosts(_ names: [String]) -> Failure {
        rewrite(
            .rewriteOtherHosts,
            "the profiles \(names.joined(separator: ", ")) have different hosts", exitCode: .usage)
    }

    package static func rewriteDualCustom() -> Failure {
        rewrite(
            .rewriteDualCustom, "custom URLs cannot be written into pages that browsers also load",
            exitCode: .usage)
    }

    /// Long URLs would make the file disproportionately large; sizes in bytes.
    package static func rewriteGrowsTooMuch(path: String, size: Int, limit: Int) -> Failure {
        rewrite(
            .rewriteGrowsTooMuch,
            "'\(path)' would grow from \(readableSize(UInt64(size))) to more than "
                + "\(readableSize(UInt64(limit))): each of its URLs would repeat its long <base>")
    }

    /// Two edits of a file overlap: a bug in packtool.
    package static func rewriteOverlap(path: String) -> Failure {
        rewrite(.rewriteOverlap, "two edits overlap in '\(path)'")
    }

    package static func rewriteNoRecord(path: String) -> Failure {
        rewrite(.rewriteNoRecord, "'\(path)' has no '\(RewriteRecord.name)'")
    }

    package static func rewriteBadRecord(path: String, problem: String) -> Failure {
        rewrite(.rewriteBadRecord, "'\(path)' was changed after the rewrite: \(problem)")
    }

    /// A rewritten file was modified later.
    package static func rewriteChangedSince(path: String) -> Failure {
        rewrite(.rewriteChangedSince, "'\(path)' has changed since it was rewritten")
    }

    /// Rewritten files are missing or renamed.
    package static func rewriteMissingFiles(path: String, names: [String]) -> Failure {
        rewrite(
            .rewriteMissingFiles,
            "'\(path)' lacks \(counted(names.count, "file")) that \(names.count == 1 ? "was" : "were") "
                + "rewritten: "
                + names.prefix(5).map { "'\(printable($0.utf8))'" }.joined(separator: ", ")
                + (names.count > 5 ? ", …" : ""))
    }

    private static func rewrite(
        _ code: Code, _ description: String, exitCode: ExitCode = .couldNotDo
    ) -> Failure {
        Failure(code, description, unaffected: "the original build", exitCode: exitCode)
    }
}
