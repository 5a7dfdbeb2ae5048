import Foundation
import PackClient
import PackClientURLSession
import TestSupport
import Testing

/// The directory of an installation, as an app prepares it.
@Suite struct PreparedDirectoryTests {
    @Test func isMadeOnce() throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let directory = "\(folder.path)/Application Support/offline"
        let configuration = PackClient.Configuration(
            origin: "https://cdn.example.com/shop", app: "shop", directory: directory)
        try configuration.prepareDirectory()
        try Data("kept".utf8).write(to: URL(fileURLWithPath: "\(directory)/file"))
        try configuration.prepareDirectory()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["file"])
        #if canImport(Darwin)
            let values = try URL(fileURLWithPath: directory).resourceValues(
                forKeys: [.isExcludedFromBackupKey])
            #expect(values.isExcludedFromBackup == true)
        #endif
    }

    @Test func reportsAFileOfTheSameName() throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/offline"))
        let configuration = PackClient.Configuration(
            origin: "https://cdn.example.com/shop", app: "shop",
            directory: "\(folder.path)/offline/phone")
        #expect(throws: (any Error).self) { try configuration.prepareDirectory() }
    }
}
