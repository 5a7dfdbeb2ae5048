/// The C interface of the modules that an app links: system calls that Swift cannot express (variadic
/// functions, calls that module Glibc does not export), and zlib.
#ifndef CFILES_H
#define CFILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <zlib.h>

/// Returned by the calls below for a path that is not made of names below a directory (a component
/// is empty, "." or "..", or contains a NUL); errno is then EINVAL. Any other failure is -1.
#define CFILES_NOT_BELOW (-2)

/// Opens `path` below `directory` without following any symbolic link on the way (Linux: openat2
/// with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, else one component after the other with
/// O_NOFOLLOW; macOS: O_NOFOLLOW_ANY). Each call below resolves its path in the same way.
int cfiles_open_beneath(int directory, const char *path, size_t length, int flags, mode_t mode);

/// The same, by the fallback for kernels without openat2; called directly only by tests.
int cfiles_open_beneath_by_walking(int directory, const char *path, size_t length, int flags,
                                     mode_t mode);

/// fstatat(2); a link is not followed.
int cfiles_status_beneath(int directory, const char *path, size_t length, struct stat *status);

/// readlinkat(2).
ssize_t cfiles_read_link_beneath(int directory, const char *path, size_t length, char *target,
                                   size_t capacity);

/// mkdirat(2).
int cfiles_make_directory_beneath(int directory, const char *path, size_t length);

/// symlinkat(2).
int cfiles_make_link_beneath(int directory, const char *path, size_t length, const char *target,
                               size_t target_length);

/// unlinkat(2).
int cfiles_remove_beneath(int directory, const char *path, size_t length, int is_directory);

enum { CFILES_LINK, CFILES_RENAME, CFILES_EXCHANGE };

/// linkat(2), renameat(2), or an atomic exchange of two names (Linux: renameat2 with RENAME_EXCHANGE; macOS:
/// renameatx_np with RENAME_SWAP).
int cfiles_move_beneath(int how, int directory, const char *path, size_t length, int other_directory,
                          const char *other_path, size_t other_length);

/// Opens a directory a second time, for reading.
int cfiles_open_again(int directory);

/// Opens the parent directory; the caller checks that it is the expected one.
int cfiles_open_above(int directory);

/// Whether names in a directory may be changed: 0 or -1 with errno set.
int cfiles_check_writable(int directory);

/// open(2) of a user's path, following links; CFILES_NOT_BELOW if it contains a NUL.
int cfiles_open(const char *path, size_t length, int flags);

/// stat(2) of a user's path, following links; CFILES_NOT_BELOW if it contains a NUL.
int cfiles_status(const char *path, size_t length, struct stat *status);

/// mkdir(2) of a user's path.
int cfiles_make_directory(const char *path);

/// rmdir(2) of a user's path.
int cfiles_remove_directory(const char *path);

/// realpath(3) of a user's path; NULL if it contains a NUL.
char *cfiles_resolve(const char *path, size_t length);

/// Makes everything written so far to the file system of `descriptor` durable
/// (Linux: syncfs; elsewhere sync() followed by F_FULLFSYNC on the descriptor).
int cfiles_sync_file_system(int descriptor);

/// Makes one file or directory durable (macOS: F_FULLFSYNC, since fsync stops at the drive's cache).
int cfiles_sync(int descriptor);

/// Sets a file's modification time, and leaves its access time unchanged.
int cfiles_set_time(int descriptor, time_t seconds);

/// Returns freed memory to the system, in every arena (glibc only; elsewhere does nothing).
void cfiles_release_freed_memory(void);

/// Overwrites memory that has a secret, even if it is never read again.
void cfiles_forget(void *memory, size_t size);

/// inflateInit2 for a raw stream (a macro in zlib.h).
int cfiles_raw_inflate_init(z_stream *stream);

/// Makes a crash (SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT) print the file that the thread
/// was processing to standard error. Then the earlier handler runs, and the process ends by the
/// signal.
void cfiles_report_crashes(void);

/// Sets the printable name of the file that this thread processes; none if the length is 0. The
/// text is copied, and cut after 4096 bytes.
void cfiles_working_on(const char *name, size_t length);

/// CRC-32 of zip archives, continued from `checksum` (0 at first): libdeflate's in a program that links it, which is
/// several times as fast as that of zlib.
uint32_t cfiles_crc32(uint32_t checksum, const void *bytes, size_t size);

#endif
