/// The C interface: headers of the system libraries, and shims for calls that Swift cannot express
/// (variadic functions, calls that module Glibc does not export, per-thread locales).
#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>
// curl's option type checks are macros for C.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <errno.h>
#include <libdeflate.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <yaml.h>
#include <zlib.h>

/// `archive_errno` of a reader that is out of memory.
enum { CARCHIVE_ENOMEM = ENOMEM };

/// A caller's buffer for text.
struct carchive_text {
    uint8_t *start;
    size_t capacity;
    size_t used;
};

enum { CARCHIVE_RUN_ENDED, CARCHIVE_RUN_NOT_STARTED, CARCHIVE_RUN_TOO_LONG, CARCHIVE_RUN_TOO_MUCH };

/// Runs a program, which is looked up in PATH, without a shell, and reads its output.
///
/// `words` and `hidden` end with NULL; variables named in `hidden`, and private keys, are removed
/// from its environment. A program that takes longer than `seconds`, or writes more than fits into
/// `output`, is killed with its children; excess text for `messages` (its standard error) is read
/// and discarded. `status` is the exit code, 128 plus the signal's number, or the errno of a
/// program that could not be started.
///
/// If this process has the terminal, the program gets it while it runs, without a time limit,
/// because it may prompt the user. Ctrl-C then ends the program, and raises SIGINT here. If the
/// system supports it, the program is killed when this process ends.
int carchive_run(const char *const *words, const char *const *hidden, const uint8_t *input,
                 size_t input_size, int seconds, struct carchive_text *output,
                 struct carchive_text *messages, int *status);

/// Ends all programs started by `carchive_run`, and prevents new ones: SIGTERM to their groups,
/// then SIGKILL.
void carchive_end_programs(void);

/// The file of an archive that libarchive reads, with the error of a failed read: libarchive itself
/// reports such an archive as truncated.
struct carchive_input;

/// NULL if memory is exhausted.
struct carchive_input *carchive_make_input(int descriptor);

/// Frees the input of an archive that is freed already.
void carchive_free_input(struct carchive_input *input);

/// Opens an archive at the descriptor's position.
int carchive_open_input(struct archive *archive, struct carchive_input *input);

/// `errno` of the first call that failed; 0 if none did.
int carchive_input_error(const struct carchive_input *input);

/// archive_read_next_header under a UTF-8 locale of this thread only: in the C locale, libarchive
/// returns no name for an entry whose name is flagged as UTF-8.
int carchive_next_header(struct archive *archive, struct archive_entry **entry);

/// deflateInit2 for a raw stream (a macro in zlib.h). `level` 1 to 9.
int carchive_raw_deflate_init(z_stream *stream, int level);

/// Encodes content as a raw LZMA1 stream with end marker, lc 3, lp 0, pb 0, with a preset
/// dictionary. `report` is called from time to time with the number of bytes encoded. Returns 0; 1
/// if the output does not fit; 2 if memory is short. `effort` selects the match search: 0 hash
/// chains of 16, 1 longer ones, 2 binary trees, which take about 0.5 µs for each byte of the
/// dictionary.
int carchive_lzma_encode(const uint8_t *content, size_t content_size, const uint8_t *dictionary,
                         size_t dictionary_size, int effort, uint8_t *output, size_t capacity,
                         size_t *used, void (*report)(void *context, size_t done), void *context);

/// Starts libcurl: `curl_global_init`, without the system's configuration of OpenSSL.
CURLcode carchive_curl_start(void);

/// The system's certificate authorities, as a PEM file; NULL if there are none, or if libcurl knows
/// their place.
const char *carchive_curl_authorities(void);

// libcurl's setters and getters are variadic, so Swift cannot call them. Each of these functions
// passes one value of the option's type.

CURLcode carchive_curl_set_number(CURL *transfer, CURLoption option, long value);

CURLcode carchive_curl_set_size(CURL *transfer, CURLoption option, curl_off_t value);

/// libcurl copies the text, except that of CURLOPT_ERRORBUFFER and CURLOPT_POSTFIELDS.
CURLcode carchive_curl_set_text(CURL *transfer, CURLoption option, const char *value);

CURLcode carchive_curl_set_pointer(CURL *transfer, CURLoption option, void *value);

/// Sets the functions that receive header lines and content, both with `context`.
CURLcode carchive_curl_set_receivers(CURL *transfer, curl_write_callback header, curl_write_callback content,
                                     void *context);

/// Sets the functions that see each received byte before libcurl decodes it, and that can end the
/// transfer between two reads.
CURLcode carchive_curl_set_watchers(CURL *transfer, curl_debug_callback arrived, curl_xferinfo_callback goes_on,
                                    void *context);

/// Sends `size` bytes that `content` provides; `rewind` starts over. Both receive `context`.
CURLcode carchive_curl_set_sender(CURL *transfer, curl_read_callback content, curl_seek_callback rewind, void *context,
                                  curl_off_t size);

CURLMcode carchive_curl_set_many(CURLM *transfers, CURLMoption option, long value);

/// Connections opened before a transfer needs them, to the address of the first one.
///
/// Only the thread of the transfers may use it.
typedef struct carchive_connections carchive_connections;

/// NULL without memory.
carchive_connections *carchive_connections_make(void);

/// Makes a transfer take its connection from `early`, if one is ready.
CURLcode carchive_curl_set_early(CURL *transfer, carchive_connections *early);

/// Starts to open connections until `count` of them wait for a transfer.
///
/// Returns 0 before the address is known, and 1 otherwise, also if no more can be opened.
int carchive_connections_open(carchive_connections *early, int count);

/// The next finished transfer and its result; NULL if there is none.
CURL *carchive_curl_next_ended(CURLM *transfers, CURLcode *result);

/// The microseconds from the start of sending a request to the first byte of its response; 0
/// without a response.
curl_off_t carchive_curl_wait(CURL *transfer);

/// Starts a thread that runs `body`; 0 or an errno.
int carchive_start_thread(void (*body)(void *context), void *context);

/// libcurl's version as 0xXXYYZZ; 0 if it is missing.
unsigned carchive_curl_version(void);

/// The commit of packtool's sources, if the build names it; otherwise empty.
const char *carchive_commit(void);

#endif
