import Foundation
import PackGround
import TestSupport
import Testing

@testable import PackCommands

/// The files in which 'publish' keeps hashes.
@Suite struct HashFileTests {
    private static let publish =
        "packtool publish many --to cdn --app shop --base-url https://a.example --no-check --quiet"

    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir many
            for i in $(seq 1000); do echo $i > many/$i.txt; done
            echo '<!doctype html>' > many/index.html
            find many -exec touch -d '2020-01-01' {} +
            sleep 3
            """)
        return sandbox
    }

    private func files(_ sandbox: Sandbox, in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(
            atPath: "\(sandbox.path)/\(folder)/hashes")) ?? []).sorted()
    }

    @Test func oneFileForBuildAndOrigin() async throws {
        let sandbox = try await sandbox()
        let environment = ["XDG_CACHE_HOME": "\(sandbox.path)/xdg"]
        for _ in 0..<2 {
            let run = try sandbox.start(Self.publish, environment: environment)
            #expect(run.status == 0, "\(run.errors)")
            // Hashes of files just written are not kept.
            try await Task.sleep(for: .seconds(3))
        }
        let names = ["many", "cdn"].map { name in
            let path = resolvedPath("\(sandbox.path)/\(name)")
            return "\(StreamHasher.digest(of: Array(path.utf8)))"
        }
        #expect(files(sandbox, in: "xdg/packtool") == names.sorted())

        // Damage costs time only.
        for name in names {
            try Data("packtool hashes1".utf8).write(
                to: URL(fileURLWithPath: "\(sandbox.path)/xdg/packtool/hashes/\(name)"))
        }
        let run = try sandbox.start(Self.publish, environment: environment)
        #expect(run.status == 0, "\(run.errors)")
        #expect(files(sandbox, in: "xdg/packtool") == names.sorted())
    }

    @Test(arguments: [
        ("--no-cache", "PACKTOOL_CACHE", 0), ("--cache named", "PACKTOOL_CACHE", 0),
        ("", "PACKTOOL_CACHE", 2), ("--verify-all", "PACKTOOL_CACHE", 2), ("", "UNUSED", 0),
    ]) func theDirectory(_ flag: String, _ variable: String, _ count: Int) async throws {
        let sandbox = try await sandbox()
        let run = try sandbox.start(
            "\(Self.publish) \(flag) && sleep 1 && \(Self.publish) \(flag)",
            environment: [variable: "\(sandbox.path)/set"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(files(sandbox, in: "set").count == count)
        #expect(files(sandbox, in: "named").count == (flag.hasPrefix("--cache") ? 2 : 0))
    }

    @Test func aDirectoryWithOtherFilesIsNotUsed() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare("mkdir set; echo mine > set/notes")
        let run = try sandbox.start(
            Self.publish, environment: ["PACKTOOL_CACHE": "\(sandbox.path)/set"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.path)/set") == ["notes"])
    }
}
