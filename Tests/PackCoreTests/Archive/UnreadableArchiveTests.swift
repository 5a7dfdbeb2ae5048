import PackGround
import TestSupport
import Testing

// @testable: the reader is internal.
@testable import PackArchive

@Suite struct UnreadableArchiveTests {
    @Test(
        "a failed read was a truncated archive, so a publish replaced a package that it could not read"
    )
    func aFailedReadIsNoDamage() async throws {
        try await TemporaryFolder.with { folder in
            let directory = try Directory.open(folder.path)
            try directory.createFile("package.zip").write([UInt8](repeating: 0, count: 100))
            let error = #expect(throws: Failure.self) {
                // Open for writing only.
                _ = try ArchiveReader(directory.openFileForAppending("package.zip"))
            }
            #expect(error?.code.name == "file-system.read", "\(String(describing: error))")
        }
    }
}
