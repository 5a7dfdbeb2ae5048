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
        // Only one tree, the link to it, and the state.
        let version = try Sample.release(files).version
        let top = Set(
            try tree("client").keys.filter { !$0.hasPrefix("versions/\(version)/") })
        #expect(
            top == ["current", "state.json", ".lock", "versions", "versions/\(version)"],
            sourceLocation: location)
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: client + "/current")
        #expect(target == "versions/\(version)", sourceLocation: location)
    }

    package func installState() throws -> InstallState {
        try #require(try InstallState.read(in: Directory.open(client)))
    }
}
