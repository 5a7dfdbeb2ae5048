import Foundation
import PackOrigin

/// What an origin and an installation have, to compare.
extension Playground {
    /// The public files of the origin, sorted.
    package func publicFiles() throws -> [String] {
        try tree("origin").filter { $0.value.kind == "file" && !$0.key.hasPrefix(".packtool/") }
            .keys.sorted()
    }

    /// The names of everything public of the origin, whatever it is, sorted.
    package func publicNames() throws -> [String] {
        let names =
            try memory?.places ?? FileManager.default.subpathsOfDirectory(atPath: origin)
        return names.filter { !$0.hasPrefix(".packtool") }.sorted()
    }

    /// What a client sees of an origin: every public file with its bytes.
    package func publicContent() throws -> [String: [UInt8]] {
        try files("origin").filter { !$0.key.hasPrefix(".packtool/") }
    }

    /// What a client can find: not what a store that uploads early has already and nothing names yet.
    package func namedContent() throws -> [String: [UInt8]] {
        let all = try publicContent()
        guard memory?.createsEarly == true else { return all }
        return all.filter { place, _ in
            if place.hasPrefix("objects/") { return false }
            guard place.hasSuffix("/package.zip") else { return true }
            return all["\(place.dropLast(11))info.json"] != nil
        }
    }

    /// What a refused update must not touch: everything but what was seen, which `state.json` says.
    package func installedTrees(_ place: String = "client") throws -> [String: [UInt8]] {
        try installed(place).filter { $0.key != "state.json" }
    }

    /// What counts of an installation: names, contents and link targets, not times or the lock.
    package func installed(_ place: String = "client") throws -> [String: [UInt8]] {
        try tree(place).filter { $0.key != ".lock" }.mapValues {
            Array("\($0.kind):".utf8) + $0.bytes
        }
    }
}
