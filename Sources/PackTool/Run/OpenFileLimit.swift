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
    private static let wanted: rlim_t = 512

    /// Raises the limit if necessary.
    ///
    /// - Throws: ``Failure/limitOpenFiles(allowed:least:)``.
    static func prepare() throws(Failure) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        _ = setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < least else { return }
        throw .limitOpenFiles(allowed: UInt64(limit.rlim_cur), least: UInt64(least))
    }

    /// The number of connections that the limit allows.
    ///
    /// Each of them may use a socket and a file.
    static var connections: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        return Int(clamping: max(limit.rlim_cur, 2 * least) - least) / 2
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t {
            __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}

extension Failure.Code {
    static let limitOpenFiles = Self("limit.open-files")
}

extension Failure {
    /// The limit of open files is below the required minimum.
    static func limitOpenFiles(allowed: UInt64, least: UInt64) -> Failure {
        Failure(
            .limitOpenFiles,
            "\(allowed) files may be open at a time; packtool needs \(least) or more",
            unaffected: "existing files; nothing was done")
    }
}
