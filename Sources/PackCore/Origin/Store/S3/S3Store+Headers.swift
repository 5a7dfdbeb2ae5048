import PackGround
package import PackOrigin

extension S3Store: HeaderStore {
    package func headersRead() -> [HeadersRead] {
        memory.headersRead().map { place, found in
            HeadersRead(
                place: place, found: found, isLasting: S3Headers.isLasting(place),
                mediaType: String(S3Headers.mediaType(place).prefix { $0 != ";" }))
        }
    }

    /// Records the headers of a file if all files are read for verification.
    func noteHeaders(_ answer: S3Answer, of place: String) {
        guard readBack == .all else { return }
        var found: [String: String] = [:]
        for name in ["cache-control", "content-type", "content-encoding"] {
            found[name] = answer.head[name]
        }
        memory.noteHeaders(found, of: place)
    }

    package func wrongHeaders(of files: [HeadedFile]) async throws -> [[String]] {
        try await inParallel(files.count) { index in
            let file = files[index]
            guard let head = try await head(file.place) else { return [] }
            let wanted = file.contents.map { S3Headers.of(file.place, sha256: $0.sha256) }
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
            from: content.place, to: content.place, sha256: content.content.sha256)
    }
}
