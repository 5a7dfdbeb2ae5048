import Foundation
package import PackClient
import PackGround
import PackRelease
package import Testing

/// The installation in a playground.
extension Playground {
    /// Expects that the installation contains exactly these files.
    package func expectInstalled(
        _ files: [String: String],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let current = try self.files("client/current/.")
        #expect(current == files.mapValues { Array($0.utf8) }, sourceLocation: location)
        // Only the trees that the state names, the link to this one, and the state.
        let version = try Sample.release(files).version
        let trees = try installState().trees.map { "versions/\($0.version)" }
        #expect(trees.first == "versions/\(version)", sourceLocation: location)
        let top = Set(
            try tree("client").keys.filter { path in !trees.contains { path.hasPrefix($0 + "/") } })
        #expect(
            top == Set(["current", "state.json", ".lock", ".state.lock", "versions"] + trees),
            sourceLocation: location)
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: client + "/current")
        #expect(target == "versions/\(version)", sourceLocation: location)
    }

    package func installState() throws -> InstallState {
        try #require(try StateFile(directory: Directory.open(client)).read())
    }
}
