import ArgumentParser
import PackGround
import PackProfile
import PackSettings
import PackURL

/// `packtool resolve`: shows the lookup model of the rules, for test harnesses and debugging.
struct ResolveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Prints the file of a build that a URL finds on the device.",
        usage: "packtool resolve <build> <url> ... [--profile <name>] [<options>]",
        discussion: """
            Uses the model of the profile's client that every rule and 'simulate' use.

            Example:
              packtool resolve dist customscheme://shop.example.com/index.html
            """, shouldDisplay: false)

    @Argument(
        help: ArgumentHelp("The build output's directory.", valueName: "build"), completion: .path)
    var build: String

    @Argument(help: ArgumentHelp("Absolute URLs.", valueName: "url"))
    var urls: [String]

    @OptionGroup var profile: ProfileOption
    @OptionGroup var scheme: SchemeOption
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        profile.apply(to: &settings)
        scheme.apply(to: &settings)
        launch.apply(to: &settings)
        exclude.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let files = try FileTree.survey(
            Directory.open(build), excluding: settings.exclusions
        ).files
        let resolver = Resolver(
            profile: try settings.usableProfile(), listing: PackageListing(files.map(\.path)))
        let answers = urls.map {
            ($0, resolver.resolve(Array($0.utf8), from: nil, for: .navigation))
        }
        if output.json {
            console.print(
                json: .members([
                    "answers": .array(answers.map { json($0, $1, resolver) })
                ]))
        } else {
            for (url, resolution) in answers {
                console.print("\(url): \(text(resolution, resolver))")
            }
        }
        return answers.allSatisfy { $1.file != nil } ? 0 : 1
    }

    private func text(_ resolution: Resolution, _ resolver: Resolver) -> String {
        let name = resolution.lookedUp.map { " (the handler looks for '\(printable($0))')" } ?? ""
        switch resolution.outcome {
        case .file(let index): return printable(resolver.listing.paths[index].bytes) + name
        case .startPage(let index), .startPageInstead(let index):
            let page = printable(resolver.listing.paths[index].bytes)
            return "the start page, \(page), but only if it is opened as a page" + name
        case .fallback:
            let next = resolution.fallback.map { ", asks \(printable($0.serialized()))" } ?? ""
            return "not in the package" + next + name
        case .otherOrigin: return "not requested from the package"
        case .notARequest(let reason): return "no request: \(reason.rawValue)"
        case .crash(let reason): return "the handler fails: \(reason.rawValue)" + name
        }
    }

    private func json(_ url: String, _ resolution: Resolution, _ resolver: Resolver) -> JSONValue {
        var outcome = "file"
        var path: String?
        var fallback: String?
        var reason: String?
        switch resolution.outcome {
        case .file(let index): path = resolver.listing.paths[index].description
        case .startPage(let index), .startPageInstead(let index):
            outcome = "start-page"
            path = resolver.listing.paths[index].description
        case .fallback:
            outcome = "fallback"
            fallback = resolution.fallback.map { printable($0.serialized()) }
        case .otherOrigin: outcome = "other-origin"
        case .notARequest(let why):
            outcome = "not-a-request"
            reason = why.rawValue
        case .crash(let why):
            outcome = "crash"
            reason = why.rawValue
        }
        return .members([
            "url": .string(url), "outcome": .string(outcome), "path": path.map { .string($0) },
            "lookedUp": resolution.lookedUp.map { .string(printable($0)) },
            "fallback": fallback.map { .string($0) }, "reason": reason.map { .string($0) },
        ])
    }
}
