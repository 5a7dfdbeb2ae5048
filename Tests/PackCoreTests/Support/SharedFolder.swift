import Foundation
import Testing

/// Test data of others that this project does not carry: see its README.
enum SharedFolder {
    /// The folder, from `PACKTOOL_SHARED` or beside the checkout; `nil` where this machine has none.
    static let path: String? = {
        let checkout = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let candidates =
            [ProcessInfo.processInfo.environment["PACKTOOL_SHARED"]].compactMap { $0 }
            + ["../shared", "../../shared"].map { checkout.appendingPathComponent($0).path }
        return candidates.first { FileManager.default.fileExists(atPath: $0 + "/oracles") }
    }()

    /// The checkout itself.
    static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Cancels the current test where the folder or the part of it is absent.
    static func require(_ part: String) throws -> String {
        guard let path, FileManager.default.fileExists(atPath: path + "/" + part) else {
            try Test.cancel(
                "SKIPPED, nothing was checked: no shared folder with '\(part)' (set PACKTOOL_SHARED)"
            )
        }
        return path + "/" + part
    }
}
