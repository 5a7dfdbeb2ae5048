import Foundation
import PackGround

/// Runs the commands of a case in its own project, and compares results that must be equal.
struct Scenario {
    let runner: Runner
    /// The project, which is the working directory.
    let folder: String

    /// The faults of the case, in order of detection.
    private(set) var faults: [String] = []

    init(runner: Runner, folder: String) {
        self.runner = runner
        self.folder = folder
    }

    private static let origin = ["--app", "shop", "--base-url", "https://cdn.example.com/shop"]

    mutating func run(_ subject: Case) async throws {
        let before = tree("dist")
        switch subject.kind {
        case .check, .settings:
            let word = subject.kind == .settings ? subject.options[0] : "check"
            let options = subject.options.dropFirst(subject.kind == .settings ? 1 : 0)
            if word == "hash" {
                await step(["hash", "dist"])
            } else {
                await step([word, "dist"] + options)
            }
        case .fix: await fix(subject.options)
        case .rewrite: await rewrite(subject.options, before)
        case .report: await report(subject.options)
        case .simulate: await step(["simulate", "old", "dist", "--json"] + subject.options)
        case .publish: await publish(subject.options)
        case .baseline: await step(["check", "dist", "--baseline", "base.json"] + subject.options)
        case .manifest: await manifest(subject.options[0])
        case .start: await step(["init", "--yes"] + Self.origin)
        }
        guard subject.kind != .fix, tree("dist") != before else { return }
        faults.append("\(subject.kind) changed the build")
    }

    private func tree(_ name: String) -> Tree { Tree.read("\(folder)/\(name)") }

    @discardableResult
    private mutating func step(_ arguments: [String], saved: [String: String] = [:]) async
        -> Runner.Result
    {
        let result = await runner.run(arguments)
        let documents = saved.sorted { $0.key < $1.key }.compactMap { form, name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map {
                (form: form, bytes: Array($0))
            }
        }
        if let fault = Invariants.fault(of: result, saved: documents) {
            faults.append("\(arguments.joined(separator: " ")): \(fault)")
        }
        return result
    }

    /// A second run has nothing to fix.
    private mutating func fix(_ options: [String]) async {
        let arguments = ["check", "dist", "--fix"] + options
        guard await step(arguments).status < 2 else { return }
        let fixed = tree("dist")
        await step(arguments)
        if tree("dist") != fixed { faults.append("a second 'check --fix' changed files") }
    }

    /// A rewrite can be undone byte for byte.
    private mutating func rewrite(_ options: [String], _ before: Tree) async {
        guard await step(["rewrite", "dist", "-o", "out"] + options).status == 0 else { return }
        let undone = await step(["rewrite", "out", "-o", "back", "--reverse"])
        guard undone.status == 0 else {
            faults.append("'rewrite --reverse' refused: \(undone.text.prefix(300))")
            return
        }
        // Excluded files are not copied.
        let restored = Set(before.files.filter { !Self.isLeftOut($0.name) }.map(\.name))
        let back = tree("back")
        for file in before.files where restored.contains(file.name) && !back.files.contains(file) {
            faults.append("'rewrite --reverse' did not restore '\(file.name)'")
        }
    }

    private static func isLeftOut(_ name: String) -> Bool {
        name.split(separator: "/").contains { JunkFiles.isJunk(Array($0.utf8)) }
    }

    private mutating func report(_ options: [String]) async {
        let arguments = [
            "report", "old", "dist", "-o", "r.html", "--save", "markdown=r.md", "--save",
            "json=r.json",
            "--findings", "sarif=f.sarif", "--findings", "junit=f.xml", "--findings",
            "markdown=f.md",
        ]
        await step(
            arguments + options,
            saved: [
                "markdown": "r.md", "json": "r.json", "sarif": "f.sarif", "junit": "f.xml",
                "html": "r.html",
            ])
    }

    /// A published release can be verified.
    private mutating func publish(_ options: [String]) async {
        let flags = ["--to", "cdn", "--json"] + Self.origin + options
        var isPublished = false
        for build in ["old", "dist"] {
            if await step(["publish", build] + flags).status == 0 { isPublished = true }
        }
        guard isPublished else { return }
        let verified = await step(["verify", "cdn"])
        if verified.status != 0 { faults.append("'verify' refused: \(verified.text.prefix(300))") }
    }

    private mutating func manifest(_ word: String) async {
        switch word {
        case "check": await step(["check", "dist", "--against", "info.json", "--format", "sarif"])
        case "simulate": await step(["simulate", "info.json", "dist", "--json"])
        case "report":
            await step(["report", "info.json", "dist", "-o", "r.html"], saved: ["html": "r.html"])
        case "diff": await step(["diff", "info.json", "dist", "--json"])
        default: await step(["verify", "info.json", "--build", "dist"])
        }
    }
}
