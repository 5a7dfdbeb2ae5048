import Foundation

/// A directory of a test's own, with the tool on its path and a temporary directory inside, so that a
/// listing shows whatever a run left behind.
package final class Sandbox: Sendable {
    private let root: TemporaryFolder

    package init() throws {
        root = try TemporaryFolder.make()
        _ = try root.makeFolder("work")
        _ = try root.makeFolder("tmp")
        // Some tests run as another user, who has to write here; the parent's mode is the umask's.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root.path)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o1777], ofItemAtPath: root.file("tmp"))
    }

    deinit { root.remove() }

    /// The working directory of every run.
    package var path: String { root.file("work") }

    package var environment: [String: String] {
        [
            "PATH": "\(ToolRunner.products):/usr/bin:/bin:/usr/sbin:/sbin",
            "TMPDIR": root.file("tmp"),
        ]
    }

    /// Runs a script in the working directory, which starts the binary.
    @discardableResult
    package func start(
        _ script: String, environment more: [String: String] = [:], timeout: Double = 60
    ) throws -> Run {
        try ToolRunner.run(
            script, in: path, environment: environment.merging(more) { $1 }, timeout: timeout)
    }

    /// Every name below working and temporary directory, with checksums: what a run changed or left.
    package func tree() throws -> [String] {
        let list = try ToolRunner.run(
            "export LC_ALL=C; find . | sort; find . -type f -exec cksum {} + | sort", in: root.path,
            environment: ["PATH": "/usr/bin:/bin"], timeout: 60)
        return list.lines
    }

    package func read(_ name: String) throws -> [UInt8] {
        try root.read("work/" + name)
    }

    package func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: root.file("work/" + name))
    }
}

/// What tests are prepared with.
package enum Fixtures {
    package static let url = "https://cdn.example.com/shop"

    /// Shell functions: a small build, two of them, an origin, an installation.
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
    /// How a command is run as a user without rights: by changing to one where tests run as root.
    package static let unprivileged =
        isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""

    /// Whether a small file system can be mounted, in a name space that goes with the run.
    package static let canMount: Bool = {
        let script = "unshare -m sh -c 'mount -t tmpfs -o size=1m none /mnt'"
        let run = try? ToolRunner.run(
            script, in: "/", environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"], timeout: 10)
        return run?.status == 0
    }()
}
