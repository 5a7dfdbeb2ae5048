import Foundation

/// One mutant: the files of a project, and the command to run.
struct Case {
    enum Kind: String, CaseIterable {
        case check, fix, rewrite, report, simulate, publish, settings, baseline, manifest, start
    }

    let kind: Kind
    /// Flags of the command.
    let options: [String]
    /// The project: the mutated build is `dist`, the valid one `old`.
    var files: [Build.File]

    // MARK: - From a seed

    /// Cheap kinds are more frequent: a publish takes twenty times as long as a check.
    private static let frequencies: [(Kind, Int)] = [
        (.check, 46), (.fix, 12), (.rewrite, 10), (.simulate, 5), (.settings, 9), (.baseline, 6),
        (.manifest, 4), (.start, 3), (.report, 3), (.publish, 2),
    ]

    init(seed: UInt64, _ corpus: Corpus) {
        var random = Random(seed: seed)
        var number = random.below(Self.frequencies.reduce(0) { $0 + $1.1 })
        let kind =
            Self.frequencies.first {
                number -= $0.1; return number < 0
            }?.0 ?? .check
        let mutator = Mutator(corpus: corpus)
        let old = random.pick(corpus.builds)
        var new = old
        // Half of the settings and baselines are damaged next to a valid build.
        let isBeside = [.settings, .baseline, .manifest].contains(kind)
        if !isBeside || random.chance(30) { mutator.mutate(&new, &random) }
        var files = new.files.map { Build.File(name: "dist/\($0.name)", content: $0.content) }
        if [.simulate, .report, .publish].contains(kind) {
            files += old.files.map { Build.File(name: "old/\($0.name)", content: $0.content) }
        }
        if let (name, text) = Self.document(of: kind, corpus) {
            var content = text
            for _ in 0...random.below(3) { mutator.mutate(&content, &random) }
            files.append(.init(name: name, content: content))
        }
        options = Self.options(of: kind, &random)
        if kind != .settings, kind != .start {
            let profile = Self.profile(of: kind, &random)
            files.append(.init(name: "packtool.yaml", content: Array(profile.utf8)))
        }
        self.kind = kind
        self.files = files
    }

    /// The document next to the build that this kind of mutant damages.
    private static func document(of kind: Kind, _ corpus: Corpus) -> (String, [UInt8])? {
        switch kind {
        case .settings: ("packtool.yaml", Array(settings.utf8))
        case .baseline: ("base.json", Array(baseline.utf8))
        case .manifest: ("info.json", corpus.manifest)
        default: nil
        }
    }

    private static let settings = """
        app: shop
        build: dist
        exclude: ['**/*.map', '!x', 'a/**/b']
        base-url: https://cdn.example.com/shop
        profile: path-strict
        host: [www.example.com]
        level: fast
        check:
          ignore: [js-window-open]
          budgets: {package: 50 MB, file: 2 MB}
          external: [fonts.example.com]
          api: [/api/]
          max-warnings: 20
        s3:
          region: x

        """

    private static let baseline = """
        {"schema":1,"findings":{"missing-file index.html: 'a.png' is not in the package":2,
        "start-page-missing .: there is no index.html":1,"html-parse-unsafe this tag never ends | <":3,
        "unhashed-mutable .: more findings of this rule":9007199254740991}}
        """

    private static func options(of kind: Kind, _ random: inout Random) -> [String] {
        switch kind {
        case .check:
            return random.pick([
                ["--dump-urls"], ["--dump-urls", "--json"], ["--hints"], ["--hints"],
                ["--format", "json"],
                ["--format", "sarif"], ["--format", "sarif"], ["--format", "junit"],
                ["--format", "github"], ["--format", "markdown"],
            ])
        case .baseline: return random.chance(30) ? ["--update-baseline"] : []
        case .publish: return random.chance(50) ? ["--no-check"] : []
        case .manifest: return [random.pick(["check", "simulate", "report", "diff", "verify"])]
        case .settings: return [random.pick(["check", "check", "hash"])]
        case .simulate: return ["--client", random.pick(profiles)]
        case .fix, .rewrite, .report, .start: return []
        }
    }

    private static let profiles = ["basename-cache", "capacitor", "cordova", "path-strict"]

    /// In a file, because parsing flags takes a debug build longer than the rest of a check.
    private static func profile(of kind: Kind, _ random: inout Random) -> String {
        let origin =
            kind != .rewrite && random.chance(20)
            ? random.pick(["https", "custom", "dual"]) : "custom"
        return """
            profile: \(random.pick(profiles))
            host: [www.example.com]
            page-origin: \(origin)

            """
    }

    // MARK: - On disk

    private static let planName = "PLAN"

    /// Writes it in a readable form, also for ``init(folder:)``.
    func write(to folder: String) throws {
        try write(files, in: folder + "/files")
        try ([kind.rawValue] + options).joined(separator: "\n")
            .write(toFile: "\(folder)/\(Self.planName)", atomically: false, encoding: .utf8)
    }

    init(folder: String) throws {
        let lines = try String(contentsOfFile: "\(folder)/\(Self.planName)", encoding: .utf8)
            .split(separator: "\n").map(String.init)
        guard let kind = lines.first.flatMap(Kind.init) else {
            throw CocoaError(.coderInvalidValue)
        }
        self.kind = kind
        options = Array(lines.dropFirst())
        files = Tree.read(folder + "/files").files
    }

    private func write(_ files: [Build.File], in folder: String) throws {
        var made: Set<String> = []
        for file in files {
            let path = "\(folder)/\(file.name)"
            let parent = (path as NSString).deletingLastPathComponent
            if made.insert(parent).inserted {
                try FileManager.default.createDirectory(
                    atPath: parent, withIntermediateDirectories: true)
            }
            try Data(file.content).write(to: URL(fileURLWithPath: path))
        }
    }

    /// Writes the project to an empty folder.
    func place(in folder: String) throws { try write(files, in: folder) }
}

/// The files below a folder.
struct Tree: Equatable {
    var files: [Build.File] = []

    static func read(_ folder: String) -> Tree {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder).sorted()) ?? []
        return Tree(
            files: names.compactMap { name in
                var isDirectory: ObjCBool = false
                let path = "\(folder)/\(name)"
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
                    !isDirectory.boolValue, let data = FileManager.default.contents(atPath: path)
                else { return nil }
                return Build.File(name: name, content: Array(data))
            })
    }
}
