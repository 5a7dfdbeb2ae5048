import Foundation
import Testing

/// The checkout that contains these tests.
package enum Checkout {
    package static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}

/// Third-party test data that is not part of this project: see its README.
package enum SharedFolder {
    /// The folder, from `PACKTOOL_SHARED` or next to the checkout.
    ///
    /// `nil` if it does not exist.
    package static let path: String? = {
        let candidates =
            [ProcessInfo.processInfo.environment["PACKTOOL_SHARED"]].compactMap { $0 }
            + ["../shared", "../../shared"].map { Checkout.path + "/" + $0 }
        return candidates.first { FileManager.default.fileExists(atPath: $0 + "/oracles") }
    }()

    /// Cancels the current test if the folder or the given part is missing.
    package static func require(_ part: String) throws -> String {
        guard let path, FileManager.default.fileExists(atPath: path + "/" + part) else {
            try Test.cancel(
                "SKIPPED, nothing was checked: no shared folder with '\(part)' (set PACKTOOL_SHARED)"
            )
        }
        return path + "/" + part
    }
}
