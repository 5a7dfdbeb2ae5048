package import PackGround
import PackRelease

/// The body of a request, in memory or streamed from a file.
package struct HTTPBody: Sendable {
    package enum Source: Sendable {
        case bytes([UInt8])
        case file(in: Directory, named: String)
    }

    package let source: Source
    /// The digest of the body.
    ///
    /// It is signed, so servers reject other bytes.
    package let content: FileDigest
    /// Receives the number of sent bytes.
    package var progress: BodyProgress?

    package init(_ source: Source, _ content: FileDigest) {
        self.source = source
        self.content = content
    }

    package init(_ bytes: [UInt8]) {
        self.init(.bytes(bytes), FileDigest(of: bytes))
    }
}

extension HTTPBody: Equatable {
    /// Compares the bytes, whatever their source.
    package static func == (one: HTTPBody, other: HTTPBody) -> Bool { one.content == other.content }
}

/// Reads the body of a request from start to end.
package final class HTTPBodyReader: Sendable {
    private final class File: Sendable {
        let descriptor: OwnedDescriptor

        init(_ name: String, in directory: Directory) throws {
            descriptor = try directory.openFile(name)
        }
    }

    private let body: HTTPBody
    private let file: File?
    private let position = Locked<UInt64>(0)

    /// Opens the file, if the body is one.
    package init(_ body: HTTPBody) throws {
        self.body = body
        file =
            if case .file(let directory, let name) = body.source {
                try File(name, in: directory)
            } else { nil }
    }

    package var size: UInt64 { body.content.size }

    /// The next bytes; empty at the end.
    package func next(atMost count: Int) throws -> [UInt8] {
        try position.withLock { position in
            let left = Int(clamping: size - min(position, size))
            let room = min(count, left)
            guard room > 0 else { return [] }
            let piece: [UInt8]
            switch body.source {
            case .bytes(let bytes):
                let start = Int(position)
                piece = Array(bytes[start..<min(start + room, bytes.count)])
            case .file(let directory, let name):
                piece = try file?.descriptor.bytes(at: position, count: room) ?? []
                guard !piece.isEmpty else {
                    throw Failure.buildChangedWhileRead(path: directory.display(name))
                }
            }
            position += UInt64(piece.count)
            body.progress?.reached(position)
            return piece
        }
    }

    /// Restarts at the beginning, for retries by the transport.
    package func rewind() { position.withLock { $0 = 0 } }
}

/// Counts the sent bytes of an upload; bytes of retries count once.
package final class BodyProgress: Sendable {
    private let counter: ProgressCounter
    private let furthest = Locked<UInt64>(0)

    package init(_ counter: ProgressCounter) { self.counter = counter }

    func reached(_ position: UInt64) {
        let new = furthest.withLock { furthest in
            defer { furthest = max(furthest, position) }
            return position > furthest ? position - furthest : 0
        }
        if new > 0 { counter.add(new) }
    }
}
