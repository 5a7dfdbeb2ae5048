#define _GNU_SOURCE
#include "CArchive.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#else
#include <xlocale.h>
#endif

#ifndef O_NOFOLLOW_ANY
/// The walk used where the kernel offers no single call (or a container forbids it).
static int open_by_walking(int directory, const char *path, int flags, mode_t mode) {
    char component[1025];
    int current = directory;
    for (;;) {
        const char *slash = strchr(path, '/');
        if (slash == NULL) break;
        size_t length = (size_t)(slash - path);
        if (length == 0 || length >= sizeof component) {
            if (current != directory) close(current);
            errno = length == 0 ? EINVAL : ENAMETOOLONG;
            return -1;
        }
        memcpy(component, path, length);
        component[length] = 0;
        int next = openat(current, component, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int saved = errno;
        if (current != directory) close(current);
        errno = saved;
        if (next < 0) return -1;
        current = next;
        path = slash + 1;
    }
    int result = openat(current, path, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    int saved = errno;
    if (current != directory) close(current);
    errno = saved;
    return result;
}
#endif

int carchive_open_beneath(int directory, const char *path, int flags, mode_t mode) {
#ifdef O_NOFOLLOW_ANY
    return openat(directory, path, flags | O_NOFOLLOW_ANY | O_CLOEXEC, mode);
#else
#if defined(__linux__) && defined(SYS_openat2)
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (unsigned)(flags | O_CLOEXEC);
    how.mode = (flags & O_CREAT) ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    long result = syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (result >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)result;
#endif
    return open_by_walking(directory, path, flags, mode);
#endif
}

int carchive_open(const char *path, int flags, mode_t mode) {
    return open(path, flags | O_CLOEXEC, mode);
}

int carchive_sync_file_system(int descriptor) {
#if defined(__linux__)
    return syncfs(descriptor);
#else
    sync();
    return carchive_sync(descriptor);
#endif
}

int carchive_sync(int descriptor) {
#if defined(F_FULLFSYNC)
    // Not every file system knows F_FULLFSYNC; fsync is then the best there is.
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
    return fsync(descriptor);
}

int carchive_exchange(int directory, const char *name, int other_directory, const char *other_name) {
#if defined(__linux__)
    return renameat2(directory, name, other_directory, other_name, RENAME_EXCHANGE);
#else
    return renameatx_np(directory, name, other_directory, other_name, RENAME_SWAP);
#endif
}

int carchive_next_header(struct archive *archive, struct archive_entry **entry) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (utf8 == (locale_t)0) utf8 = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
    locale_t previous = utf8 == (locale_t)0 ? (locale_t)0 : uselocale(utf8);
    int status = archive_read_next_header(archive, entry);
    if (utf8 != (locale_t)0) {
        // libarchive converts names lazily: ask now, while the locale is active.
        if (status == ARCHIVE_OK || status == ARCHIVE_WARN) (void)archive_entry_pathname_utf8(*entry);
        uselocale(previous);
        freelocale(utf8);
    }
    return status;
}

int carchive_raw_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
}
