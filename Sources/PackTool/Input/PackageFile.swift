import PackArchive
import PackDeltaFile
import PackGround
import PackRelease

/// A package given instead of a build.
enum PackageFile {
    /// Reads its files, and rejects files that are not packages.
    ///
    /// - Parameter path: The path as given, for messages.
    static func release(
        _ path: String, _ name: String, in directory: Directory,
        progress: ProgressSink? = nil, _ console: Console
    ) async throws -> Release {
        if (try? DeltaManifest.read(name, in: directory)) != nil {
            throw NotAPackage(path: path, problem: "is a delta, not a package")
        }
        do {
            return try await PackageReader.release(
                of: name, in: directory, jobs: console.environment.jobs(), progress: progress)
        } catch let error as ArchiveError
            where [.noEndRecord, .tooShort].contains(error.problem)
            && !path.lowercased().hasSuffix(".zip")
        {
            throw NotAPackage(path: path, problem: "is a file, and not a package")
        }
    }
}

/// A file that is not a package.
struct NotAPackage: Remedied {
    let path: String
    let problem: String

    var code: String { "input.not-a-package" }
    var description: String { "'\(path)' \(problem)" }
    var remedy: String { "name the build output's directory, or a package" }
}
