import CFiles

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The fields of a file's `stat` that packtool uses.
package struct FileStatus: Equatable, Sendable {
    /// The kind of a directory entry.
    package enum Kind: Equatable, Sendable {
        case file, directory, symbolicLink, other
    }

    package let kind: Kind
    package let size: UInt64
    /// Device and inode; equal for two names of one file.
    package let identity: Identity
    /// The user who owns the file.
    let owner: UInt32
    /// Whether group and others have no permission at all.
    package let isPrivate: Bool
    /// The permissions of owner, group and others.
    let permissions: mode_t
    /// Time of the last write to the content.
    package let modified: FileTime
    /// Time of the last change of content or metadata, which no program can set.
    package let changed: FileTime

    /// Identifies a file on this machine.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64
    }

    /// Values that stay the same until the file's content is written or another file takes its
    /// name.
    ///
    /// A new hard link, as some backup tools create, does not change them.
    package struct Edition: Equatable, Sendable {
        let identity: Identity
        let size: UInt64
        package let modified: FileTime
    }

    /// Time of the last write to the content, in whole seconds since 1970.
    package var modifiedSeconds: Int { modified.seconds }

    package var edition: Edition {
        Edition(identity: identity, size: size, modified: modified)
    }

    /// Whether anyone but a superuser may write to the file.
    package var isWritable: Bool { permissions & 0o222 != 0 }

    /// The status of a user's path, following links; `nil` if the path is missing or cannot be
    /// inspected.
    package static func following(_ path: String) -> FileStatus? {
        var raw = stat()
        let path = WorkingDirectory.locate(path)
        guard unsafe cfiles_status(path, path.utf8.count, &raw) == 0 else { return nil }
        return FileStatus(raw)
    }

    init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        size = UInt64(max(0, raw.st_size))
        owner = raw.st_uid
        permissions = raw.st_mode & 0o777
        isPrivate = raw.st_mode & 0o077 == 0
        identity = Identity(
            device: UInt64(truncatingIfNeeded: raw.st_dev),
            inode: UInt64(truncatingIfNeeded: raw.st_ino))
        #if canImport(Glibc)
            let (content, status) = (raw.st_mtim, raw.st_ctim)
        #else
            let (content, status) = (raw.st_mtimespec, raw.st_ctimespec)
        #endif
        modified = FileTime(seconds: content.tv_sec, nanoseconds: content.tv_nsec)
        changed = FileTime(seconds: status.tv_sec, nanoseconds: status.tv_nsec)
    }
}

/// A time of a file, since 1970.
package struct FileTime: Hashable, Comparable, Sendable {
    package let seconds: Int
    package let nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (one: FileTime, other: FileTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}
