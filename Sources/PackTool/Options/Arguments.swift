import ArgumentParser
import PackCore

extension CompressionLevel: ExpressibleByArgument {}

extension String {
    /// The first occurrence of a piece of text.
    func range(of piece: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(piece) {
                return start..<index(start, offsetBy: piece.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
