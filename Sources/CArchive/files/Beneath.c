// All calls with a path below an open directory. The parent is opened first, in a way that cannot
// leave the directory. The call itself then gets a single name, so it cannot follow a link.
#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

// A directory used only for relative calls: it need not be readable.
#if defined(O_PATH)
#define PLACE_FLAGS (O_PATH | O_DIRECTORY)
#elif defined(O_SEARCH)
#define PLACE_FLAGS (O_SEARCH | O_DIRECTORY)
#else
#define PLACE_FLAGS (O_RDONLY | O_DIRECTORY)
#endif

/// Whether every component is a name: not empty, not "." or "..", no NUL. Such a path is relative.
static int is_below(const char *path, size_t length) {
    size_t start = 0;
    for (size_t at = 0; at <= length; at++) {
        if (at < length && path[at] != '/') {
            if (path[at] == 0) return 0;
            continue;
        }
        size_t count = at - start;
        if (count == 0) return 0;
        if (path[start] == '.' && (count == 1 || (count == 2 && path[start + 1] == '.'))) return 0;
        start = at + 1;
    }
    return 1;
}

static int refuse(void) {
    errno = EINVAL;
    return CFILES_NOT_BELOW;
}

static void close_keeping_errno(int descriptor) {
    int saved = errno;
    close(descriptor);
    errno = saved;
}

/// Opens one name. With O_DIRECTORY, the system reports a link as "not a directory"; this function
/// reports it as a link, so that both ways of opening fail with the same error.
static int open_name(int directory, const char *name, int flags, mode_t mode) {
    int result;
    do result = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    while (result < 0 && errno == EINTR);
    if (result >= 0 || errno != ENOTDIR) return result;
    struct stat status;
    int is_link = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
    errno = is_link ? ELOOP : ENOTDIR;
    return -1;
}

/// Opens one component after the other.
static int walk(int directory, const char *path, int flags, mode_t mode) {
    char component[1025];
    int current = directory;
    const char *slash;
    while ((slash = strchr(path, '/')) != NULL) {
        size_t length = (size_t)(slash - path);
        int next = -1;
        if (length < sizeof component) {
            memcpy(component, path, length);
            component[length] = 0;
            next = open_name(current, component, PLACE_FLAGS, 0);
        } else {
            errno = ENAMETOOLONG;
        }
        if (current != directory) close_keeping_errno(current);
        if (next < 0) return -1;
        current = next;
        path = slash + 1;
    }
    int result = open_name(current, path, flags, mode);
    if (current != directory) close_keeping_errno(current);
    return result;
}

/// Opens a path that `is_below` has accepted.
static int open_sound(int directory, const char *path, int flags, mode_t mode) {
#if defined(O_NOFOLLOW_ANY)
    int opened;
    do opened = openat(directory, path, flags | O_NOFOLLOW_ANY | O_CLOEXEC, mode);
    while (opened < 0 && errno == EINTR);
    return opened;
#else
#if defined(__linux__) && defined(SYS_openat2)
    static atomic_int is_missing;
    if (!atomic_load_explicit(&is_missing, memory_order_relaxed)) {
        struct open_how how;
        memset(&how, 0, sizeof how);
        how.flags = (unsigned)(flags | O_CLOEXEC);
        how.mode = (flags & O_CREAT) ? mode : 0;
        how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
        long result;
        // Network file systems return this when a signal arrives; the parent directory of a path is
        // also opened here.
        do result = syscall(SYS_openat2, directory, path, &how, sizeof how);
        while (result < 0 && errno == EINTR);
        // Old container runtimes return EPERM for unknown system calls.
        if (result >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)result;
        if (errno == ENOSYS) atomic_store_explicit(&is_missing, 1, memory_order_relaxed);
    }
#endif
    return walk(directory, path, flags, mode);
#endif
}

int cfiles_open_beneath(int directory, const char *path, size_t length, int flags, mode_t mode) {
    return is_below(path, length) ? open_sound(directory, path, flags, mode) : refuse();
}

int cfiles_open_beneath_by_walking(int directory, const char *path, size_t length, int flags,
                                     mode_t mode) {
    return is_below(path, length) ? walk(directory, path, flags, mode) : refuse();
}

/// The target of a call: an open directory and one name in it.
struct place {
    int directory;
    const char *name;
    int is_open;
};

/// Returns 0, or the value for the caller to return: -1 or CFILES_NOT_BELOW.
static int enter(int directory, const char *path, size_t length, struct place *place) {
    place->directory = directory;
    place->name = path;
    place->is_open = 0;
    if (!is_below(path, length)) return refuse();
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return 0;
    char parent[4096];
    size_t count = (size_t)(slash - path);
    if (count >= sizeof parent) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(parent, path, count);
    parent[count] = 0;
    place->directory = open_sound(directory, parent, PLACE_FLAGS, 0);
    if (place->directory < 0) return -1;
    place->name = slash + 1;
    place->is_open = 1;
    return 0;
}

static void leave(const struct place *place) {
    if (place->is_open) close_keeping_errno(place->directory);
}

int cfiles_status_beneath(int directory, const char *path, size_t length, struct stat *status) {
#if defined(O_PATH)
    // This is the most frequent call, and opening the path itself is cheaper than opening its
    // parent.
    if (is_below(path, length) && strchr(path, '/') != NULL) {
        int itself = open_sound(directory, path, O_PATH | O_NOFOLLOW, 0);
        if (itself < 0) return -1;
        int found = fstat(itself, status);
        close_keeping_errno(itself);
        return found;
    }
#endif
    struct place place;
    int result = enter(directory, path, length, &place);
    if (result < 0) return result;
    result = fstatat(place.directory, place.name, status, AT_SYMLINK_NOFOLLOW);
    leave(&place);
    return result;
}

ssize_t cfiles_read_link_beneath(int directory, const char *path, size_t length, char *target,
                                   size_t capacity) {
    struct place place;
    int entered = enter(directory, path, length, &place);
    if (entered < 0) return entered;
    ssize_t result = readlinkat(place.directory, place.name, target, capacity);
    leave(&place);
    return result;
}

int cfiles_make_directory_beneath(int directory, const char *path, size_t length) {
    struct place place;
    int result = enter(directory, path, length, &place);
    if (result < 0) return result;
    result = mkdirat(place.directory, place.name, 0755);
    leave(&place);
    return result;
}

int cfiles_make_link_beneath(int directory, const char *path, size_t length, const char *target,
                               size_t target_length) {
    if (memchr(target, 0, target_length) != NULL) return refuse();
    struct place place;
    int result = enter(directory, path, length, &place);
    if (result < 0) return result;
    result = symlinkat(target, place.directory, place.name);
    leave(&place);
    return result;
}

int cfiles_remove_beneath(int directory, const char *path, size_t length, int is_directory) {
    struct place place;
    int result = enter(directory, path, length, &place);
    if (result < 0) return result;
    result = unlinkat(place.directory, place.name, is_directory ? AT_REMOVEDIR : 0);
    leave(&place);
    return result;
}

int cfiles_move_beneath(int how, int directory, const char *path, size_t length, int other_directory,
                          const char *other_path, size_t other_length) {
    struct place from, to;
    int result = enter(directory, path, length, &from);
    if (result < 0) return result;
    result = enter(other_directory, other_path, other_length, &to);
    if (result < 0) {
        leave(&from);
        return result;
    }
    switch (how) {
    case CFILES_LINK:
        result = linkat(from.directory, from.name, to.directory, to.name, 0);
        break;
    case CFILES_RENAME:
        result = renameat(from.directory, from.name, to.directory, to.name);
        break;
    default:
#if defined(__linux__)
        result = renameat2(from.directory, from.name, to.directory, to.name, RENAME_EXCHANGE);
#else
        result = renameatx_np(from.directory, from.name, to.directory, to.name, RENAME_SWAP);
#endif
    }
    leave(&to);
    leave(&from);
    return result;
}

int cfiles_open_again(int directory) {
    return openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int cfiles_open_above(int directory) {
    return openat(directory, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int cfiles_check_writable(int directory) {
    return faccessat(directory, ".", W_OK | X_OK, AT_EACCESS);
}
