package import PackGround
import PackOrigin
package import PackRelease

/// Why a publish stopped.
///
/// In every case the live release stays complete.
package enum PublishError: Remedied, Equatable {
    case busy(origin: String)
    case overtaken(origin: String, sequence: Int)
    /// In a store without a lock.
    case uploadedMeanwhile(place: String)
    /// Files are being deleted, among them maybe some that are needed now.
    case pruning(origin: String, place: String)
    /// In a store without a lock.
    case publishingRoot(origin: String, place: String)
    /// A root that comes now would make the pointer of a publish at work worthless.
    case underWay(channel: String, place: String)
    /// A mark that keeps publishers away counts no more before what it announced was sent.
    case tookTooLong(origin: String)
    /// The new pointer was made for the root before.
    case rootMeanwhile(place: String)
    case notEmpty(origin: String)
    /// A new origin would be made where one is required.
    case noOrigin(origin: String)
    /// The base URL or the scheme is not the one that devices know.
    case moves(Move)
    case otherApp(origin: String, theirs: String, ours: String)
    case originInsideBuild(origin: String, build: String)
    case releaseDiffers(place: String, what: String, values: Values?, canBeCorrected: Bool)
    case paused(channel: String)
    /// A publish would take a release away from devices that may have it.
    case wouldShrink(version: String, share: Int, to: Int)
    case noNativeVersion(lowest: String, highest: String)
    case labelTaken(label: String, version: String)
    case labelTooLong
    case labelIsVersion(label: String)
    /// There is nothing that a repair could restore.
    case notPublished(version: String, origin: String)
    /// A package cannot be restored: this build gives other bytes.
    case notRepacked(place: String)
    /// A manifest cannot be restored: this build and its settings give other bytes.
    case notRemade(place: String)
    case damaged(place: String, problem: String)
    /// An object whose content the build has.
    case damagedObject(place: String, problem: String)
    /// Something that is not ours at a name that the publish needs.
    case foreign(place: String, found: String, needed: String)
    /// A file among the log entries that the next pointer, with a higher number, would make part of the log.
    case foreignEntry(place: String, problem: String, next: Int)
    case notWritable(place: String)
    /// A delta was requested from a release that is damaged at the origin.
    case baseDamaged(version: String, problem: String)
    case clockBehind(now: String, createdAt: String)
    /// - Parameter root: the root whose time devices take for theirs, where it is later than the clock.
    case expiredAtOnce(expires: String, clock: String, root: Int? = nil)
    /// The commit point is passed; what follows it is not done.
    case liveButBehind(Live)
    case noSpace(origin: String, needed: UInt64, free: UInt64)

    /// A setting that says where devices find releases, or how they open pages.
    package struct Move: Equatable, Sendable {
        /// The setting in words, and the flag of it.
        let what: String
        let flag: String
        let from: String
        let to: String
        /// What follows of it.
        let effect: String
    }

    /// What a published manifest says, and what ours would.
    package struct Values: Equatable, Sendable {
        let there: String
        let here: String

        package init(there: String, here: String) {
            self.there = there
            self.here = here
        }
    }

    /// A release that went live though the publish did not end.
    package struct Live: Equatable, Sendable {
        package let version: Version
        package let channel: Channel
        package let sequence: Int
        /// Places that still show the release before.
        package let behind: [String]
        package let cause: String
        package let causeRemedy: String
    }

    package var code: String {
        switch self {
        case .busy: "publish.busy"
        case .overtaken: "publish.overtaken"
        case .uploadedMeanwhile: "publish.concurrent-upload"
        case .pruning: "publish.pruning"
        case .publishingRoot: "publish.publishing-root"
        case .underWay: "publish.under-way"
        case .tookTooLong: "publish.intent-expired"
        case .rootMeanwhile: "publish.root-changed"
        case .notEmpty: "publish.not-empty"
        case .noOrigin: "publish.no-origin"
        case .moves: "publish.identity-changed"
        case .otherApp: "publish.other-app"
        case .originInsideBuild: "publish.origin-inside-build"
        case .releaseDiffers: "publish.release-differs"
        case .paused: "publish.paused"
        case .wouldShrink: "publish.would-shrink"
        case .noNativeVersion: "publish.no-native-version"
        case .labelTaken: "publish.label-taken"
        case .labelTooLong: "publish.label-too-long"
        case .labelIsVersion: "publish.label-is-version"
        case .notPublished: "publish.not-published"
        case .damaged, .damagedObject, .notRepacked, .notRemade: "publish.damaged"
        case .foreign, .foreignEntry: "publish.foreign-file"
        case .notWritable: "publish.not-writable"
        case .baseDamaged: "publish.delta-base-damaged"
        case .clockBehind: "publish.clock-behind"
        case .expiredAtOnce: "publish.expired-at-once"
        case .liveButBehind: "publish.live-but-outdated"
        case .noSpace: "publish.no-space"
        }
    }

    package var description: String {
        switch self {
        case .busy(let origin): "another publisher is using '\(origin)'"
        case .overtaken(let origin, let sequence):
            "another publisher took sequence \(sequence) at '\(origin)' in the meantime"
        case .uploadedMeanwhile(let place):
            "another publish of the same release has uploaded '\(place)' in the meantime, with other bytes"
        case .pruning(let origin, let place):
            "a prune of '\(origin)' is running, or was interrupted less than an hour ago ('\(place)')"
        case .publishingRoot(let origin, let place):
            "a trust root is being published to '\(origin)', or that was interrupted less than 15 minutes ago "
                + "('\(place)')"
        case .underWay(let channel, let place):
            "a command that changes channel '\(channel)' is running, or was interrupted less than 24 hours ago "
                + "('\(place)'); devices could refuse its pointer under the new root"
        case .tookTooLong(let origin):
            "after more than 7 minutes the root was not sent to '\(origin)': publishers do not wait much longer"
        case .rootMeanwhile(let place):
            "'\(place)' was published in the meantime, and the new pointer is not made for that root"
        case .notEmpty(let origin): "'\(origin)' is not empty and is not an origin"
        case .noOrigin(let origin):
            "there is no origin at '\(origin)', and this publish may not make one (--require-origin)"
        case .moves(let move):
            "the \(move.what) changes from '\(move.from)' to '\(move.to)': \(move.effect)"
        case .otherApp(let origin, let theirs, let ours):
            "'\(origin)' is the origin of the app '\(theirs)', not '\(ours)'"
        case .originInsideBuild(let origin, let build):
            "the origin '\(origin)' and the build '\(build)' contain one another"
        case .releaseDiffers(let place, let what, let values, _):
            values.map {
                "'\(place)' is already published with the \(what) '\($0.there)', and this publish has "
                    + "'\($0.here)'; published files never change"
            }
                ?? "'\(place)' is already published with another \(what); published files never change"
        case .paused(let channel):
            "channel '\(channel)' is paused: devices would not get the release"
        case .wouldShrink(let version, let share, let to):
            "release \(version) is offered to \(share) % of the devices, more than \(to) %"
        case .noNativeVersion(let lowest, let highest):
            "no native version is at least \(lowest) and at most \(highest)"
        case .labelIsVersion(let label):
            "the label '\(label)' looks like a version, by which a release is named as well"
        case .labelTaken(let label, let version):
            "the label '\(label)' already names release \(version)"
        case .labelTooLong:
            "the label is longer than \(Pointer.labelLimit) bytes or contains control characters"
        case .notPublished(let version, let origin):
            "'\(origin)' has no release \(version), which is what this build is: there is nothing to repair"
        case .notRepacked(let place):
            "'\(place)' is missing or damaged, and packing the build again gives other bytes"
        case .notRemade(let place):
            "'\(place)' is missing or damaged, and this build with these settings has another manifest"
        case .damaged(let place, let problem), .damagedObject(let place, let problem):
            "'\(place)' is already published, but \(problem)"
        case .foreign(let place, let found, let needed):
            "'\(place)' is \(found); the publish needs this name for \(needed)"
        case .foreignEntry(let place, let problem, let next):
            "'\(place)' is not a pointer of this channel (\(problem)), and sequence \(next) would follow it: "
                + "'packtool verify' would fail from then on"
        case .notWritable(let place): "this user cannot write in '\(place)'"
        case .baseDamaged(let version, let problem):
            "a delta from release \(version) was requested, but \(problem)"
        case .clockBehind(let now, let createdAt):
            "the time \(now) is before \(createdAt), when the current pointer was created"
        case .expiredAtOnce(let expires, let clock, nil):
            "the new pointer would expire at \(expires), but it is already \(clock)"
        case .expiredAtOnce(let expires, let clock, let root?):
            "the new pointer would expire at \(expires), but root \(root) was made at \(clock), by a clock that was "
                + "ahead, and devices take that for the time"
        case .liveButBehind(let live):
            "release \(live.version) is live on \(live.channel) (sequence \(live.sequence)), but the "
                + "publish did not finish: \(live.cause)"
                + (live.behind.isEmpty
                    ? "" : "; not updated yet: " + live.behind.joined(separator: ", "))
        case .noSpace(let origin, let needed, let free):
            "'\(origin)' has \(readableSize(free)) free; this publish needs about \(readableSize(needed))"
        }
    }

    package var unaffected: String? {
        if case .liveButBehind = self {
            return """
                clients; they install the new release, which is complete
                """
        }
        return "the live release and its clients"
    }

    package var exitCode: ExitCode {
        switch self {
        case .busy, .overtaken, .uploadedMeanwhile, .pruning, .publishingRoot, .underWay,
            .tookTooLong, .rootMeanwhile:
            .conflict
        case .labelTooLong, .labelIsVersion, .noNativeVersion: .usage
        case .damaged, .damagedObject, .notRepacked, .notRemade, .baseDamaged: .verification
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .busy: "wait until it has finished, then run the command again"
        case .overtaken:
            "see with 'packtool history' what it did, then run the same command again if you still want to"
        case .uploadedMeanwhile: "run the same command again: it uses that file"
        case .tookTooLong: "run the same command again"
        case .rootMeanwhile:
            "run the same command again; it reads that root and uses what is uploaded already"
        case .pruning, .publishingRoot, .underWay:
            "wait until it has finished; if no packtool works on this origin any more, 'packtool prune ORIGIN "
                + "--abandon' ends the wait"
        case .notEmpty: "name an empty directory, or one that 'packtool publish' wrote"
        case .noOrigin:
            "check the address; mount or fetch the origin that devices know before you publish; only for the "
                + "first publish of all, leave out --require-origin (in the action: 'new-origin: true')"
        case .moves(let move):
            "give \(move.flag) \(move.from) as before; if the change is meant, add --allow-identity-change, and every device "
                + "gets the release with it"
        case .otherApp: "check the origin and --app; every app needs its own origin"
        case .originInsideBuild: "choose an origin outside the build output"
        case .releaseDiffers(_, _, _, let canBeCorrected):
            "give the same --app, --base-url, --scheme and --launch as before"
                + (canBeCorrected
                    ? "; if they were wrong then, add --allow-identity-change, and clients get the release with these"
                    : ", or publish to a new origin")
        case .paused:
            "add --resume to offer it now, or --stay-paused to offer it once you run 'packtool resume'"
        case .wouldShrink:
            "leave out --rollout, or run 'packtool rollout' with --shrink, which says what it means"
        case .noNativeVersion: "give a --max-native that is not below --min-native"
        case .labelTaken: "choose another --label"
        case .labelIsVersion: "choose another --label, such as 2.4.1"
        case .labelTooLong: "choose a shorter --label, such as 2.4.1"
        case .damaged:
            "run 'packtool publish' with the build of that release and --repair, which restores its files; if no pointer "
                + "or log entry names the file, remove it and publish again"
        case .damagedObject:
            "remove it and publish again; the publish copies it from the build (for a release that is published already, "
                + "--repair does both)"
        case .notPublished(_, let origin):
            "leave out --repair to publish the build; to repair the live release without its build, run 'packtool install "
                + "\(origin) --into DIR', then 'packtool publish DIR/current --to \(origin) --repair'"
        case .notRemade:
            "give the --commit, --launch and --scheme that the release was published with, and use that version of "
                + "packtool; otherwise restore the file from a mirror or backup"
        case .notRepacked:
            "give the --level that the release was published with; otherwise restore the file from a mirror or backup"
        case .foreign, .foreignEntry: "move it away or remove it, then publish again"
        case .notWritable: "grant this user write permission there, then publish again"
        case .baseDamaged:
            "run 'packtool publish' with the build of that release and --repair, which restores its files, or publish "
                + "without --delta-from"
        case .clockBehind:
            "correct the clock of this machine (or SOURCE_DATE_EPOCH), then publish again; if it is right, the "
                + "pointer was made by a clock that was ahead, and a later time in SOURCE_DATE_EPOCH gets past it"
        case .expiredAtOnce(_, _, _?):
            "give a longer --expires-in-days, until that time has come"
        case .expiredAtOnce:
            "correct the clock of this machine (or SOURCE_DATE_EPOCH), or give a longer "
                + "--expires-in-days"
        case .liveButBehind(let live):
            live.causeRemedy.hasSuffix(again)
                ? "\(live.causeRemedy) to finish the publish"
                : "\(live.causeRemedy); then \(again) to finish the publish"
        case .noSpace: "free some space there and publish again"
        }
    }
}

private let again = "run the same command again"
