package import PackGround
package import PackOrigin
import PackRelease
import Synchronization

extension MemoryStore {
    /// Announces a change, then makes it in one step.
    ///
    /// - Parameter decide: gets what is there and returns its new content; `nil` leaves it unchanged.
    /// - Returns: whether it was changed.
    private func change(
        _ change: Change, at path: String, _ decide: (File?) throws -> [UInt8]?
    ) async throws -> Bool {
        try await willChange(change)
        return try contents.withLock { contents in
            guard let bytes = try decide(contents.files[Array(path.utf8)]) else { return false }
            contents.put(path, bytes)
            return true
        }
    }

    package func makeStaging() throws -> Staging { try Staging(below: scratch) }

    package func stage(
        _ uploads: [Upload], in staging: Staging, jobs: Int, counter: ProgressCounter?
    ) async throws -> [Upload] {
        try uploads.map { upload in
            var staged = upload
            staged.source = .bytes(try upload.bytes())
            counter?.add(upload.content.size)
            return staged
        }
    }

    package func create(_ uploads: [Upload]) async throws -> [CreateResult] {
        var created: [CreateResult] = []
        for upload in uploads { created.append(try await create(upload)) }
        return created
    }

    private func create(_ upload: Upload) async throws -> CreateResult {
        let bytes = try upload.bytes()
        var result = CreateResult.made
        _ = try await change(.create(upload.path), at: upload.path) { present in
            guard let present else { return bytes }
            result = .present
            if present.digest == upload.content { return nil }
            result = .replaced
            switch upload.conflict {
            case .replace: return bytes
            case .replaceOnly(let revision) where Revision(.number(present.revision)) == revision:
                return bytes
            case .keep, .replaceOnly:
                throw StoreError.taken(path: upload.path, by: nil)
            }
        }
        return result
    }

    package func revision(of path: String) async throws -> Revision? {
        file(path).map { Revision(.number($0.revision)) }
    }

    package func replace(
        _ upload: Upload, if condition: ReplaceCondition
    ) async throws -> Bool {
        let bytes = try upload.bytes()
        let isMet = { (present: File?) in
            switch condition {
            case .always: true
            case .absent: present == nil
            case .unchanged(let revision):
                present.map { Revision(.number($0.revision)) } == revision
            }
        }
        let isKept = guarantee == .conditions
        guard isKept || isMet(file(upload.path)) else { return false }
        return try await change(.replace(upload.path), at: upload.path) {
            !isKept || isMet($0) ? bytes : nil
        }
    }

    package func copy(
        _ copies: [SiteCopy], from staging: Staging, while isWanted: () async throws -> Bool
    ) async throws {
        for copy in copies {
            guard try await isWanted() else { return }
            guard let object = file(copy.object) else {
                throw Failure.originMissing(path: display(copy.object))
            }
            _ = try await change(.replace(copy.path), at: copy.path) { _ in object.bytes }
        }
    }

    package func remove(_ paths: [String]) async throws {
        for path in paths {
            try await willChange(.delete(path))
            set(path, nil)
        }
    }

    // MARK: What does not apply to memory

    package var hashes: (any HashingStore)? { isRemote ? self : nil }

    package var learnsContents: Bool { false }

    package func markUnverified(_ paths: [String]) {}

    package func learn(_ files: [Upload], jobs: Int) async throws {}

    package func learn(_ content: FileDigest, md5: String) {}

    package func freeBytes() async throws -> UInt64? { free }

    package func isWritable(_ folder: String) async throws -> Bool {
        contents.withLock { $0.sealed } != folder
    }

    package func unwritableFolder(of copies: [SiteCopy]) async throws -> String? {
        guard let sealed = contents.withLock({ $0.sealed }), !sealed.isEmpty else { return nil }
        return copies.contains { $0.path.hasBytes(sealed + "/") } ? sealed : nil
    }

    package func obstacle(among names: [NeededName]) async throws -> Obstacle? { nil }

    package func exclusively<Result>(
        isNew: Bool, _ body: () async throws -> Result
    ) async throws -> Result? {
        try await body()
    }

    package func stage(_ copies: [SiteCopy], in staging: Staging) async throws {}

    package func flush() async throws {}
}

extension Upload {
    /// The content as a whole.
    ///
    /// - Throws: ``Failure/buildChangedWhileRead(path:)`` for a file whose content has changed.
    fileprivate func bytes() throws -> [UInt8] {
        switch source {
        case .bytes(let bytes): return bytes
        case .file(let directory, let name), .staged(let directory, let name):
            let changed = Failure.buildChangedWhileRead(path: directory.display(name))
            guard try directory.status(name)?.size == content.size,
                let limit = UntrustedLength(content.size).count(atMost: .max)
            else { throw changed }
            let bytes = try directory.readFile(name, limit: limit)
            guard StreamHasher.digest(of: bytes) == content.sha256 else { throw changed }
            return bytes
        }
    }
}
