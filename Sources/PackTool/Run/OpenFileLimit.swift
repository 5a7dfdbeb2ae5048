import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How many files this process may have open.
enum OpenFileLimit {
    /// With fewer a run can take them all, and the Swift runtime then ends by a trap where it needs one.
    private static let least: rlim_t = 64
    /// A lower limit is raised to it where that is allowed.
    private static let wanted: rlim_t = 256

    /// Sees to it that there are enough.
    ///
    /// - Throws: ``TooFewOpenFiles``.
    static func prepare() throws(TooFewOpenFiles) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        _ = setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < least else { return }
        throw TooFewOpenFiles(allowed: UInt64(limit.rlim_cur), least: UInt64(least))
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t {
            __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}

/// The limit of open files is too low to begin with.
struct TooFewOpenFiles: Remedied {
    let allowed: UInt64
    let least: UInt64

    var code: String { "limit.open-files" }
    var description: String {
        "\(allowed) files may be open at a time; packtool needs \(least) or more"
    }
    var unaffected: String? { "existing files; nothing was done" }
    var remedy: String {
        "raise the limit of open files (ulimit -n) and run the same command again"
    }
}
