import PackPages
import TestSupport
import Testing

struct ByteRangeTests {
    /// Compares random headers and sizes with a Python model written from RFC 9110.
    @Test func agreesWithPython() async throws {
        let model = try await ForeignTool("python3").run(
            ["\(Checkout.path)/Tests/Support/Python/range_model.py", "48", "\(Self.count)"])
        let lines = model.output.split(separator: "\n")
        #expect(lines.count == Self.count, "\(model.errors)")
        var outcomes: [String: Int] = [:]
        for line in lines {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false)
            let size = try #require(UInt64(words[0]))
            let header = String(decoding: try bytes(String(words[2])), as: UTF8.self)
            let found = Self.text(ByteRange(header, size: size))
            outcomes[found.contains(" ") ? "part" : found, default: 0] += 1
            guard found == words[1] else {
                Issue.record("'\(header)' of \(size) bytes: \(found), not \(words[1])")
                return
            }
        }
        // Each outcome is common.
        #expect(outcomes.count == 3 && outcomes.values.allSatisfy { $0 > Self.count / 10 })
    }

    private static let count = 40_000

    private static func text(_ range: ByteRange) -> String {
        switch range {
        case .whole: "whole"
        case .unsatisfiable: "none"
        case .part(let offset, let count): "\(offset) \(offset + count - 1)"
        }
    }

    @Test func withoutAHeaderTheWholeFileIsSelected() {
        #expect(ByteRange(nil, size: 10) == .whole)
    }
}
