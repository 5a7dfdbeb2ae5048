import PackGround

/// The partial files that this run has begun or continued.
final class BegunParts: Sendable {
    private let names = Locked<Set<String>>([])

    /// Notes a partial file, and removes those of earlier runs that this one has not continued: parts
    /// of unused releases would accumulate.
    func begin(_ part: String, in folder: Directory) throws {
        // Under the lock, so that no other download begins with a file to be removed.
        try names.withLock { names in
            names.insert(part)
            for bytes in try folder.names() {
                let name = String(decoding: bytes, as: UTF8.self)
                guard !names.contains(name), name.hasSuffix(".part"),
                    Digest(String(name.dropLast(5))) != nil
                else { continue }
                try folder.removeFile(name)
            }
        }
    }
}
