import FlyingSocks
import PackCore

/// How content is sent that is not sent as it should be.
enum Pace: Sendable {
    case slow
    case cut

    /// Bytes of a slow piece, and its time.
    static let slowPiece = 8 * 1024
    static let slowTime = Duration.milliseconds(250)
    /// Shorter content is not cut: a pointer arrives.
    static let uncut: UInt64 = 4096
}

/// A part of a file as it is sent: in pieces, never in memory as a whole.
struct FileContent: AsyncBufferedSequence {
    typealias Element = UInt8

    static let pieceSize = 128 * 1024

    let file: ServedFile
    let offset: UInt64
    let count: UInt64
    let pace: Pace?

    func makeAsyncIterator() -> Iterator {
        Iterator(file: file, position: offset, end: offset + count, pace: pace)
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let file: ServedFile
        fileprivate var position: UInt64
        fileprivate let end: UInt64
        fileprivate let pace: Pace?
        private let start: UInt64

        fileprivate init(file: ServedFile, position: UInt64, end: UInt64, pace: Pace?) {
            self.file = file
            self.position = position
            self.end = end
            self.pace = pace
            start = position
        }

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            guard position < end else { return nil }
            var wanted = Int(clamping: Swift.min(end - position, UInt64(Swift.max(1, count))))
            switch pace {
            case .slow:
                try await Task.sleep(for: Pace.slowTime)
                wanted = Swift.min(wanted, Pace.slowPiece)
            case .cut where end - start > Pace.uncut:
                let middle = start + (end - start) / 2
                guard position < middle else { throw SocketError.disconnected }
                wanted = Swift.min(wanted, Int(clamping: middle - position))
            default: break
            }
            let bytes = try file.bytes(at: position, count: wanted)
            // The file has become shorter: the connection ends, so that no client takes it for complete.
            guard !bytes.isEmpty else { throw SocketError.disconnected }
            position += UInt64(bytes.count)
            return bytes
        }
    }
}
