import Foundation
import Synchronization

/// A directory for a single test, with the tool on its path and its own temporary directory, so
/// that a listing shows leftover files.
package final class Sandbox: Sendable {
    private let root: TemporaryFolder

    /// - Parameter untilExit: Whether the directory stays until this process exits.
    package init(untilExit: Bool = false) throws {
        root = try TemporaryFolder.make()
        _ = try root.makeFolder("work")
        _ = try root.makeFolder("tmp")
        // Some tests run as another user with write access here; the parent's mode depends on the
        // umask.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root.path)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o1777], ofItemAtPath: root.file("tmp"))
        if untilExit {
            Self.kept.withLock { $0.append(root) }
            Self.removal
        }
    }

    deinit { root.remove() }

    private static let kept = Mutex<[TemporaryFolder]>([])

    /// Removes the kept directories when the process exits.
    private static let removal: Void = {
        atexit { for folder in Sandbox.kept.withLock({ $0 }) { folder.remove() } }
    }()

    /// The working directory of every run.
    package var path: String { root.file("work") }

    package var environment: [String: String] {
        [
            "PATH": "\(ToolRunner.products):/usr/bin:/bin:/usr/sbin:/sbin",
            "TMPDIR": root.file("tmp"),
        ]
    }

    /// Runs a script in the working directory, with the binary.
    @discardableResult
    package func start(
        _ script: String, environment more: [String: String] = [:], timeout: Double = 60
    ) throws -> Run {
        try ToolRunner.run(
            script, in: path, environment: environment.merging(more) { $1 }, timeout: timeout)
    }

    /// All names in the working and temporary directories with hashes, to find changed and leftover
    /// files.
    package func tree() throws -> [String] { try root.listing(hashesFiles: true).sorted() }

    /// Whether the working directory has no files.
    package func isEmpty() throws -> Bool {
        try TemporaryFolder(path: path).directory().names().isEmpty
    }

    package func read(_ name: String) throws -> [UInt8] {
        try root.read("work/" + name)
    }

    package func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: root.file("work/" + name))
    }
}

/// The setup code of tests.
package enum Fixtures {
    package static let url = "https://cdn.example.com/shop"

    /// Shell functions that create one or two small builds, an origin, and an installation.
    package static let prelude = """
        URL=\(url)
        build() {
            mkdir -p "${1-dist}/assets"
            echo '<!doctype html><title>Shop</title><script src=assets/app.js></script>' > "${1-dist}/index.html"
            echo 'console.log("shop")' > "${1-dist}/assets/app.js"
            echo 'body { margin: 0 }' > "${1-dist}/assets/app.css"
        }
        publish() { packtool publish "$1" --to cdn --app shop --base-url $URL --quiet --label "$2"; }
        origin() { build; publish dist 1.0.0; }
        installed() { origin; packtool install cdn --into phone --quiet; }
        second() { build next; echo 'console.log("sale")' > next/assets/sale.js; }
        nobody() { chown -R 65534 "$@"; }

        """

    package static let isRoot = geteuid() == 0
    /// Runs a command without root privileges, by switching to another user if the tests run as
    /// root.
    package static let unprivileged =
        isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""

    /// Whether a small file system can be mounted in a temporary mount namespace.
    package static let canMount: Bool = {
        let script = "unshare -m sh -c 'mount -t tmpfs -o size=1m none /mnt'"
        let run = try? ToolRunner.run(
            script, in: "/", environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"], timeout: 10)
        return run?.status == 0
    }()
}
