package import PackOrigin
package import PackRelease

/// What a client runs at a start of its app, from what is stored (docs/formats.md, "What starts").
package struct StartDecision: Equatable, Sendable {
    /// A release that could run.
    package struct Candidate: Equatable, Sendable {
        package let version: Version
        /// Whether it is in the app itself, and not a tree on disk.
        ///
        /// Its native range does not count.
        package let isEmbedded: Bool
        /// Whether a pointer of the current channel chose it.
        package let isOfChannel: Bool
        /// The epoch of the trust root under which a pointer chose it; 0 without a root.
        package let epoch: Int
        /// The sequence of the newest pointer that chose it.
        package let sequence: Int
        /// The app versions that can run it.
        package let native: NativeRange
        /// Whether it has been ready at least once.
        package var isConfirmed: Bool
        /// The starts without becoming ready.
        package var attempts: Int

        package init(
            version: Version, isEmbedded: Bool = false, isOfChannel: Bool = true, epoch: Int = 0,
            sequence: Int,
            native: NativeRange = NativeRange(), isConfirmed: Bool = false, attempts: Int = 0
        ) {
            self.version = version
            self.isEmbedded = isEmbedded
            self.isOfChannel = isOfChannel
            self.epoch = epoch
            self.sequence = sequence
            self.native = native
            self.isConfirmed = isConfirmed
            self.attempts = attempts
        }
    }

    /// Everything that a decision depends on.
    package struct Situation: Equatable, Sendable {
        package var candidates: [Candidate]
        /// The releases that did not become ready in this version of the app.
        package var failed: Set<Version>
        /// Whether the last accepted pointer of the channel tells apps to load the https pages.
        package var bypasses: Bool
        /// The version of the app; `nil` if unknown.
        package var nativeVersion: NativeVersion?

        package init(
            candidates: [Candidate], failed: Set<Version> = [], bypasses: Bool = false,
            nativeVersion: NativeVersion? = nil
        ) {
            self.candidates = candidates
            self.failed = failed
            self.bypasses = bypasses
            self.nativeVersion = nativeVersion
        }
    }

    /// The reason why a release does not run.
    package enum Problem: Equatable, Sendable {
        case failed
        case native(NativeRange.Problem)
    }

    /// What runs.
    package enum Choice: Equatable, Sendable {
        /// The https pages, because of the kill switch.
        case web
        case release(Version, isEmbedded: Bool)
        /// No release; the app decides.
        case nothing
    }

    /// The starts that a release gets to become ready.
    package static let mostAttempts = 2

    package let choice: Choice
    /// The situation to be stored before the release runs.
    package let after: Situation

    /// Decides what runs.
    ///
    /// - Parameters:
    ///   - situation: The stored situation, with the app version of the last start.
    ///   - nativeVersion: The app version of this start.
    package init(_ situation: Situation, nativeVersion: NativeVersion?) {
        var after = situation
        if situation.bypasses {
            (choice, self.after) = (.web, after)
            return
        }
        if situation.nativeVersion != nativeVersion {
            after.nativeVersion = nativeVersion
            after.forgetFailures()
        }
        while let index = after.best {
            let candidate = after.candidates[index]
            if candidate.isConfirmed || candidate.attempts < Self.mostAttempts {
                if !candidate.isConfirmed { after.candidates[index].attempts += 1 }
                choice = .release(candidate.version, isEmbedded: candidate.isEmbedded)
                self.after = after
                return
            }
            after.failed.insert(candidate.version)
        }
        (choice, self.after) = (.nothing, after)
    }
}

extension StartDecision.Situation {
    /// Gives every release its attempts again.
    fileprivate mutating func forgetFailures() {
        failed = []
        for index in candidates.indices where !candidates[index].isConfirmed {
            candidates[index].attempts = 0
        }
    }

    /// The reason why a release does not run; `nil` if it could.
    package func problem(with candidate: StartDecision.Candidate) -> StartDecision.Problem? {
        if !candidate.isConfirmed, failed.contains(candidate.version) { return .failed }
        if candidate.isEmbedded { return nil }
        return candidate.native.problem(with: nativeVersion).map { .native($0) }
    }

    /// The candidates in the order in which they are tried.
    package var ordered: [StartDecision.Candidate] {
        candidates.sorted { $0.rank > $1.rank }
    }

    /// The index of the candidate to try first.
    fileprivate var best: Int? {
        candidates.indices.filter { problem(with: candidates[$0]) == nil }
            .max { candidates[$0].rank < candidates[$1].rank }
    }
}

extension StartDecision.Candidate {
    /// Higher ones come first.
    fileprivate var rank: (Int, Int, Int, Int) {
        (isOfChannel ? 1 : 0, epoch, sequence, isEmbedded ? 0 : 1)
    }
}
