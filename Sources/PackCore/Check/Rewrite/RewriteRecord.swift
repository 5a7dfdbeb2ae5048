package import PackGround
import PackRelease

/// The changes of a rewrite, stored in its output so that it can be undone byte for byte.
///
/// `.packtool-rewrite.json` counts as junk: it is excluded from hashes, packages and checks. For
/// each changed file it contains the SHA-256 before and after, and the replaced bytes;
/// `docs/formats.md` describes the layout.
package struct RewriteRecord: Equatable, Sendable {
    package static let name = JunkFiles.rewriteRecord
    /// The maximum size of a record in bytes.
    static let sizeLimit = 512 << 20

    /// One changed file.
    package struct File: Equatable, Sendable {
        package let path: String
        let original: Digest
        let rewritten: Digest
        /// The changed range in the rewritten file, and the original bytes.
        let range: Range<Int>
        let bytes: [UInt8]

        /// Records the single range in which the contents differ.
        init(path: String, original: [UInt8], rewritten: [UInt8]) {
            let most = min(original.count, rewritten.count)
            var start = 0
            while start < most, original[start] == rewritten[start] { start += 1 }
            var end = 0
            while end < most - start,
                original[original.count - 1 - end] == rewritten[rewritten.count - 1 - end]
            { end += 1 }
            self.path = path
            self.original = StreamHasher.digest(of: original)
            self.rewritten = StreamHasher.digest(of: rewritten)
            range = start..<(rewritten.count - end)
            bytes = Array(original[start..<(original.count - end)])
        }

        init(
            path: String, original: Digest, rewritten: Digest, range: Range<Int>, bytes: [UInt8]
        ) {
            self.path = path
            self.original = original
            self.rewritten = rewritten
            self.range = range
            self.bytes = bytes
        }

        /// The original content; `nil` if `content` is not the recorded result.
        func restored(from content: [UInt8]) -> [UInt8]? {
            guard StreamHasher.digest(of: content) == rewritten,
                let restored = ByteEdit.apply([ByteEdit(range, bytes)], to: content),
                StreamHasher.digest(of: restored) == original
            else { return nil }
            return restored
        }
    }

    /// Sorted by path.
    package let files: [File]

    init(files: [File]) { self.files = files.sorted { $0.path < $1.path } }

    /// The record of a directory, if any.
    package static func read(in directory: Directory) throws -> RewriteRecord? {
        guard try directory.status(name) != nil else { return nil }
        return try RewriteRecord(
            directory.readFile(name, limit: sizeLimit), path: directory.display(name))
    }

    private init(_ bytes: [UInt8], path: String) throws {
        do {
            let root = try JSONObject(JSONParser.parse(bytes))
            _ = try root.integer("schema", in: 1...1)
            let files = try root.array("files", atMost: 1_000_000).map { value in
                let file = try JSONObject(value, path: "files")
                guard let bytes = Base64.decode(try file.string("bytes").utf8) else {
                    throw file.error("bytes", "is not base64")
                }
                let start = try file.integer("offset", in: 0...(1 << 40))
                let length = try file.integer("length", in: 0...(1 << 40))
                return File(
                    path: try file.string("path"), original: try file.digest("original"),
                    rewritten: try file.digest("rewritten"), range: start..<(start + length),
                    bytes: bytes)
            }
            self.init(files: files)
        } catch {
            throw Failure.rewriteBadRecord(path: path, problem: "\(error)")
        }
    }

    /// The encoded record; deterministic.
    var encoded: [UInt8] {
        JSONWriter.write(
            .members([
                "schema": .integer(1),
                "files": .array(
                    files.map {
                        .members([
                            "path": .string($0.path), "original": .string($0.original.description),
                            "rewritten": .string($0.rewritten.description),
                            "offset": .integer($0.range.lowerBound),
                            "length": .integer($0.range.count),
                            "bytes": .string(Base64.string($0.bytes)),
                        ])
                    }),
            ]))
    }
}
