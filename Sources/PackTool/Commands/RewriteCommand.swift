import ArgumentParser
import PackCheck
import PackGround
import PackProfile
import PackSettings

/// `packtool rewrite`.
struct RewriteCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewrite",
        abstract: "Copies a build, rewriting its URLs to the app's scheme.",
        usage: "packtool rewrite [<dir>] --output <dir> [<options>]",
        discussion: """
            Rewrites http and https URLs of your hosts to the custom scheme if the package has the \
            file: scripts, styles, images and links to pages. Only these values change; integrity \
            hashes and policies are updated, and no file is renamed. Links that open outside the \
            app (target=_blank, download, rel=external), links to other hosts, forms and metadata \
            for crawlers stay unchanged.

            With several profiles, own URLs become protocol-relative, which all apps can load.

            Example:
              packtool rewrite dist -o dist-app --host shop.example.com
              packtool rewrite dist -o dist-both --dual --host shop.example.com
            """)

    @Argument(help: ArgumentHelp("The build output.", valueName: "dir"), completion: .path)
    var build: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The directory to write, which must not exist.", valueName: "dir"),
        completion: .path)
    var target: String

    @Option(
        help: ArgumentHelp(
            "How own URLs are written (default: custom).", valueName: "form"))
    var form: Form?

    @Flag(help: "Write protocol-relative URLs, for pages that are also served to browsers.")
    var dual = false

    @Flag(help: "Write the build as it was before, byte for byte.")
    var reverse = false

    /// The forms of rewritten URLs.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case custom
        case protocolRelative = "protocol-relative"
    }

    @OptionGroup var pages: PageOptions
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        pages.apply(to: &settings)
        exclude.apply(to: &settings)
    }

    func validate() throws {
        var flags = Configuration()
        pages.apply(to: &flags)
        exclude.apply(to: &flags)
        if reverse, dual || form != nil || !flags.contents.isEmpty {
            throw ValidationError(
                "--reverse restores the original URLs; it takes no --form, --dual, --exclude or profile."
            )
        }
        if dual, form == .custom {
            throw ValidationError("--dual writes protocol-relative URLs; omit --form custom.")
        }
        if dual, let pageOrigin = pages.pageOrigin, pageOrigin != .dual {
            throw ValidationError("--dual and --page-origin \(pageOrigin) contradict each other.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let source = try settings.build()
        let directory = try Directory.open(source)
        let location = try OutputLocation.check(
            target, inputs: [.build(source)], isDirectory: true)
        let jobs = try console.environment.jobs()
        let plan = reverse ? nil : try rewriteTarget(settings)
        let written = try await TemporaryDirectory.with(in: location.directory, console) {
            staging in
            try staging.makeDirectory("tree")
            let tree = try staging.directory("tree")
            var written = Written()
            if let plan {
                let outcome = try await Rewriter(
                    source: directory, target: plan, excluding: settings.exclusions
                ).write(to: tree, jobs: jobs)
                written = Written(
                    files: outcome.files, changed: outcome.changed,
                    unusedHosts: outcome.unusedHosts)
            } else {
                written.files = try await Rewriter.restore(directory, to: tree, jobs: jobs)
            }
            try OutputLocation.move("tree", of: staging, at: target, location)
            return written
        }
        report(
            written, plan, isForBrowsers: dual || settings.profile.pageOrigin == .dual, console)
        return 0
    }

    /// The result of a run.
    private struct Written {
        var files = 0
        var changed: [String] = []
        var unusedHosts: [String] = []
    }

    private func rewriteTarget(_ settings: Settings) throws -> RewriteTarget {
        let profiles = try settings.usableProfiles()
        // Pages of Android need no other URLs than those of a browser.
        guard var profile = profiles.first(where: { !$0.isIntercepted }) else {
            throw Failure.rewriteAndroid()
        }
        guard profiles.allSatisfy({ Set($0.hosts).isSuperset(of: profile.hosts) }) else {
            throw Failure.rewriteOtherHosts(profiles.map(\.name))
        }
        if dual || profiles.count > 1 { profile.pageOrigin = .dual }
        let form: RewriteTarget.Form =
            form == .protocolRelative || form == nil && profile.pageOrigin == .dual
            ? .protocolRelative : .custom
        return try RewriteTarget(profile: profile, form: form)
    }

    private func report(
        _ written: Written, _ plan: RewriteTarget?, isForBrowsers: Bool, _ console: Console
    ) {
        let (files, changed) = (written.files, written.changed)
        if output.json {
            console.print(
                json: .members([
                    "tree": .string(target), "files": .integer(files),
                    "changed": .strings(changed), "form": plan.map { .string($0.form.rawValue) },
                    "unusedHosts": plan.map { _ in .strings(written.unusedHosts) },
                ]))
            return
        }
        guard let plan else {
            console.stdout("wrote \(target): \(counted(files, "file")) with the original content")
            return
        }
        console.stdout(
            "wrote \(target): \(counted(changed.count, "file")) of \(files) changed, own URLs are "
                + (plan.form == .custom
                    ? "\(plan.profile.scheme.lowercased())://" : "protocol-relative"))
        for host in written.unusedHosts {
            console.note("no URL in the build names '\(printable(host.utf8))'; check --host")
        }
        if isForBrowsers {
            console.note(
                "browsers load these pages from the network, the app from the package; "
                    + "they share no cookies or storage, and the CDN must cache them separately "
                    + "(Vary: User-Agent)")
        }
        if !changed.isEmpty {
            console.note("content hashes in the names of changed files are outdated")
        }
    }
}
