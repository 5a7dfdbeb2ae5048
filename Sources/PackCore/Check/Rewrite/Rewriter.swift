package import PackGround
import PackProfile
import PackRelease

/// Copies a build and rewrites its URLs to the app's scheme.
///
/// No file is renamed, and only the values of URLs change. Then the rules' fixes update the
/// integrity hashes and Content Security Policies affected by these changes.
package struct Rewriter: Sendable {
    private let source: Directory
    package let target: RewriteTarget
    private let exclusions: Exclusions

    /// - Parameter exclusions: Paths excluded from the package, which are not copied.
    package init(
        source: Directory, target: RewriteTarget, excluding exclusions: Exclusions = Exclusions()
    ) {
        self.source = source
        self.target = target
        self.exclusions = exclusions
    }

    /// The result of a rewrite.
    package struct Outcome: Sendable {
        package let files: Int
        /// The files whose bytes differ from the source's, sorted.
        package let changed: [String]
        /// The profile's hosts that occur in no URL of the build, in the profile's order.
        package let unusedHosts: [String]
        package let record: RewriteRecord
    }

    /// Rewrites into an empty directory.
    ///
    /// - Throws: ``Failure``.
    package func write(to output: Directory, jobs: Int) async throws -> Outcome {
        let earlier = try RewriteRecord.read(in: source)
        let site = try SiteIndex(
            directory: source, excluding: exclusions, profile: target.profile)
        try BuildScan.checkSize(site.files.map { ($0.path, $0.size) }, of: source)
        if !site.refused.isEmpty {
            throw Failure.buildNames(root: source.path, names: site.refused)
        }
        try makeDirectories(site, in: output)
        let target = target
        let source = source
        var hosts: [Set<String>] = []
        // Pages determine the encodings of their scripts and style sheets.
        for isPage in [true, false] {
            if !isPage { site.inheritedEncodings.settle(in: site) }
            let files = site.files.indices.filter { (site.files[$0].kind == .html) == isPage }
            hosts += try await mapInParallel(
                count: files.count, jobs: jobs, makeState: { ByteBuffer.forReading() }
            ) { buffer, number in
                try Self.write(files[number], of: site, target, from: source, to: output, buffer)
            }
        }
        releaseFreedMemory()
        try await fixPolicies(output, jobs: jobs)
        let record = try record(of: site, in: output, earlier)
        let file = try output.createFile(RewriteRecord.name)
        try file.write(record.encoded)
        try file.close()
        let present = Set(site.files.map(\.path.description))
        let changed = try record.files.map(\.path).filter(present.contains).filter {
            try source.readFile($0, limit: SiteSource.documentLimit)
                != output.readFile($0, limit: SiteSource.documentLimit)
        }
        let used = hosts.reduce(into: Set<String>()) { $0.formUnion($1) }
        return Outcome(
            files: site.files.count, changed: changed,
            unusedHosts: target.profile.hosts.filter { !used.contains($0) }, record: record)
    }

    private func makeDirectories(_ site: SiteIndex, in output: Directory) throws {
        var made: Set<String> = []
        for file in site.files {
            let path = file.path.description
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            let folder = String(path[..<slash])
            if made.insert(folder).inserted { _ = try output.makeDirectories(folder) }
        }
    }

    /// Writes one file.
    ///
    /// - Returns: The profile's hosts that occur in the file.
    private static func write(
        _ index: Int, of site: SiteIndex, _ target: RewriteTarget, from source: Directory,
        to output: Directory, _ buffer: ByteBuffer
    ) throws -> Set<String> {
        let file = site.files[index]
        CurrentFile.begin(file.path)
        defer { CurrentFile.end() }
        let path = file.path.description
        guard let kind = file.kind, file.size <= UInt64(SiteSource.documentLimit),
            kind == .html || kind == .css || kind == .script || kind == .svg
        else {
            _ = try FileDigest.copy(path, in: source, to: output, as: path, buffer: buffer)
            return []
        }
        let bytes = try site.content(of: index)
        let document = DocumentReader.read(site: site, index: index, kind: kind, bytes: bytes)
        site.inheritedEncodings.add(document)
        site.importMaps.add(document)
        // URLs that cannot be represented in the file's encoding are not rewritten.
        let edits = try document.edits(for: target).flatMap {
            document.text.sourceEdits([$0]) ?? []
        }
        guard let content = ByteEdit.apply(edits, to: bytes) else {
            throw Failure.rewriteOverlap(path: path)
        }
        let copy = try output.createFile(path)
        try copy.write(document.updatingPolicyHashes(in: content))
        try copy.close()
        return target.hosts(in: document)
    }

    /// Updates hashes and policies, which depend on the bytes already written.
    private func fixPolicies(_ output: Directory, jobs: Int) async throws {
        let rules: [Rule] = [
            .integrityStale, .integrityImportMap, .cspBlocksCustom, .cspInlineHash,
        ]
        let profile = target.profile
        let outcome = try await FixApplier(directory: output).run {
            try await Checker(
                site: SiteIndex(directory: output, profile: profile), rules: rules,
                keepsFixes: true
            ).check(jobs: jobs)
        }
        if let path = outcome.changed.first {
            throw Failure.rewriteChangedSince(path: output.display(path))
        }
    }

    /// Records the changes relative to the first build in a chain of rewrites.
    private func record(
        of site: SiteIndex, in output: Directory, _ earlier: RewriteRecord?
    ) throws -> RewriteRecord {
        var known: [String: RewriteRecord.File] = [:]
        for file in earlier?.files ?? [] { known[file.path] = file }
        var files: [RewriteRecord.File] = []
        for file in site.files {
            guard file.kind != nil, file.size <= UInt64(SiteSource.documentLimit) else { continue }
            CurrentFile.begin(file.path)
            defer { CurrentFile.end() }
            let path = file.path.description
            let before = try source.readFile(path, limit: SiteSource.documentLimit)
            let after = try output.readFile(path, limit: SiteSource.documentLimit)
            let first = known[path].flatMap { $0.restored(from: before) }
            if first == nil, before == after { continue }
            files.append(.init(path: path, original: first ?? before, rewritten: after))
        }
        // A missing file cannot be restored; `restore` must report it.
        let present = Set(site.files.map(\.path.description))
        files += known.values.filter { !present.contains($0.path) }
        return RewriteRecord(files: files)
    }

    /// Writes the build as it was before the rewrite into an empty directory.
    ///
    /// - Returns: The number of restored files.
    /// - Throws: ``Failure`` if a file has been modified or removed since.
    package static func restore(
        _ source: Directory, to output: Directory, jobs: Int
    ) async throws -> Int {
        guard let record = try RewriteRecord.read(in: source) else {
            throw Failure.rewriteNoRecord(path: source.path)
        }
        var known: [String: RewriteRecord.File] = [:]
        for file in record.files { known[file.path] = file }
        let tree = try FileTree.walk(source)
        try BuildScan.checkSize(tree.files.map { ($0.path, $0.size) }, of: source)
        let present = Set(tree.files.map(\.path.description))
        let missing = record.files.map(\.path).filter { !present.contains($0) }
        guard missing.isEmpty else {
            throw Failure.rewriteMissingFiles(path: source.path, names: missing)
        }
        let buffer = ByteBuffer.forReading()
        var restored = 0
        for file in tree.files {
            CurrentFile.begin(file.path)
            defer { CurrentFile.end() }
            let path = file.path.description
            if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
                _ = try output.makeDirectories(String(path[..<slash]))
            }
            guard let entry = known[path] else {
                _ = try FileDigest.copy(path, in: source, to: output, as: path, buffer: buffer)
                continue
            }
            let content = try source.readFile(path, limit: SiteSource.documentLimit)
            guard let original = entry.restored(from: content) else {
                throw Failure.rewriteChangedSince(path: source.display(path))
            }
            let copy = try output.createFile(path)
            try copy.write(original)
            try copy.close()
            restored += 1
        }
        return restored
    }
}
