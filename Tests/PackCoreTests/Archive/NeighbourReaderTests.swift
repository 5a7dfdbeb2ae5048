import Foundation
import PackGround
import TestSupport
import Testing

@testable import PackArchive

/// Reading pieces of a file with their neighbours.
struct NeighbourReaderTests {
    @Test("each piece is the file's, in any order and up to its end")
    func pieces() async throws {
        try await TemporaryFolder.with { folder in
            let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
            _ = try folder.write(content, as: "file")
            let file = try folder.directory().openFile("file")
            var reader = NeighbourReader()
            let inOrder = (0..<4000).map { (offset: $0 * 70, count: 40) }
            let others = [
                (offset: 299_990, count: 10), (299_995, 40), (0, 0), (5, 50_000), (50_010, 100),
                (0, 100), (300_000, 1),
            ]
            for (offset, count) in inOrder + others {
                var bytes = [UInt8](repeating: 0, count: count)
                var span = bytes.mutableSpan
                var room = span.mutableBytes
                let filled = try reader.fill(&room, from: file, at: UInt64(offset))
                #expect(bytes.prefix(filled) == content.dropFirst(offset).prefix(count))
            }
        }
    }
}
