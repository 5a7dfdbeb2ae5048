import Foundation

/// The built binary and its test files.
package enum ToolRunner {
    /// The directory of the build products: the test bundle is next to the binary.
    package static let products: String = {
        if let given = ProcessInfo.processInfo.environment["PACKTOOL_PRODUCTS"] { return given }
        #if os(macOS)
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent().path
            }
        #endif
        return Bundle.main.bundleURL.path
    }()

    /// The folder of the command-line tests.
    package static let tests = Checkout.path + "/Tests/PackToolTests"

    package static let storefront = Checkout.path + "/examples/storefront"

    /// Python programs used by tests.
    package static let python = Checkout.path + "/Tests/Support/Python"

    /// What the thread sanitizer needs in each program (`Scripts/soak.sh`).
    private static let sanitizer = ProcessInfo.processInfo.environment.filter {
        ["LD_PRELOAD", "TSAN_OPTIONS"].contains($0.key)
    }

    /// Runs a script with `packtool` on its path and only the given environment, so that tests read
    /// like typed commands.
    package static func run(
        _ script: String, in directory: String, environment: [String: String], timeout: Double
    ) throws -> Run {
        guard FileManager.default.isExecutableFile(atPath: products + "/packtool") else {
            throw Child.Failure(description: "no packtool in \(products): run 'swift build' first")
        }
        return try Child.run(
            ["/bin/sh", "-c", script], in: directory,
            environment: environment.merging(sanitizer) { $1 }, timeout: timeout)
    }
}
