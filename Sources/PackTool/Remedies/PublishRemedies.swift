import PackGround
import PackPublish

extension Remedies {
    static let publish: Table = [
        .publishBusy: "wait until it has finished, then run the command again",
        .publishOvertaken: """
        run 'packtool history' to see the other change, then run the same command again if you \
        still want to
        """,
        .publishConcurrentUpload: "run the same command again: it uses that file",
        .publishIntentExpired: "run the same command again",
        .publishRootChanged: """
        run the same command again; it reads that root and uses the files that are already uploaded
        """,
        .publishPruning: waitOrAbandon,
        .publishBlockedByRoot: waitOrAbandon,
        .publishUnderWay: waitOrAbandon,
        .publishNotEmpty: "name an empty directory, or one that 'packtool publish' wrote",
        .publishNoOrigin: """
        check the address; mount or fetch the origin that devices know before you publish; only \
        for the very first publish, leave out --require-origin (in the action: 'new-origin: true')
        """,
        .publishIdentityChanged: Remedy {
            "give \($0["flag"]) \($0["from"]) as before; if this is intentional, add "
                + "--allow-identity-change, and every device gets the release with the new value"
        },
        .publishOtherApp: "check the origin and --app; every app needs its own origin",
        .publishOriginInsideBuild: "choose an origin outside the build output",
        .publishReleaseDiffers: Remedy {
            "give the same --app, --base-url, --scheme and --launch as before"
                + ($0["canBeCorrected"].isEmpty
                    ? ", or publish to a new origin"
                    : "; if they were wrong, add --allow-identity-change, and clients get the release "
                        + "with the new values")
        },
        .publishFeedUnsupported: """
        change the build, or leave the client out of --feed and of 'feeds' in packtool.yaml; \
        docs/guide/feeds.md describes what each client needs
        """,
        .publishPaused: """
        add --resume to offer it now, or --stay-paused to offer it once you run 'packtool resume'
        """,
        .publishWouldShrink: """
        leave out --rollout, or run 'packtool rollout' with --shrink, which explains the effect
        """,
        .publishNoNativeVersion: "give a --max-native that is not below --min-native",
        .publishLabelTaken: "choose another --label",
        .publishLabelIsVersion: "choose another --label, such as 2.4.1",
        .publishLabelTooLong: "choose a shorter --label, such as 2.4.1",
        .publishDamaged: """
        run 'packtool publish' with the build of that release and --repair, which restores its \
        files; if no pointer or log entry names the file, remove it and publish again
        """,
        .publishDamagedObject: """
        remove it and publish again; the publish copies it from the build (for a release that is \
        already published, --repair does both)
        """,
        .publishNotPublished: Remedy {
            "leave out --repair to publish the build; to repair the live release without its build, "
                + "run 'packtool install \($0["origin"]) --into DIR', then 'packtool publish "
                + "DIR/current --to \($0["origin"]) --repair'"
        },
        .publishNotRemade: """
        give the --commit, --launch and --scheme that the release was published with, and use that \
        version of packtool; otherwise restore the file from a mirror or backup
        """,
        .publishNotRepacked: """
        give the --level that the release was published with; otherwise restore the file from a \
        mirror or backup
        """,
        .publishForeignFile: "move it away or remove it, then publish again",
        .publishNotWritable: "grant this user write permission there, then publish again",
        .publishDeltaBaseDamaged: """
        run 'packtool publish' with the build of that release and --repair, which restores its \
        files, or publish without --delta-from
        """,
        .publishClockBehind: """
        correct the clock of this machine (or SOURCE_DATE_EPOCH), then publish again; if it is \
        right, the pointer was made by a clock that was ahead: set a later time in \
        SOURCE_DATE_EPOCH
        """,
        .publishExpiredUnderRoot: """
        give a longer --expires-in-days, until that time has passed
        """,
        .publishExpiredAtOnce: """
        correct the clock of this machine (or SOURCE_DATE_EPOCH), or give a longer \
        --expires-in-days
        """,
        .publishLiveButOutdated: Remedy {
            let again = "run the same command again"
            guard let first = $0.cause.map(remedy) else {
                return "fix the cause; then \(again) to finish the publish"
            }
            return first.hasSuffix(again)
                ? "\(first) to finish the publish"
                : "\(first); then \(again) to finish the publish"
        },
        .publishNoSpace: "free some space there and publish again",
    ]

    static let channel: Table = [
        .channelWouldShrink: """
        add --shrink: no further device gets it beyond the lower share, and devices that have it \
        keep it; to withdraw it, run 'packtool rollback'
        """,
        .channelNoEarlierRelease: "publish a build, or run 'packtool pause'",
        .channelNeverLive: Remedy {
            "name a version or label that 'packtool history --channel \($0["channel"])' lists"
        },
        .channelSameChannel: "give another channel with --from or --channel",
        .channelClosed: """
        publish to another --channel; to use this one again, add --reopen to 'packtool publish' or \
        'packtool promote'
        """,
        .channelClosesDefault: """
        name another channel; to end all updates of the app, add --default-channel
        """,
        .channelOtherBaseURL: """
        publish the build to both channels with the same --base-url \
        ('packtool publish --allow-identity-change')
        """,
        .channelReleaseDamaged: """
        restore it from the build of that release with 'packtool publish BUILD --repair', or from a \
        mirror or backup; or name another release
        """,
        .channelPruned: """
        publish its build again, or name a later release ('packtool history' lists them)
        """,
        .channelNotPinned: """
        run 'packtool prune', which lists the pins; or name another --channel
        """,
        .channelUnauthorized: "publish its build again: 'packtool publish' with --sign-key",
    ]

    static let prune: Table = [
        .pruneUnderWay: waitOrAbandon,
        .prunePruning: waitOrAbandon,
        .pruneNotPrimary: "prune the directory that is published to, then copy it again",
        .prunePointerMissing: """
        run 'packtool verify' on the origin and restore the file from a mirror or backup; if you \
        never published to the channel, remove its directory
        """,
        .pruneDamagedPin: """
        pin the release again with 'packtool prune --pin', or remove the file
        """,
        .pruneDamagedEntry: """
        restore the file from a mirror or backup; if no copy of the origin has it, it was never a \
        log entry: remove it
        """,
        .pruneUnverifiedEntry: """
        remove the file if it is not yours; otherwise restore its release from a mirror or backup
        """,
        .pruneDamagedProposal: "remove the file, and propose the change again",
        .pruneClockBehind: "set the clock",
    ]

    private static let waitOrAbandon: Remedy = """
        wait until it has finished; if packtool no longer runs on this origin, 'packtool prune ORIGIN \
        --abandon' ends the wait
        """
}
