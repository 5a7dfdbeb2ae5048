import PackGround
package import PackOrigin

extension S3Store: HeaderStore {
    package func headersRead() -> [HeadersRead] {
        memory.headersRead().map { path, found in
            HeadersRead(
                path: path, found: found, isLasting: S3Headers.isLasting(path),
                mediaType: String(S3Headers.mediaType(path).prefix { $0 != ";" }))
        }
    }

    /// Records the headers of a file if all files are read for verification.
    func noteHeaders(_ answer: S3Answer, of path: String) {
        guard readBack == .all else { return }
        var found: [String: String] = [:]
        for name in ["cache-control", "content-type", "content-encoding"] {
            found[name] = answer.head[name]
        }
        memory.noteHeaders(found, of: path)
    }

    package func wrongHeaders(of files: [HeadedFile]) async throws -> [[String]] {
        try await inParallel(files.count) { index in
            let file = files[index]
            guard let head = try await head(file.path) else { return [] }
            let wanted = file.contents.map { S3Headers.of(file.path, sha256: $0.sha256) }
            // The possible headers differ only in the hash.
            var wrong = (wanted.first ?? []).map(\.name).filter { name in
                !wanted.contains { headers in
                    headers.contains {
                        $0.name == name && Self.parts($0.value) == Self.parts(head[name] ?? "")
                    }
                }
            }
            if let encoding = head["content-encoding"], !["", "identity"].contains(encoding) {
                wrong.append("Content-Encoding")
            }
            return wrong
        }
    }

    /// The parts of a header.
    ///
    /// Stores and proxies may change their spaces and order.
    private static func parts(_ header: String) -> Set<String> {
        Set(header.lowercased().split { $0 == "," || $0 == ";" }.map { $0.filter { $0 != " " } })
    }

    /// Restores the headers of a file by copying it onto itself, the only way to change them.
    package func restoreHeaders(of content: ObjectReference) async throws {
        try await copy(
            from: content.path, to: content.path, sha256: content.content.sha256)
    }
}
