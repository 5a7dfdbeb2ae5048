import PackClient
import PackGround

extension Remedies {
    static let install: Table = [
        .installBusy: "wait until it has finished, then install again",
        .installNotAnInstallation: "name an empty directory, or one that 'packtool install' wrote",
        .installOtherApp: "install into another directory",
        .installNotEmbedded: "name a directory that 'packtool embed' wrote",
        .installReplayed: restoredOrigin,
        .installSplitView: restoredOrigin,
        .installExpired: "run 'packtool renew' on the origin",
        .installExpiredByRoot: """
        run 'packtool renew' on the origin with a higher --expires-in-days if the clock that \
        made the root was ahead; if it was not, correct this device's clock
        """,
        .installClosed: Remedy {
            switch $0["count"] {
            case "": "choose another --channel"
            case "0": "publish to the origin: it has no open channel"
            default:
                "choose another --channel: \($0["open"]) \($0["count"] == "1" ? "is" : "are") open"
            }
        },
        .installDisabled: paused,
        .installBypassed: paused,
        .installNotOffered: """
        run 'packtool explain' with this device's values; check --native, --platform and --channel
        """,
        .installNotForEveryDevice: """
        raise its share with 'packtool rollout ORIGIN 100', or name the app's version and \
        platform with --native and --platform
        """,
        .installOverLimit: "raise the limit, or update on a network that is not metered",
        .installTreeDiffers: "run 'packtool verify' on the origin",
        .installDamagedState: """
        update packtool if a newer one wrote it; otherwise remove the file: the next installation creates it \
        again, with a new id, and does not know which pointers it has seen
        """,
        .installNoSpace: "free some space there and install again",
    ]

    private static let restoredOrigin: Remedy =
        "run 'packtool verify' on the origin; it was restored from an old copy or tampered with"
    private static let paused: Remedy = "wait until it is resumed, or choose another --channel"
}
