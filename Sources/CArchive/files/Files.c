#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

int cfiles_open(const char *path, size_t length, int flags) {
    if (memchr(path, 0, length) != NULL) {
        errno = EINVAL;
        return CFILES_NOT_BELOW;
    }
    return open(path, flags | O_CLOEXEC);
}

int cfiles_status(const char *path, size_t length, struct stat *status) {
    return memchr(path, 0, length) == NULL ? stat(path, status) : CFILES_NOT_BELOW;
}

int cfiles_make_directory(const char *path) { return mkdir(path, 0755); }

int cfiles_remove_directory(const char *path) { return rmdir(path); }

char *cfiles_resolve(const char *path, size_t length) {
    return memchr(path, 0, length) == NULL ? realpath(path, NULL) : NULL;
}

int cfiles_sync_file_system(int descriptor) {
#if defined(__linux__)
    return syncfs(descriptor);
#else
    sync();
    return cfiles_sync(descriptor);
#endif
}

int cfiles_sync(int descriptor) {
#if defined(F_FULLFSYNC)
    // If the file system does not support F_FULLFSYNC, fsync is the best available.
    if (fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
    return fsync(descriptor);
}

int cfiles_set_time(int descriptor, time_t seconds) {
    struct timespec times[2] = {{0, UTIME_OMIT}, {seconds, 0}};
    return futimens(descriptor, times);
}

void cfiles_release_freed_memory(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

void cfiles_forget(void *memory, size_t size) {
#if defined(__linux__)
    explicit_bzero(memory, size);
#else
    // Not memset_s: its header declares it only after a macro, which does not reach a header that is
    // compiled as a module.
    for (volatile unsigned char *byte = memory; size > 0; size--) *byte++ = 0;
#endif
}

int cfiles_raw_inflate_init(z_stream *stream) {
    return inflateInit2(stream, -15);
}

#if defined(__linux__)
// Weak: an app does not link libdeflate.
extern uint32_t libdeflate_crc32(uint32_t checksum, const void *bytes, size_t size) __attribute__((weak));
#endif

uint32_t cfiles_crc32(uint32_t checksum, const void *bytes, size_t size) {
    // Both libraries restart without an address.
    if (size == 0) return checksum;
#if defined(__linux__)
    if (libdeflate_crc32 != NULL) return libdeflate_crc32(checksum, bytes, size);
#endif
    return (uint32_t)crc32_z(checksum, bytes, size);
}
