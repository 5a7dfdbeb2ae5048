extension S3Store: HeaderStore {
    package func headersRead() -> [HeadersRead] {
        memory.headersRead().map { place, found in
            HeadersRead(
                place: place, found: found, isLasting: S3Headers.isLasting(place),
                mediaType: String(S3Headers.mediaType(place).prefix { $0 != ";" }))
        }
    }

    /// Keeps what an answer says of a file, where all files are read to be verified.
    func noteHeaders(_ answer: S3Answer, of place: String) {
        guard readBack == .all else { return }
        var found: [String: String] = [:]
        for name in ["cache-control", "content-type", "content-encoding"] {
            found[name] = answer.head[name]
        }
        memory.noteHeaders(found, of: place)
    }
}
