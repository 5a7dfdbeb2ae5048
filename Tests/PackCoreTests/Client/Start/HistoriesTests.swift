import PackGround
import PackOrigin
import PackPublish
import PackRelease
import TestSupport
import Testing

@testable import PackClient

/// Random lives of a device: releases that work and that do not, pauses, kills, updates of the app.
///
/// A broken release is never shown more than twice in one version of the app, a device that had a
/// working release never has none, and in the end it runs the newest working one.
struct HistoriesTests {
    private static let count = Soak.isLong ? 5_000 : 1_000

    @Test func devicesEndAtTheNewestWorkingRelease() async throws {
        let lab = try await HistoryLab()
        var seen: [String: Int] = [:]
        for seed in 0..<Self.count {
            var history = try History(lab, seed: UInt64(seed))
            do {
                try await history.run()
            } catch {
                Issue.record("seed \(seed): \(error)\n\(history.log.joined(separator: "\n"))")
                return
            }
            for (what, count) in history.seen { seen[what, default: 0] += count }
        }
        for what in ["failed", "rolled back", "killed", "web", "embedded", "held", "native"] {
            #expect(seen[what, default: 0] >= Self.count / 20, "\(what): \(seen)")
        }
    }
}

/// An origin with releases, of which each history offers some.
private struct HistoryLab {
    static let releases = 8
    let play: Playground
    let memory: MemoryStore
    /// The pointers of releases 0, 1, 2…, each offered by the sequence of its number plus one.
    let pointers: [Pointer]
    /// The releases as in an app.
    let embedded: [EmbeddedRelease]

    init() async throws {
        play = try Playground(in: .memory)
        guard let memory = play.memory else { throw HistoryError("no store in memory") }
        self.memory = memory
        var pointers: [Pointer] = []
        var embedded: [EmbeddedRelease] = []
        for number in 0..<Self.releases {
            try await play.publish(
                play.request(["index.html": "release \(number)"], lifetimeDays: nil))
            pointers.append(try await play.pointer())
            var request = InstallRequest(
                origin: play.origin, directory: "\(play.path)/app\(number)", channel: .production,
                now: Playground.now, jobs: 1)
            request.isForApps = true
            _ = try await Installer.install(request, from: memory)
            embedded.append(try EmbeddedRelease.read("\(play.path)/app\(number)"))
        }
        self.pointers = pointers
        self.embedded = embedded
    }

    /// A release as in an app that was made when a pointer was live.
    func embedded(_ number: Int, by pointer: Pointer) -> EmbeddedRelease {
        let one = embedded[number]
        var (copy, seen) = (one.copy, one.seen)
        copy.sequence = pointer.sequence
        seen.sequence = pointer.sequence
        seen.payloadHash = StreamHasher.digest(of: PointerCoding.encode(pointer))
        return EmbeddedRelease(app: one.app, path: one.path, copy: copy, seen: seen, root: nil)
    }
}

private struct HistoryError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// One life of a device.
private struct History {
    private let lab: HistoryLab
    private let directory: String
    private var noise: Noise
    private let broken: Set<Int>
    private var pointer: Pointer
    private var sequence: Int
    private var newest = 0
    private var embedded: EmbeddedRelease?
    private var native = 1
    /// How often each broken release was shown in this version of the app.
    private var shown: [Int: Int] = [:]
    /// Whether a working release was ready here.
    private var hasWorked = false
    private(set) var log: [String] = []
    private(set) var seen: [String: Int] = [:]

    init(_ lab: HistoryLab, seed: UInt64) throws {
        self.lab = lab
        noise = Noise(seed: seed)
        directory = "\(lab.play.path)/device-\(seed)"
        var broken: Set<Int> = []
        for number in 0..<HistoryLab.releases where noise.below(3) == 0 { broken.insert(number) }
        // The first one works, as in any app that was shipped.
        broken.remove(0)
        self.broken = broken
        pointer = lab.pointers[0]
        sequence = 1
        embedded = noise.below(2) == 0 ? lab.embedded[0] : nil
    }

    mutating func run() async throws {
        for _ in 0..<(5 + noise.below(25)) { try await step() }
        // The publisher repairs everything, and the device is used for a while.
        offer(newest) {
            $0.isEnabled = true
            $0.bypasses = false
        }
        for _ in 0..<4 {
            if try await update() == .failed { note("failed") }
            try start()
        }
        guard try start() == goal else {
            throw HistoryError("ends at another release than \(String(describing: goal))")
        }
        try lab.play.remove(String(directory.dropFirst(lab.play.path.utf8.count + 1)))
    }

    /// The release that runs in the end: the newest one, or the last one before that worked here.
    private var goal: Int? {
        broken.contains(newest) ? lastConfirmed : newest
    }

    private var lastConfirmed: Int?

    private mutating func step() async throws {
        switch noise.below(12) {
        case 0:
            newest = min(newest + 1 + noise.below(2), HistoryLab.releases - 1)
            offer(newest) { _ in }
        case 1:
            newest = noise.below(newest + 1)
            offer(newest) { _ in }
        case 2:
            let (isEnabled, bypasses) = (noise.below(3) > 0, noise.below(3) == 0)
            offer(newest) {
                $0.isEnabled = isEnabled && !bypasses
                $0.bypasses = bypasses
            }
        case 3: try updateApp()
        case 4: try await kill()
        case 5...8: try start()
        default: try await tryUpdate()
        }
    }

    /// Publishes a pointer.
    private mutating func offer(_ number: Int, _ edit: (inout Pointer) -> Void) {
        sequence += 1
        let (isEnabled, bypasses) = (pointer.isEnabled, pointer.bypasses)
        pointer = lab.pointers[number]
        pointer.isEnabled = isEnabled
        pointer.bypasses = bypasses
        pointer.sequence = sequence
        pointer.previous = sequence - 1
        edit(&pointer)
        log.append("offer \(number), sequence \(sequence), enabled \(pointer.isEnabled)")
    }

    /// A new version of the app from the store, sometimes with a release that works.
    private mutating func updateApp() throws {
        native += 1
        shown = [:]
        note("native")
        if embedded != nil, !broken.contains(newest), pointer.isEnabled, noise.below(2) == 0 {
            embedded = lab.embedded(newest, by: pointer)
        }
        log.append("app \(native) with \(embedded?.copy.version.description ?? "nothing")")
    }

    private mutating func tryUpdate() async throws {
        do {
            let outcome = try await update()
            log.append("update: \(outcome)")
            if outcome == .failed { note("failed") }
        } catch let failure as Failure
            where [.installDisabled, .installBypassed, .installReplayed, .installNotOffered]
            .contains(failure.code)
        {
            note("held")
            log.append("held: \(failure.code.name)")
        }
    }

    private mutating func update() async throws -> InstallReport.Outcome {
        lab.memory.set(
            OriginLayout.pointer(.production),
            try Envelope(
                payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
            ).encode())
        return try await Installer.install(try request(), from: lab.memory).outcome
    }

    private func request() throws -> InstallRequest {
        var request = InstallRequest(
            origin: lab.play.origin, directory: directory, channel: nil, now: Playground.now,
            jobs: 1)
        request.embedded = embedded
        request.nativeVersion = try NativeVersion("\(native)")
        return request
    }

    /// An update that ends before its commit: the package is lost.
    private mutating func kill() async throws {
        let package = OriginLayout.package(pointer.version)
        let whole = lab.memory.file(package)?.bytes
        lab.memory.set(package, [1])
        _ = try? await update()
        lab.memory.set(package, whole)
        note("killed")
        log.append("killed update")
    }

    @discardableResult
    private mutating func start() throws -> Int? {
        let start = AppStart.start(
            directory, embedded: embedded,
            nativeVersion: try NativeVersion("\(native)"))
        if let problem = start.problem { throw problem }
        guard let running = start.running else {
            if start.decision.choice == .web {
                note("web")
            } else if hasWorked {
                throw HistoryError("the last working release is lost")
            }
            log.append("start: \(start.decision.choice)")
            return nil
        }
        guard let number = lab.pointers.firstIndex(where: { $0.version == running.copy.version })
        else { throw HistoryError("runs an unknown release") }
        log.append("start: \(number)\(running.place == .embedded ? " (embedded)" : "")")
        if running.place == .embedded { note("embedded") }
        if broken.contains(number) {
            shown[number, default: 0] += 1
            guard shown[number, default: 0] <= StartDecision.mostAttempts else {
                throw HistoryError("release \(number) is shown a third time")
            }
            return number
        }
        if start.decision.after.failed.isEmpty == false { note("rolled back") }
        try AppStart.confirm(running.place, in: directory)
        hasWorked = true
        lastConfirmed = number
        return number
    }

    private mutating func note(_ what: String) { seen[what, default: 0] += 1 }
}
