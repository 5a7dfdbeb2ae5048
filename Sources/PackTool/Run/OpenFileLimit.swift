import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The limit of open files for this process.
enum OpenFileLimit {
    /// The required minimum: with a lower limit, a run can exhaust it, and the Swift runtime traps
    /// when it needs a file itself.
    private static let least: rlim_t = 64
    /// A lower limit is raised to this if permitted.
    private static let wanted: rlim_t = 256

    /// Raises the limit if necessary.
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

/// The limit of open files is below the required minimum.
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
