import PackDeltaFile
import PackGround
import PackRelease
import PackZip

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
            throw Failure.inputNotAPackage(path: path, problem: "is a delta, not a package")
        }
        do {
            return try await PackageReader.release(
                of: name, in: directory, jobs: console.environment.jobs(), progress: progress)
        } catch let failure as Failure
            where [.archiveNoEndRecord, .archiveTooShort].contains(failure.code)
            && !path.lowercased().hasSuffix(".zip")
        {
            throw Failure.inputNotAPackage(path: path, problem: "is a file, and not a package")
        }
    }
}

extension Failure.Code {
    static let inputNotAPackage = Self("input.not-a-package")
}

extension Failure {
    static func inputNotAPackage(path: String, problem: String) -> Failure {
        Failure(.inputNotAPackage, "'\(path)' \(problem)")
    }
}
