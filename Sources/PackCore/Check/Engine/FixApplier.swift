package import PackGround

/// Applies the safe fixes of a check to the files of a build.
package struct FixApplier: Sendable {
    private let directory: Directory

    package init(directory: Directory) { self.directory = directory }

    /// The maximum number of rounds: a fix can enable another one.
    private static let rounds = 8

    /// The result of applying fixes.
    package struct Outcome: Sendable {
        /// The number of applied fixes.
        package var fixes = 0
        /// The modified files, sorted.
        package var files: [String] = []
        /// The files that changed since they were read and were left alone, sorted.
        package var changed: [String] = []
        /// The remaining findings.
        package var report: Checker.Report
    }

    /// Applies fixes and repeats the check until nothing more can be fixed.
    ///
    /// - Parameter check: Checks the directory in its current state.
    /// - Throws: ``Failure``, and errors of `check`.
    package func run(_ check: () async throws -> Checker.Report) async throws -> Outcome {
        var outcome = Outcome(report: try await check())
        var files: Set<String> = []
        for _ in 0..<Self.rounds {
            var fixable: [String: [[ByteEdit]]] = [:]
            for finding in outcome.report.findings {
                guard let fix = finding.fix, fix.safety == .safe else { continue }
                fixable[finding.path, default: []].append(fix.edits)
            }
            fixable.merge(outcome.report.fixes, uniquingKeysWith: +)
            guard !fixable.isEmpty else { break }
            var made = 0
            outcome.changed = []
            for (path, fixes) in fixable.sorted(by: { $0.key < $1.key }) {
                guard let count = try fix(path, fixes, as: outcome.report.read[path]) else {
                    outcome.changed.append(path)
                    continue
                }
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

    /// Applies the compatible fixes of one file.
    ///
    /// - Parameter read: The digest of the bytes to which the fixes apply.
    /// - Returns: The number of applied fixes; `nil` if the file changed since the check.
    private func fix(_ path: String, _ fixes: [[ByteEdit]], as read: Digest?) throws -> Int? {
        guard try directory.status(path) != nil else { return nil }
        let (content, status) = try directory.readFileAndStatus(
            path, limit: SiteSource.documentLimit)
        guard StreamHasher.digest(of: content) == read else { return nil }
        var edits = CompatibleEdits(length: content.count)
        let made = fixes.count { edits.add($0) }
        guard made > 0, let fixed = ByteEdit.apply(edits.list, to: content), fixed != content
        else { return 0 }
        return try replace(path, status, with: fixed) ? made : nil
    }

    /// Writes a temporary file next to the file and renames it: if the disk is full, the old file
    /// stays.
    ///
    /// - Parameter status: The status of the file when it was read.
    /// - Returns: Whether the file was still unchanged.
    private func replace(
        _ path: String, _ status: FileStatus, with content: [UInt8]
    ) throws(Failure) -> Bool {
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:))
        let temporary = String(path[..<(name ?? path.startIndex)]) + JunkFiles.temporaryName()
        do throws(Failure) {
            let file = try directory.createPrivateFile(temporary)
            try file.write(content)
            try file.copyPermissions(of: status)
            try file.sync()
            try file.close()
            guard try directory.status(path)?.edition == status.edition else {
                try directory.removeFile(temporary)
                return false
            }
            try directory.rename(temporary, to: directory, as: path)
            return true
        } catch {
            try? directory.removeFile(temporary)
            throw error
        }
    }
}

/// The non-overlapping edits of one file, sorted by offset.
struct CompatibleEdits {
    private(set) var list: [ByteEdit] = []
    /// The size of the file in bytes.
    private let length: Int

    init(length: Int) { self.length = length }

    /// Adds all edits of a fix, or none.
    ///
    /// - Returns: Whether the list contains them, possibly from an earlier fix.
    mutating func add(_ edits: [ByteEdit]) -> Bool {
        for (number, edit) in edits.enumerated() where !insert(edit) {
            for added in edits[..<number] { remove(added) }
            return edits.allSatisfy { index(of: $0) != nil }
        }
        return true
    }

    private mutating func insert(_ edit: ByteEdit) -> Bool {
        guard edit.range.upperBound <= length else { return false }
        let next = firstIndex(after: edit.range.lowerBound)
        if next > 0, list[next - 1].range.upperBound > edit.range.lowerBound { return false }
        if next < list.count, list[next].range.lowerBound < edit.range.upperBound { return false }
        list.insert(edit, at: next)
        return true
    }

    private mutating func remove(_ edit: ByteEdit) {
        if let index = index(of: edit) { list.remove(at: index) }
    }

    /// The last index of an edit in the list.
    private func index(of edit: ByteEdit) -> Int? {
        var index = firstIndex(after: edit.range.lowerBound)
        while index > 0, list[index - 1].range.lowerBound == edit.range.lowerBound {
            index -= 1
            if list[index] == edit { return index }
        }
        return nil
    }

    /// The index of the first edit that starts after an offset.
    private func firstIndex(after offset: Int) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
