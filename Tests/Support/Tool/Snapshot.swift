import Foundation
import Synchronization
package import Testing

/// Expected texts in files, so that changes are visible in reviews.
///
/// A file contains sections under `=== name`. `RECORD_SNAPSHOTS=1 swift test` rewrites them and
/// fails, so that recording never passes a test run.
package enum Snapshot {
    package static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
    private static let marker = "=== "
    private static let lock = Mutex<Void>(())

    package static func expect(
        _ text: String, matches section: String, of file: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = path(file)
        let text = text.hasSuffix("\n") ? text : text + "\n"
        if isRecording {
            try lock.withLock { _ in
                var sections = (try? read(path)) ?? [:]
                sections[section] = text
                try write(sections, to: path)
            }
            Issue.record("recorded '\(section)' in \(file).txt", sourceLocation: sourceLocation)
            return
        }
        let expected = try lock.withLock { _ in try read(path) }[section]
        guard text != expected else { return }
        Issue.record(
            """
            '\(section)' in \(file).txt differs; if the new text is better, RECORD_SNAPSHOTS=1 swift test.
            --- recorded
            \(expected ?? "(nothing)")
            --- now
            \(text)
            """, sourceLocation: sourceLocation)
    }

    /// The recorded text of a section.
    package static func recorded(_ section: String, of file: String) throws -> String? {
        try lock.withLock { _ in try read(path(file)) }[section]
    }

    private static func path(_ file: String) -> String {
        "\(ToolRunner.tests)/Snapshots/\(file).txt"
    }

    private static func read(_ path: String) throws -> [String: String] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var sections: [String: String] = [:]
        var name = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix(marker) {
                name = String(line.dropFirst(marker.count))
                sections[name] = ""
            } else {
                sections[name, default: ""] += line + "\n"
            }
        }
        return sections
    }

    private static func write(_ sections: [String: String], to path: String) throws {
        let text = sections.sorted { $0.key < $1.key }
            .map { marker + $0.key + "\n" + $0.value }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
