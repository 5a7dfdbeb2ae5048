package import PackGround
import PackOrigin
import PackRelease

extension Failure.Code {
    package static let publishBusy = Self("publish.busy")
    package static let publishOvertaken = Self("publish.overtaken")
    package static let publishConcurrentUpload = Self("publish.concurrent-upload")
    package static let publishPruning = Self("publish.pruning")
    package static let publishBlockedByRoot = Self("publish.publishing-root")
    package static let publishUnderWay = Self("publish.under-way")
    package static let publishIntentExpired = Self("publish.intent-expired")
    package static let publishRootChanged = Self("publish.root-changed")
    package static let publishNotEmpty = Self("publish.not-empty")
    package static let publishNoOrigin = Self("publish.no-origin")
    package static let publishIdentityChanged = Self("publish.identity-changed")
    package static let publishOtherApp = Self("publish.other-app")
    package static let publishOriginInsideBuild = Self("publish.origin-inside-build")
    package static let publishReleaseDiffers = Self("publish.release-differs")
    package static let publishPaused = Self("publish.paused")
    package static let publishWouldShrink = Self("publish.would-shrink")
    package static let publishNoNativeVersion = Self("publish.no-native-version")
    package static let publishLabelTaken = Self("publish.label-taken")
    package static let publishLabelTooLong = Self("publish.label-too-long")
    package static let publishLabelIsVersion = Self("publish.label-is-version")
    package static let publishNotPublished = Self("publish.not-published")
    package static let publishDamaged = Self("publish.damaged")
    package static let publishDamagedObject = Self("publish.damaged", "object")
    package static let publishNotRepacked = Self("publish.damaged", "package")
    package static let publishNotRemade = Self("publish.damaged", "manifest")
    package static let publishFeedUnsupported = Self("publish.feed-unsupported")
    package static let publishForeignFile = Self("publish.foreign-file")
    package static let publishNotWritable = Self("publish.not-writable")
    package static let publishDeltaBaseDamaged = Self("publish.delta-base-damaged")
    package static let publishClockBehind = Self("publish.clock-behind")
    package static let publishExpiredAtOnce = Self("publish.expired-at-once")
    package static let publishExpiredUnderRoot = Self("publish.expired-at-once", "root")
    package static let publishLiveButOutdated = Self("publish.live-but-outdated")
    package static let publishNoSpace = Self("publish.no-space")
}

// After all failures of a publish, the live release is complete.

extension Failure {
    package static func publishBusy(origin: String) -> Failure {
        beforeCommit(.publishBusy, "another publisher is using '\(origin)'", exitCode: .conflict)
    }

    package static func publishOvertaken(origin: String, sequence: Int) -> Failure {
        beforeCommit(
            .publishOvertaken,
            "another publisher has published sequence \(sequence) at '\(origin)'",
            exitCode: .conflict)
    }

    /// In a store without a lock.
    package static func publishConcurrentUpload(path: String) -> Failure {
        beforeCommit(
            .publishConcurrentUpload,
            "another publish of the same release has uploaded '\(path)' with other bytes",
            exitCode: .conflict)
    }

    /// Files are being deleted, maybe some that this publish needs.
    package static func publishPruning(origin: String, path: String) -> Failure {
        beforeCommit(
            .publishPruning,
            "a prune of '\(origin)' is running, or was interrupted less than an hour ago ('\(path)')",
            exitCode: .conflict)
    }

    /// In a store without a lock.
    package static func publishBlockedByRoot(origin: String, path: String) -> Failure {
        beforeCommit(
            .publishBlockedByRoot,
            "a trust root is being published to '\(origin)', or its publish was interrupted less than "
                + "15 minutes ago ('\(path)')",
            exitCode: .conflict)
    }

    /// A new root would invalidate the pointer of a running publish.
    package static func publishUnderWay(channel: String, path: String) -> Failure {
        beforeCommit(
            .publishUnderWay,
            "a command that changes channel '\(channel)' is running, or was interrupted less than "
                + "24 hours ago ('\(path)'); devices could refuse its pointer under the new root",
            exitCode: .conflict)
    }

    /// The intent that blocks publishers expired before the root was uploaded.
    package static func publishIntentExpired(origin: String) -> Failure {
        beforeCommit(
            .publishIntentExpired,
            "the root was not uploaded to '\(origin)' within 7 minutes, and other publishers no longer wait",
            exitCode: .conflict)
    }

    /// The new pointer is signed for the previous root.
    package static func publishRootChanged(path: String) -> Failure {
        beforeCommit(
            .publishRootChanged,
            "'\(path)' was published during this run, and the new pointer is not signed for that root",
            exitCode: .conflict)
    }

    package static func publishNotEmpty(origin: String) -> Failure {
        beforeCommit(.publishNotEmpty, "'\(origin)' is not empty and is not an origin")
    }

    /// The publish would create an origin, but requires an existing one.
    package static func publishNoOrigin(origin: String) -> Failure {
        beforeCommit(
            .publishNoOrigin,
            "there is no origin at '\(origin)', and --require-origin does not allow creating one")
    }

    /// A changed setting that determines where devices find releases, or how they open pages.
    struct IdentityChange {
        /// The setting, for messages.
        let setting: String
        let flag: String
        let from: String
        let to: String
        let effect: String
    }

    /// The base URL or the scheme differs from the published one.
    static func publishIdentityChanged(_ change: IdentityChange) -> Failure {
        beforeCommit(
            .publishIdentityChanged,
            "the \(change.setting) changes from '\(change.from)' to '\(change.to)': \(change.effect)",
            details: ["flag": change.flag, "from": change.from])
    }

    package static func publishOtherApp(origin: String, theirs: String, ours: String) -> Failure {
        beforeCommit(
            .publishOtherApp, "'\(origin)' is the origin of the app '\(theirs)', not '\(ours)'")
    }

    package static func publishOriginInsideBuild(origin: String, build: String) -> Failure {
        beforeCommit(
            .publishOriginInsideBuild,
            "the origin '\(origin)' and the build '\(build)' contain one another")
    }

    /// - Parameters:
    ///   - values: The published value and that of this publish; `nil` if they are unknown.
    ///   - canBeCorrected: Whether `--allow-identity-change` replaces the value.
    package static func publishReleaseDiffers(
        path: String, what: String, values: (there: String, here: String)?, canBeCorrected: Bool
    ) -> Failure {
        let difference =
            values.map { "the \(what) '\($0.there)', and this publish has '\($0.here)'" }
            ?? "another \(what)"
        return beforeCommit(
            .publishReleaseDiffers,
            "'\(path)' is already published with \(difference); published files never change",
            details: canBeCorrected ? ["canBeCorrected": "true"] : [:])
    }

    package static func publishPaused(channel: String) -> Failure {
        beforeCommit(
            .publishPaused, "channel '\(channel)' is paused: devices would not get the release")
    }

    /// The publish would withdraw a release from devices that may have it.
    package static func publishWouldShrink(version: String, share: Int, to: Int) -> Failure {
        beforeCommit(
            .publishWouldShrink,
            "release \(version) is offered to \(share) % of the devices, more than \(to) %")
    }

    /// - Parameter platform: The platform with these limits; `nil` for all.
    package static func publishNoNativeVersion(
        lowest: String, highest: String, platform: String? = nil
    ) -> Failure {
        beforeCommit(
            .publishNoNativeVersion,
            "no native version\(platform.map { " on \($0)" } ?? "") is at least \(lowest) and at most \(highest)",
            exitCode: .usage)
    }

    package static func publishLabelTaken(label: String, version: String) -> Failure {
        beforeCommit(.publishLabelTaken, "the label '\(label)' already names release \(version)")
    }

    package static let publishLabelTooLong = beforeCommit(
        .publishLabelTooLong,
        "the label is longer than \(Pointer.labelLimit) bytes or contains control characters",
        exitCode: .usage)

    package static func publishLabelIsVersion(label: String) -> Failure {
        beforeCommit(
            .publishLabelIsVersion,
            "the label '\(label)' looks like a version, which also names a release",
            exitCode: .usage)
    }

    /// A repair of a release that the origin does not have.
    package static func publishNotPublished(version: String, origin: String) -> Failure {
        beforeCommit(
            .publishNotPublished,
            "'\(origin)' does not have release \(version) of this build: there is nothing to repair",
            details: ["origin": origin])
    }

    package static func publishNotRepacked(path: String) -> Failure {
        beforeCommit(
            .publishNotRepacked,
            "'\(path)' is missing or damaged, and packing the build again gives other bytes",
            exitCode: .verification)
    }

    package static func publishNotRemade(path: String) -> Failure {
        beforeCommit(
            .publishNotRemade,
            "'\(path)' is missing or damaged, and this build with these settings has another manifest",
            exitCode: .verification)
    }

    package static func publishDamaged(path: String, problem: String) -> Failure {
        beforeCommit(
            .publishDamaged, "'\(path)' is already published, but \(problem)",
            exitCode: .verification)
    }

    /// An object whose content is in the build.
    package static func publishDamagedObject(path: String, problem: String) -> Failure {
        beforeCommit(
            .publishDamagedObject, "'\(path)' is already published, but \(problem)",
            exitCode: .verification)
    }

    /// A foreign file has a name that the publish needs.
    package static func publishForeignFile(
        path: String, found: String, needed: String
    ) -> Failure {
        beforeCommit(
            .publishForeignFile,
            "'\(path)' is \(found); the publish needs this name for \(needed)")
    }

    /// A foreign file among the log entries would become part of the log below the next sequence.
    package static func publishForeignEntry(path: String, problem: String, next: Int) -> Failure {
        beforeCommit(
            .publishForeignFile,
            "'\(path)' is not a pointer of this channel (\(problem)), and sequence \(next) would follow it: "
                + "'packtool verify' would fail from then on")
    }

    /// The client of a feed could not install the release.
    package static func publishFeedUnsupported(feed: String, problem: String) -> Failure {
        beforeCommit(
            .publishFeedUnsupported, "the feed '\(feed)' cannot show this release: \(problem)")
    }

    package static func publishNotWritable(path: String) -> Failure {
        beforeCommit(.publishNotWritable, "this user cannot write in '\(path)'")
    }

    /// A delta was requested from a release that is damaged at the origin.
    package static func publishDeltaBaseDamaged(version: String, problem: String) -> Failure {
        beforeCommit(
            .publishDeltaBaseDamaged,
            "a delta from release \(version) was requested, but \(problem)",
            exitCode: .verification)
    }

    package static func publishClockBehind(now: String, createdAt: String) -> Failure {
        beforeCommit(
            .publishClockBehind,
            "the time \(now) is before \(createdAt), when the current pointer was created")
    }

    package static func publishExpiredAtOnce(expires: String, clock: String) -> Failure {
        beforeCommit(
            .publishExpiredAtOnce,
            "the new pointer would expire at \(expires), but it is already \(clock)")
    }

    /// Devices take the creation time of a root for the time if it is later than their clock.
    package static func publishExpiredUnderRoot(
        expires: String, createdAt: String, root: Int
    ) -> Failure {
        beforeCommit(
            .publishExpiredUnderRoot,
            "the new pointer would expire at \(expires), but root \(root) was made at \(createdAt), by a "
                + "clock that was ahead, and devices take that for the time")
    }

    /// The release is committed, but later steps failed.
    ///
    /// - Parameter outdated: Files that still show the previous release.
    static func publishLiveButOutdated(
        _ pointer: Pointer, outdated: [String], cause: any Error
    ) -> Failure {
        Failure(
            .publishLiveButOutdated,
            "release \(pointer.version) is live on \(pointer.channel) (sequence \(pointer.sequence)), "
                + "but the publish did not finish: \(cause)"
                + (outdated.isEmpty
                    ? "" : "; not updated yet: " + outdated.joined(separator: ", ")),
            unaffected: "clients; they install the new release, which is complete",
            details: [
                "version": pointer.version.description, "channel": pointer.channel.description,
                "sequence": "\(pointer.sequence)", "outdated": outdated.joined(separator: "\n"),
            ], cause: cause as? Failure)
    }

    package static func publishNoSpace(origin: String, needed: UInt64, free: UInt64) -> Failure {
        beforeCommit(
            .publishNoSpace,
            "'\(origin)' has \(readableSize(free)) free; this publish needs about \(readableSize(needed))"
        )
    }
}
