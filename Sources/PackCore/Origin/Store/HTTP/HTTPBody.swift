package import PackGround
import PackRelease
import Synchronization

/// The content of a request that is sent from memory or, piece by piece, from a file.
package struct HTTPBody: Sendable {
    package enum Source: Sendable {
        case bytes([UInt8])
        case file(in: Directory, named: String)
    }

    package let source: Source
    /// What is sent: it is signed, so other bytes are refused by the server.
    package let content: FileDigest
    /// Gets to know how much was sent.
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
    /// The same bytes, in memory or in a file.
    package static func == (one: HTTPBody, other: HTTPBody) -> Bool { one.content == other.content }
}

/// Gives the content of a request, from its beginning to its end.
package final class HTTPBodyReader: Sendable {
    private final class File: Sendable {
        let descriptor: OwnedDescriptor

        init(_ name: String, in directory: Directory) throws {
            descriptor = try directory.openFile(name)
        }
    }

    private let body: HTTPBody
    private let file: File?
    private let position = Mutex<UInt64>(0)

    /// Opens the file, if it is one.
    package init(_ body: HTTPBody) throws {
        self.body = body
        file =
            if case .file(let directory, let name) = body.source {
                try File(name, in: directory)
            } else { nil }
    }

    package var size: UInt64 { body.content.size }

    /// The next bytes; none at the end.
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
                    throw BuildError.changedWhileRead(path: directory.display(name))
                }
            }
            position += UInt64(piece.count)
            body.progress?.reached(position)
            return piece
        }
    }

    /// Starts over, as before a repetition by the transport itself.
    package func rewind() { position.withLock { $0 = 0 } }
}

/// Counts the bytes of an upload as they are sent, each once however often a request is repeated.
package final class BodyProgress: Sendable {
    private let counter: ProgressCounter
    private let furthest = Mutex<UInt64>(0)

    package init(_ counter: ProgressCounter) { self.counter = counter }

    func reached(_ position: UInt64) {
        let new = furthest.withLock { furthest in
            defer { furthest = max(furthest, position) }
            return position > furthest ? position - furthest : 0
        }
        if new > 0 { counter.add(new) }
    }
}
