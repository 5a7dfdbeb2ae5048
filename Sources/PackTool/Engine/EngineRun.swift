import PackCheck
import PackEngine
import PackGround
import PackProfile
import PackSettings

/// Opens the pages of a build in an engine, one after the other.
struct EngineRun {
    /// The limits of a run.
    struct Request: Sendable {
        /// The largest number of pages.
        var pages = Defaults.enginePages
        /// The time for all pages in seconds.
        var seconds = Defaults.engineSeconds
        /// Whether other hosts can be reached.
        var hasNetwork = false
        /// Whether pictures of the first screens are kept.
        var keepsPictures = false
    }

    /// The opened pages.
    struct Outcome: Sendable {
        var visits: [VisitReport] = []
        /// The number of known but unopened pages.
        var left = 0
        /// `WebKitGTK 2.50.6`.
        var engine = ""
        var seconds = 0.0
        /// The reason why no further engine could be started, if so.
        var problem: String?
        /// PNG files by the index of the visit.
        var pictures: [Int: [UInt8]] = [:]
    }

    /// The memory of all processes of the engine in bytes.
    static let memoryLimit: UInt64 = 2 << 30
    /// The time for one page in seconds.
    private static let pageSeconds = 60.0
    /// The time for the engine to start in seconds.
    private static let startSeconds = 60.0
    /// The largest kept picture in bytes.
    private static let pictureLimit = 512 << 10
    /// The number of the launch page's second visit.
    private static let directoryPage = 1 << 20
    /// The milliseconds between two looks at the clock.
    private static let tick: Int32 = 50

    private let site: SiteIndex
    private let request: Request
    private let environment: ProcessEnvironment
    private let handler: Handler
    private let lazy: LazyChunks
    /// The absolute path of the build, or of an origin's objects.
    private let build: String
    /// The files of the paths of a release in an origin; empty for a build.
    private var objects: [String: String] = [:]

    init(
        _ site: SiteIndex, _ request: Request, _ environment: ProcessEnvironment
    ) throws {
        guard site.profile.hasCustomPages || request.hasNetwork else { throw Failure.engineHTTPS() }
        self.site = site
        self.request = request
        self.environment = environment
        switch site.source {
        case .directory(let directory): build = resolvedPath(directory.path)
        case .objects(let directory, let paths):
            build = resolvedPath(directory.path)
            for (path, object) in paths { objects[path.description] = object }
        case .memory: build = "/nonexistent"
        }
        handler = Handler(site.resolver)
        lazy = try LazyChunks(site.files.map(\.path)) { path in
            let bytes = try site.source.head(of: path, count: 4 << 20)
            return bytes.count < 4 << 20 ? bytes : nil
        }
    }

    /// Opens the pages.
    ///
    /// - Parameter storage: A directory for the engine's own files.
    /// - Throws: ``Failure`` if the engine cannot be used at all.
    func run(in storage: Directory) throws -> Outcome {
        var outcome = Outcome()
        var plan = try VisitPlan(handler, pages: pages(), limit: request.pages)
        var engine: EngineProcess?
        defer { engine?.end() }
        let start = environment.monotonicSeconds()
        var fresh = 0
        visits: while let visit = plan.next() {
            let now = environment.monotonicSeconds()
            guard now - start < Double(request.seconds) else {
                outcome.left = 1
                break
            }
            let opened: EngineProcess
            if let engine {
                opened = engine
            } else {
                fresh += 1
                do {
                    (opened, outcome.engine) = try started(in: storage, named: "engine\(fresh)")
                } catch let failure as Failure where fresh > 1 {
                    // The pages so far count.
                    outcome.left = plan.left + 1
                    outcome.problem = failure.description
                    break visits
                }
                engine = opened
            }
            let index = outcome.visits.count
            var page = PageVisit(
                visit, page: index + 1, handler: handler, lazy: lazy,
                picture: "\(resolvedPath(storage.path))/engine\(fresh)/page\(index).png",
                now: environment.monotonicSeconds())
            try follow(&page, opened, until: start + Double(request.seconds))
            if request.keepsPictures, page.report.picture != nil,
                let bytes = try? storage.readFile(
                    "engine\(fresh)/page\(index).png", limit: Self.pictureLimit)
            {
                outcome.pictures[index] = bytes
            }
            outcome.visits.append(page.report)
            plan.add(links: page.report.links)
            var hasStopped = page.report.stop != nil
            if page.report.route == .launch, !hasStopped, let other = plan.launchDirectory {
                let launch = VisitReport(url: visit.url, file: visit.file, route: .launch)
                let picture = "\(resolvedPath(storage.path))/engine\(fresh)/directory.png"
                var screens: [FirstScreen] = []
                // A page that also differs from itself does not read its address.
                for visit in [other.visit, launch] where !hasStopped {
                    var page = PageVisit(
                        visit, page: Self.directoryPage + screens.count, handler: handler,
                        lazy: lazy, picture: picture, alias: other.file,
                        now: environment.monotonicSeconds())
                    try follow(&page, opened, until: start + Double(request.seconds))
                    hasStopped = page.report.stop != nil
                    if let screen = page.report.screen { screens.append(screen) }
                    if outcome.visits[index].shows(screens) { break }
                }
                outcome.visits[index].note(directory: screens)
            }
            // A stopped page may still run.
            if hasStopped {
                opened.end()
                engine = nil
            }
        }
        if outcome.problem == nil { outcome.left += plan.left }
        outcome.seconds = environment.monotonicSeconds() - start
        return outcome
    }

    /// Whole pages; parts of pages, inserted by scripts, are not opened.
    private func pages() throws -> [AssetPath] {
        try site.files.filter { file in
            guard file.kind == .html else { return false }
            return VisitPlan.isWholePage(try site.source.head(of: file.path, count: 2048))
        }.map(\.path)
    }

    private func started(
        in storage: Directory, named name: String
    ) throws -> (EngineProcess, version: String) {
        let launch = try EngineLaunch(
            site.profile, build: build, in: storage, named: name, hasNetwork: request.hasNetwork,
            hasWindow: false)
        let engine = try EngineProcess(launch, environment)
        return (engine, try Self.version(engine, environment))
    }

    /// Waits until an engine is ready, and returns its name and version.
    static func version(
        _ engine: EngineProcess, _ environment: ProcessEnvironment
    ) throws -> String {
        let start = environment.monotonicSeconds()
        while environment.monotonicSeconds() - start < startSeconds {
            do {
                switch try engine.next(milliseconds: tick)?.kind {
                case .ready(let version): return "WebKitGTK \(version)"
                case .unusable(let missing): throw Failure.engineMissing(missing)
                default: continue
                }
            } catch is EngineProcess.Fault {
                throw Failure.engineMissing("an engine that starts")
            }
        }
        throw Failure.engineMissing("an engine that starts within \(Int(startSeconds)) seconds")
    }

    private func send(_ commands: [EngineCommand], to engine: EngineProcess) {
        for command in commands {
            guard case .answer(let number, var answer) = command else {
                engine.send(command)
                continue
            }
            if let file = answer.file, let object = objects[file] { answer.file = object }
            engine.send(.answer(number: number, answer))
        }
    }

    /// Carries out the commands of a visit, and stops it at a limit.
    private func follow(
        _ page: inout PageVisit, _ engine: EngineProcess, until end: Double
    ) throws {
        engine.reset()
        send(page.opening, to: engine)
        let start = environment.monotonicSeconds()
        var looked = start
        while !page.isFinished {
            let now = environment.monotonicSeconds()
            do throws(EngineProcess.Fault) {
                if let event = try engine.next(milliseconds: Self.tick) {
                    let now = environment.monotonicSeconds()
                    send(page.receive(event, now: now), to: engine)
                }
            } catch {
                switch error {
                case .ended: page.stop(.engineEnded, now: now)
                case .output(let bytes): page.stop(.output(bytes: bytes), now: now)
                }
                return
            }
            send(page.tick(now: now), to: engine)
            if now >= end { page.stop(.timeOver, now: now) }
            if now - start > Self.pageSeconds {
                page.stop(.noAnswer(seconds: Int(Self.pageSeconds)), now: now)
            }
            guard now - looked > 0.25 else { continue }
            looked = now
            if engine.memory > Self.memoryLimit {
                page.stop(.memory(bytes: Self.memoryLimit), now: now)
            }
            try Task.checkCancellation()
        }
    }
}
