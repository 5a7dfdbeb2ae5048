/// Makes the safe fixes of a check's findings in a build's files.
package struct FixApplier: Sendable {
    private let directory: Directory

    package init(directory: Directory) { self.directory = directory }

    /// How many rounds are made: a fix can make room for another.
    private static let rounds = 8

    /// What was done.
    package struct Outcome: Sendable {
        /// How many fixes were made.
        package var fixes = 0
        /// The files that were written, sorted.
        package var files: [String] = []
        /// What is found afterwards.
        package var report: Checker.Report
    }

    /// Fixes what can be fixed, and checks again until nothing more can be.
    ///
    /// - Parameter check: checks the directory as it is.
    /// - Throws: ``FileSystemError``, and what `check` throws.
    package func run(_ check: () async throws -> Checker.Report) async throws -> Outcome {
        var outcome = Outcome(report: try await check())
        var files: Set<String> = []
        for _ in 0..<Self.rounds {
            let fixable = outcome.report.findings.filter { $0.fix?.safety == .safe }
            guard !fixable.isEmpty else { break }
            var made = 0
            for (path, findings) in Dictionary(grouping: fixable, by: \.path) {
                let count = try fix(path, findings.compactMap(\.fix))
                if count > 0 { files.insert(path) }
                made += count
            }
            guard made > 0 else { break }
            outcome.fixes += made
            outcome.report = try await check()
        }
        outcome.files = files.sorted()
        return outcome
    }

    /// Makes as many fixes of one file as do not get in one another's way.
    private func fix(_ path: String, _ fixes: [Fix]) throws -> Int {
        let content = try directory.readFile(path, limit: SiteSource.documentLimit)
        var edits: [ByteEdit] = []
        var made = 0
        for fix in fixes {
            if ByteEdit.apply(edits + fix.edits, to: content) != nil {
                edits += fix.edits
                made += 1
            } else if fix.edits.allSatisfy({ edits.contains($0) }) {
                made += 1
            }
        }
        guard made > 0, let fixed = ByteEdit.apply(edits, to: content), fixed != content else {
            return 0
        }
        try replace(path, with: fixed)
        return made
    }

    /// Beside the file first, then renamed: a full disk leaves the old one.
    private func replace(_ path: String, with content: [UInt8]) throws(FileSystemError) {
        let temporary = path + "." + uniqueName() + ".tmp"
        do throws(FileSystemError) {
            let file = try directory.createFile(temporary)
            try file.write(content)
            try file.sync()
            try file.close()
            try directory.rename(temporary, to: directory, as: path)
        } catch {
            try? directory.removeFile(temporary)
            throw error
        }
    }
}
