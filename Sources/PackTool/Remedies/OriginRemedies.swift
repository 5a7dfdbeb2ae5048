import PackGround
import PackOrigin
import PackRelease

extension Remedies {
    static let origin: Table = [
        .originNotAnOrigin: "name an origin that 'packtool publish --to' wrote",
        .originPruned: """
        name a release that is still there ('packtool history' marks pruned releases), or the \
        build or package itself
        """,
        .originNothingPublished: Remedy {
            guard $0["answer"].isEmpty else {
                return """
                    check the address and --channel; if a release is published there, allow the \
                    CDN to read the bucket
                    """
            }
            return "check the address\($0["channel"].isEmpty ? "" : " and --channel"), "
                + "or publish a release there first"
        },
        .originNoSuchRelease: """
        give the label of a release that was live there, or its version of 20 hexadecimal \
        digits
        """,
        .originInvalidPointer: Remedy {
            guard $0["path"].hasSuffix("/pointer.json") else { return restore }
            return """
                replace it with the newest file of the 'log' folder beside it, which is the same \
                pointer, or restore it from a mirror or backup; then run 'packtool verify' on the \
                origin
                """
        },
        .originLogMissing: Remedy { _ in restore },
        .originLogDiffers: """
        run 'packtool verify' on the origin: if it names the log entry as damaged, copy the \
        pointer over it, which is the same file; otherwise restore both from a mirror or backup
        """,
        .originURLElsewhere: "publish again with the right --base-url",
        .originMissing: restoreOrPublish,
        .originDiffers: restoreOrPublish,
    ]

    private static let restore =
        "run 'packtool verify' on the origin, and restore the file from a mirror or backup"

    private static let restoreOrPublish = Remedy {
        // A publish of the same build restores the files of its release.
        let parts = $0["path"].pathComponents()
        let isOfRelease = parts.contains {
            $0 == OriginLayout.releases || $0 == OriginLayout.objects
        }
        return
            (isOfRelease
            ? "run 'packtool publish' with the build of that release and --repair, or " : "")
            + "restore the file from a mirror or backup, then run 'packtool verify' on the origin"
    }

    static let http: Table = [
        .httpUnreachable:
            "check the address, the network and https_proxy, or name another address with --mirror",
        .httpProxy: proxy,
        .httpCertificate: """
        check the address, and that this system has certificates (Debian: ca-certificates); for a \
        certificate authority of your own give --ca-file
        """,
        .httpTooSlow: continues,
        .httpInterrupted: continues,
        .httpFlood: flood,
        .httpImpossible: "check the address and the installed libcurl",
        .httpRetriesExhausted:
            "wait until the server works again, then run the same command; or give a --mirror",
        .httpStatus: Remedy {
            switch Int($0["status"]) ?? 0 {
            case 401, 407: "check user and password of the address or the proxy"
            case 500...: "wait until the server works again, then run the same command"
            default: "look for the request in the server's log, then run the same command again"
            }
        },
        .httpPageForFile:
            "check the address, and turn off the fallback to a page for missing files of this host",
        .httpTransformed:
            "turn off compression and rewriting for this path at the server or CDN",
        .httpTooLarge: fileTooLarge,
        .httpRedirected: "use the address that it redirects to",
    ]

    private static let continues: Remedy =
        "run the same command again: it continues where it stopped; or give a --mirror"
    static let proxy: Remedy = """
        allow the host in the proxy, put user and password into https_proxy (status 407), or add \
        the host to no_proxy
        """
    static let flood: Remedy =
        "check the address; the server, or a proxy, sends other content than requested"
    static let fileTooLarge: Remedy =
        "check the address: an origin has no file of this size at this path"
}
