#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

enum CoreDumps {
    /// Disables core dumps, which could write keys to disk.
    static func refuse() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
