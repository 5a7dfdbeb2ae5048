import Foundation
import PackCheck
import PackGround

/// Files in memory: a build, or files next to one.
struct Build {
    struct File: Equatable {
        var name: String
        var content: [UInt8]
    }

    var files: [File]

    mutating func add(_ name: String, content: [UInt8]) {
        files.append(File(name: name, content: content))
        removeRepeatedNames()
    }

    /// Keeps the last of several files with one name, and removes files below another file.
    mutating func removeRepeatedNames() {
        var seen: Set<String> = []
        files = files.reversed().filter { seen.insert($0.name).inserted }.reversed()
        let names = Set(files.map(\.name))
        files.removeAll { file in
            let parts = file.name.split(separator: "/")
            return parts.indices.dropFirst().contains {
                names.contains(parts[..<$0].joined(separator: "/"))
            }
        }
    }
}

/// The sources of mutants: the examples of the rules, and the pages of the storefront with some of
/// their files.
struct Corpus {
    let builds: [Build]
    let files: [Build.File]
    /// The manifest of a build, as written by `packtool manifest`.
    let manifest: [UInt8]

    init(root: String, _ runner: Runner, folder: String) async throws {
        var builds = RuleCatalog.all.flatMap(\.examples).compactMap(Self.build)
        for version in ["1.0.0", "1.1.0"] {
            builds += try Self.storefront("\(root)/examples/storefront/dist/\(version)")
        }
        self.builds = builds.filter { !$0.files.isEmpty }
        files = self.builds.flatMap(\.files).filter { $0.content.count < 8192 }
        _ = await runner.run([
            "manifest", "\(root)/examples/storefront/dist/1.1.0", "-o", "\(folder)/info.json",
            "--app", "shop",
            "--base-url", "https://cdn.example.com/shop",
        ])
        manifest = FileManager.default.contents(atPath: "\(folder)/info.json").map(Array.init) ?? []
    }

    /// Some examples have names that no disk supports.
    private static func build(_ example: Example) -> Build? {
        var build = Build(files: [.init(name: example.path, content: Array(example.content.utf8))])
        for (name, content) in example.others.sorted(by: { $0.key < $1.key }) {
            build.files.append(.init(name: name, content: Array(content.utf8)))
        }
        guard build.files.allSatisfy({ (try? AssetPath($0.name)) != nil }) else { return nil }
        build.removeRepeatedNames()
        return build
    }

    /// Each page with a few of the other files, so that a mutant costs milliseconds.
    private static func storefront(_ folder: String) throws -> [Build] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        var pages: [Build.File] = []
        var others: [Build.File] = []
        for name in names {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
                data.count < 8192
            else { continue }
            let file = Build.File(name: name, content: Array(data))
            if name.hasSuffix(".html") { pages.append(file) } else { others.append(file) }
        }
        return pages.enumerated().map { number, page in
            let some = others.enumerated().filter { $0.offset % pages.count == number }.map(
                \.element)
            return Build(files: [page] + some.prefix(5))
        }
    }
}
