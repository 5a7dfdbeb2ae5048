import ArgumentParser
import PackGround
import PackOrigin

/// The conditions of a release; options that are not given keep the current values.
struct ConditionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Offer the release to this share of the devices, a number from 0 to 100 (default: as before).",
            valueName: "percent"))
    var rollout: Int?

    @Option(
        help: ArgumentHelp(
            "Offer each release with the same text to the same devices first; 'none' chooses others for each "
                + "release (default: as before).", valueName: "text"))
    var rolloutSalt: RolloutSalt?

    @Option(
        help: ArgumentHelp(
            """
            The oldest app version that can run the release, such as 3 or 3.2.1, or 'none'; ios=3.2 or \
            android=3.4 for one platform; repeatable (default: as before).
            """, valueName: "version"),
        transform: NativeLimit.init)
    var minNative: [NativeLimit] = []

    @Option(
        help: ArgumentHelp(
            "The newest app version that can run the release, in the same form; repeatable (default: as before).",
            valueName: "version"),
        transform: NativeLimit.init)
    var maxNative: [NativeLimit] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Devices must update before they continue (default: as before).")
    var mandatory: Bool?

    @Flag(help: "Offer the release now, although the channel is paused.")
    var resume = false

    @Flag(help: "Leave a paused channel paused; the release is offered once it is resumed.")
    var stayPaused = false

    @Flag(help: "Reopen a closed channel; its devices get the release.")
    var reopen = false

    /// All of them, for a command that may have to refuse them.
    var options: [GivenOption] {
        [
            ("--rollout", rollout != nil), ("--rollout-salt", rolloutSalt != nil),
            ("--min-native", !minNative.isEmpty), ("--max-native", !maxNative.isEmpty),
            ("--mandatory", mandatory != nil), ("--resume", resume),
            ("--stay-paused", stayPaused), ("--reopen", reopen),
        ]
    }

    func validate() throws {
        try checkShare(rollout, "--rollout")
        try NativeLimit.checkOnce(minNative, "--min-native")
        try NativeLimit.checkOnce(maxNative, "--max-native")
        if resume, stayPaused {
            throw ValidationError("--resume and --stay-paused contradict each other; give one.")
        }
    }

    var conditions: Pointer.Conditions {
        var conditions = Pointer.Conditions()
        conditions.rollout = rollout
        conditions.salt = rolloutSalt?.salt
        conditions.lowest = NativeLimit.limits(minNative)
        conditions.highest = NativeLimit.limits(maxNative)
        conditions.isMandatory = mandatory
        conditions.resumes = resume
        conditions.reopens = reopen
        return conditions
    }
}

/// An option, as a message names it, and whether the command line has it.
typealias GivenOption = (name: String, isGiven: Bool)

/// The salt that selects the devices of a share, or `none` for the release's hash.
struct RolloutSalt: ExpressibleByArgument {
    let salt: Pointer.Conditions.Salt

    init?(argument: String) {
        if argument == "none" {
            salt = .packageHash
        } else {
            // It is stored in pointers, and in separate lines when a bucket is computed.
            guard !argument.isEmpty, argument.utf8.count <= Pointer.saltLimit,
                printable(argument.utf8) == argument
            else { return nil }
            salt = .text(argument)
        }
    }
}

/// A native version or `none`, for all platforms or for one: `3.2`, `android=3.4`.
struct NativeLimit {
    /// `nil` for all.
    let platform: AppPlatform?
    let limit: Pointer.Conditions.Limit

    /// - Throws: `ValidationError`.
    init(_ argument: String) throws {
        let parts = argument.split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        if parts.count == 2 {
            platform = AppPlatform(rawValue: parts[0])
            if platform == nil {
                throw ValidationError("the platforms are 'ios' and 'android'")
            }
        } else {
            platform = nil
        }
        let text = parts[parts.count - 1]
        if text == "none" {
            limit = .unlimited
        } else if let version = try? NativeVersion(text) {
            limit = .version(version)
        } else {
            throw ValidationError("a version is 1 to 4 numbers, such as 3.2, or 'none'")
        }
    }

    /// Refuses two limits for one platform.
    static func checkOnce(_ limits: [NativeLimit], _ name: String) throws {
        guard Set(limits.map(\.platform)).count < limits.count else { return }
        throw ValidationError(
            "\(name) takes at most one value for all platforms and one for each platform.")
    }

    /// The limit of each platform; its own one comes before that for all.
    static func limits(_ limits: [NativeLimit]) -> Pointer.Conditions.Limits {
        var found: Pointer.Conditions.Limits = [:]
        for platform in AppPlatform.allCases {
            let own = limits.first { $0.platform == platform }
            found[platform] = (own ?? limits.first { $0.platform == nil })?.limit
        }
        return found
    }
}
