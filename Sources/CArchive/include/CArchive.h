/// The one door to C: headers of the system libraries and the few shims that Swift cannot express
/// (variadic functions, calls that module Glibc does not export, per-thread locales).
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>
#include <libdeflate.h>
#include <sys/types.h>
#include <zlib.h>

/// Opens `path` below `directory` without following any symbolic link on the way (Linux: openat2 with
/// RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS, else a walk with O_NOFOLLOW; macOS: O_NOFOLLOW_ANY).
/// Returns a descriptor, or -1 with errno set. `path` must be relative and free of "..".
int carchive_open_beneath(int directory, const char *path, int flags, mode_t mode);

/// open(2) with a mode, close-on-exec.
int carchive_open(const char *path, int flags, mode_t mode);

/// Makes everything written so far to the file system of `descriptor` durable
/// (Linux: syncfs; elsewhere sync() followed by F_FULLFSYNC on the descriptor).
int carchive_sync_file_system(int descriptor);

/// Makes one file or directory durable (macOS: F_FULLFSYNC, since fsync stops at the drive's cache).
int carchive_sync(int descriptor);

/// Swaps two names atomically (Linux: renameat2 with RENAME_EXCHANGE; macOS: renameatx_np with RENAME_SWAP).
int carchive_exchange(int directory, const char *name, int other_directory, const char *other_name);

/// archive_read_next_header under a UTF-8 locale of this thread only: in the C locale libarchive hands
/// out no name for an entry whose name is flagged as UTF-8.
int carchive_next_header(struct archive *archive, struct archive_entry **entry);

/// deflateInit2 for a raw stream (a macro in zlib.h). `level` 1 to 9.
int carchive_raw_deflate_init(z_stream *stream, int level);

/// inflateInit2 for a raw stream (a macro in zlib.h).
int carchive_raw_inflate_init(z_stream *stream);

/// Encodes content as a raw LZMA1 stream with end marker, lc 3, lp 0, pb 0, whose dictionary holds other
/// text already. `report` is told from time to time how many bytes of the content are done. Returns 0; 1
/// where the output does not fit; 2 where memory is short.
int carchive_lzma_encode(const uint8_t *content, size_t content_size, const uint8_t *dictionary,
                         size_t dictionary_size, uint8_t *output, size_t capacity, size_t *used,
                         void (*report)(void *context, size_t done), void *context);

#endif
