import PackCheck
import PackGround
import PackOrigin
import PackRelease

extension Remedies {
    static let build: Table = [
        .buildEmpty: "run the front-end build first, or name its output directory",
        .buildAllExcluded:
            "remove the pattern that matches too much from 'exclude:' in packtool.yaml or --exclude",
        .buildChangedWhileRead:
            "wait until the build has finished (or stop its watch mode), then run the command again",
        .buildContentBeyondSize: """
        copy the build to an ordinary directory (not under /proc or /sys), then run the \
        command again
        """,
        .buildTooLarge: tooLarge,
        .buildFileTooLarge: tooLarge,
        .buildNames: Remedy {
            let it = $0["count"] == "1" ? "it" : "them"
            return """
                rename or remove \(it) in the build, replace a link with a copy of its file, or \
                leave \(it) out with 'exclude:'; then run the command again
                """
        },
        .manifestNoLaunchPage: Remedy {
            "name a page of the build with --launch (or 'launch' in packtool.yaml)"
                + ($0["name"].hasPrefix("/") ? ", relative to the build: without the slash" : "")
        },
        .manifestInvalid: "create it again with 'packtool manifest', or fetch it again",
        .manifestTooManyFiles:
            "leave files out with 'exclude:' (or --exclude), or split the build into several apps",
        .manifestTooLarge: "choose a shorter base URL, or split the build into several apps",
        .cacheForeign: "name an empty directory for --cache, or a cache that packtool created",
        .checkBaseline: """
        name a baseline; if this was one, remove it and create it again with 'packtool check \
        --update-baseline'
        """,
    ]

    private static let tooLarge: Remedy = """
        exclude files that apps do not need offline ('exclude:' in packtool.yaml); a sparse file \
        counts with its full size
        """

    static let rewrite: Table = [
        .rewriteNoHost: "name the hosts: --host www.example.com, or 'host:' in packtool.yaml",
        .rewriteSecurePages:
            "load the pages over the custom scheme ('page-origin: custom'), or use --dual",
        .rewriteAndroid: "publish the build as it is",
        .rewriteOtherHosts: "give them the same 'host:', or rewrite for one app: --profile NAME",
        .rewriteDualCustom: "use --dual alone, or --form protocol-relative",
        .rewriteGrowsTooMuch:
            "shorten the page's <base>, or remove it and write the URLs relative to the page",
        .rewriteOverlap: "report this as a bug, with the file",
        .rewriteNoRecord: "name a directory that 'packtool rewrite' wrote",
        .rewriteBadRecord: "rewrite the original build again",
        .rewriteChangedSince: "rewrite the original build again",
        .rewriteMissingFiles:
            "restore them under these names, or rewrite the original build again",
    ]
}
