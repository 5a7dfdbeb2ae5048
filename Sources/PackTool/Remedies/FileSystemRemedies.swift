import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Remedies {
    /// The remedy of a failed system call, by its error number.
    static let fileSystem = Remedy { failure in
        switch failure.number {
        case Failure.refusedName: "choose a path without empty, '.' or '..' parts"
        case ENOENT: "check the path"
        case EACCES, EPERM: "grant this user permission, or run as the owner"
        case ENOSPC, EDQUOT: "free some space on that file system, then run the same command again"
        case EMFILE, ENFILE:
            "raise the limit of open files (ulimit -n), then run the same command again"
        case EROFS: "choose a path on a writable file system"
        case ENOTDIR: "name a directory; one part of the path is a file"
        case EISDIR: "name a file, not a directory"
        case ELOOP: "name the path without the symbolic link"
        case EEXIST, ENOTEMPTY: "remove it or choose another name"
        case EIO: "check the disk for errors, then run the same command again"
        case EXDEV: "choose two paths on the same file system"
        default: "check the path and its file system, then run the same command again"
        }
    }
}
