package import PackGround
package import PackOrigin
import PackRelease
package import PackTrust

/// Waits until clients get a root that was published: at its public address, and from its caches.
///
/// A pointer that names a root must not go live before that: clients would refuse it as long as they cannot get the root.
package struct RootWatch: Sendable {
    let root: SignedRoot
    /// What the public address serves.
    package let store: any OriginStore
    /// How long to wait, in seconds.
    let limit: Int
    /// A clock that only goes forward, in seconds.
    let seconds: @Sendable () -> Double
    let pause: @Sendable (_ seconds: Double) async throws -> Void

    /// - Parameters:
    ///   - limit: how long to wait, in seconds.
    ///   - seconds: a clock that only goes forward.
    package init(
        for root: SignedRoot, at store: any OriginStore, limit: Int,
        seconds: @escaping @Sendable () -> Double,
        pause: @escaping @Sendable (_ seconds: Double) async throws -> Void
    ) {
        self.root = root
        self.store = store
        self.limit = limit
        self.seconds = seconds
        self.pause = pause
    }

    /// The pauses between two requests; the last one is repeated.
    private static let pauses = [1.0, 2, 4, 8, 10]

    /// Asks until the address shows the root.
    ///
    /// - Parameter report: gets each new reason why it does not.
    /// - Throws: ``Failure/trustRootNotVisible(path:version:seconds:last:isKept:)``; what the pause throws.
    package func run(report: (String) -> Void) async throws {
        let begun = seconds()
        var last: Answer?
        for round in 0... {
            let answer = await ask()
            guard answer != .shown else { return }
            if answer != last { report(answer.text) }
            last = answer
            let left = Double(limit) - (seconds() - begun)
            guard left > 0 else {
                throw Failure.trustRootNotVisible(
                    path: store.display(OriginLayout.root(root.root.version)),
                    version: root.root.version, seconds: limit, last: answer.text,
                    isKept: answer == .kept)
            }
            try await pause(min(left, Self.pauses[min(round, Self.pauses.count - 1)]))
        }
    }

    private enum Answer: Equatable {
        case shown, missing, other, kept
        case failed(String)

        var text: String {
            switch self {
            case .shown: "it is there"
            case .missing: "it is not there yet"
            case .other: "something else is there"
            case .kept: "a cache still gives an older answer"
            case .failed(let reason): reason
            }
        }
    }

    /// Asks past the caches first: a "not found" that a cache keeps would last longer than the file takes to come.
    private func ask() async -> Answer {
        if let fresh = store.pastCaches() {
            let answer = await ask(fresh)
            guard answer == .shown else { return answer }
            return await ask(store) == .shown ? .shown : .kept
        }
        return await ask(store)
    }

    private func ask(_ store: any OriginStore) async -> Answer {
        do {
            guard let bytes = try await store.rootFile(root.root.version) else { return .missing }
            return bytes == root.bytes ? .shown : .other
        } catch {
            return .failed("\(error)")
        }
    }
}

extension Failure.Code {
    package static let trustRootNotVisible = Self("trust.root-not-visible")
}

extension Failure {
    /// A root is published, and its public address does not show it.
    ///
    /// - Parameter isKept: Whether a cache may keep the previous answer.
    package static func trustRootNotVisible(
        path: String, version: Int, seconds: Int, last: String, isKept: Bool
    ) -> Failure {
        Failure(
            .trustRootNotVisible,
            "root \(version) is published, but after \(counted(seconds, "second")) '\(path)' does not "
                + "show it: \(last)",
            unaffected: "the root at the origin, and clients, as long as no pointer names it",
            exitCode: .verification, details: isKept ? ["kept": path] : [:])
    }
}
