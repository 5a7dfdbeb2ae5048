import PackCore

/// One check of a directory, for 'check' and for 'publish'.
struct CheckRun: Sendable {
    let profile: Profile
    let rules: [Rule]
    var previous: Manifest?
    var dumpsURLs = false

    /// - Parameter keepsFixes: whether the safe fixes of findings beyond the limit are kept.
    func report(
        _ directory: Directory, _ console: Console, keepsFixes: Bool = false
    ) async throws -> Checker.Report {
        let site = try SiteIndex(directory: directory, profile: profile, previous: previous)
        return try await report(site, console, keepsFixes: keepsFixes)
    }

    /// Checks a build that was walked and hashed before.
    func report(_ scan: BuildScan, _ console: Console) async throws -> Checker.Report {
        let site = SiteIndex(scan: scan, profile: profile, previous: previous)
        return try await report(site, console, keepsFixes: false)
    }

    private func report(
        _ site: SiteIndex, _ console: Console, keepsFixes: Bool
    ) async throws -> Checker.Report {
        try await Checker(
            site: site, rules: rules, dumpsURLs: dumpsURLs, keepsFixes: keepsFixes
        ).check(jobs: Surroundings.jobs(), progress: console.progress)
    }

    /// The files of a build, or of a package that is unpacked into a temporary directory first.
    static func withDirectory<Result>(
        _ path: String, _ console: Console, writes: Bool,
        _ body: (Directory) async throws -> Result
    ) async throws -> Result {
        let (directory, name) = try ReadableFile.locateExisting(path)
        switch try directory.status(name)?.kind {
        case .file:
            if writes { throw FixesNeedDirectory(path: path) }
            let release = try await PackageReader.release(
                of: name, in: directory, jobs: Surroundings.jobs())
            return try await TemporaryDirectory.with { target in
                try await Unpacker(name, in: directory, expecting: release)
                    .unpack(into: target, jobs: Surroundings.jobs(), progress: console.progress)
                return try await body(target)
            }
        case .other: throw NotARelease(path: path)
        default: return try await body(Directory.open(path))
        }
    }
}

/// `--fix` on a package.
struct FixesNeedDirectory: Remedied {
    let path: String

    var code: String { "check.fix-package" }
    var description: String { "'\(path)' is a package, and fixes go into files" }
    var stillValid: String? { "nothing was written" }
    var remedy: String { "name the build output's directory" }
    var failure: FailureKind { .usage }
}

/// A publish that the check refused.
struct CheckRefused: Remedied {
    let errors: Int

    var code: String { "check.errors" }
    var description: String {
        "the check found \(counted(errors, "error")), and nothing was published"
    }
    var stillValid: String? { "the origin is as it was" }
    var remedy: String {
        "mend them ('packtool check' shows them all), or publish with --no-check"
    }
    var failure: FailureKind { .verification }
}
