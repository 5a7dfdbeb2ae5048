#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Directory {
    /// Whether this user may add, replace and remove names in this directory.
    var isWritable: Bool { unsafe faccessat(number, ".", W_OK | X_OK, AT_EACCESS) == 0 }
}
