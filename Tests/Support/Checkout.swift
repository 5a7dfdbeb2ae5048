import Foundation
import Testing

/// The checkout that these tests are built from.
package enum Checkout {
    package static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}

/// Test data of others that this project does not carry: see its README.
package enum SharedFolder {
    /// The folder, from `PACKTOOL_SHARED` or beside the checkout; `nil` where this machine has none.
    package static let path: String? = {
        let candidates =
            [ProcessInfo.processInfo.environment["PACKTOOL_SHARED"]].compactMap { $0 }
            + ["../shared", "../../shared"].map { Checkout.path + "/" + $0 }
        return candidates.first { FileManager.default.fileExists(atPath: $0 + "/oracles") }
    }()

    /// Cancels the current test where the folder or the part of it is absent.
    package static func require(_ part: String) throws -> String {
        guard let path, FileManager.default.fileExists(atPath: path + "/" + part) else {
            try Test.cancel(
                "SKIPPED, nothing was checked: no shared folder with '\(part)' (set PACKTOOL_SHARED)"
            )
        }
        return path + "/" + part
    }
}
