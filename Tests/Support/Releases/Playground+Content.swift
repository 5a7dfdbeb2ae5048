import Foundation
import PackOrigin

/// The files of an origin and an installation, for comparison.
extension Playground {
    /// The public files of the origin, sorted.
    package func publicFiles() throws -> [String] {
        try tree("origin").filter { $0.value.kind == "file" && !$0.key.hasPrefix(".packtool/") }
            .keys.sorted()
    }

    /// The names of all public entries of the origin, of any kind, sorted.
    package func publicNames() throws -> [String] {
        let names =
            try memory?.paths ?? FileManager.default.subpathsOfDirectory(atPath: origin)
        return names.filter { !$0.hasPrefix(".packtool") }.sorted()
    }

    /// All public files of the origin with their bytes.
    package func publicContent() throws -> [String: [UInt8]] {
        try files("origin").filter { !$0.key.hasPrefix(".packtool/") }
    }

    /// The files that a client can find.
    ///
    /// Excludes early uploads that no file references yet.
    package func namedContent() throws -> [String: [UInt8]] {
        let all = try publicContent()
        guard memory?.isRemote == true else { return all }
        return all.filter { path, _ in
            if path.hasPrefix("objects/") { return false }
            guard path.hasSuffix("/package.zip") else { return true }
            return all["\(path.dropLast(11))info.json"] != nil
        }
    }

    /// The files that a rejected update must not change: everything except the seen state in
    /// `state.json`.
    package func installedTrees(_ path: String = "client") throws -> [String: [UInt8]] {
        try installed(path).filter { $0.key != "state.json" }
    }

    /// The names, contents and link targets of an installation, without times and the lock.
    package func installed(_ path: String = "client") throws -> [String: [UInt8]] {
        try tree(path).filter { $0.key != ".lock" }.mapValues {
            Array("\($0.kind):".utf8) + $0.bytes
        }
    }
}
