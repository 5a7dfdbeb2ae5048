/// The known word nearest to a mistyped one; `nil` if none is near enough.
///
/// Counts the letters to insert, remove, change or swap (optimal string alignment).
package func nearestWord(to word: String, in known: [String]) -> String? {
    let scored = known.map {
        (word: $0, distance: editDistance(word.lowercased(), $0.lowercased()))
    }
    guard let best = scored.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }) else {
        return nil
    }
    return best.distance <= max(2, best.word.count / 3) ? best.word : nil
}

/// The optimal string alignment distance of the first 64 scalars of two words.
package func editDistance(_ one: String, _ other: String) -> Int {
    let (a, b) = (Array(one.unicodeScalars.prefix(64)), Array(other.unicodeScalars.prefix(64)))
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    for i in a.indices {
        for j in b.indices {
            var best = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1)
            best = min(best, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                best = min(best, rows[i - 1][j - 1] + 1)
            }
            rows[i + 1][j + 1] = best
        }
    }
    return rows[a.count][b.count]
}
