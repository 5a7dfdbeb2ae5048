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
            "The oldest app version that can run the release, such as 3 or 3.2.1, or 'none' (default: as before).",
            valueName: "version"))
    var minNative: NativeLimit?

    @Option(
        help: ArgumentHelp(
            "The newest app version that can run the release, such as 3 or 3.2.1, or 'none' (default: as before).",
            valueName: "version"))
    var maxNative: NativeLimit?

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
            ("--min-native", minNative != nil), ("--max-native", maxNative != nil),
            ("--mandatory", mandatory != nil), ("--resume", resume),
            ("--stay-paused", stayPaused), ("--reopen", reopen),
        ]
    }

    func validate() throws {
        try checkShare(rollout, "--rollout")
        if resume, stayPaused {
            throw ValidationError("--resume and --stay-paused contradict each other; give one.")
        }
    }

    var conditions: Pointer.Conditions {
        var conditions = Pointer.Conditions()
        conditions.rollout = rollout
        conditions.salt = rolloutSalt?.salt
        conditions.lowest = minNative?.limit
        conditions.highest = maxNative?.limit
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

/// A native version, or `none`.
struct NativeLimit: ExpressibleByArgument {
    let limit: Pointer.Conditions.Limit

    init?(argument: String) {
        if argument == "none" {
            limit = .unlimited
        } else {
            guard let version = try? NativeVersion(argument) else { return nil }
            limit = .version(version)
        }
    }
}
