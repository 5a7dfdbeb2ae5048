// libcurl and libarchive, loaded at the first call: as libraries of the program they and the 35 others that they need
// take 9 of the 16 ms of a start, and most commands call neither.
#include "Loaded.h"

#ifdef CARCHIVE_LOADED
#include "CArchive.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

struct library {
    const char *name;
    _Atomic(void *) handle;
};

static struct library curl = {.name = "libcurl.so.4"};
static struct library archive = {.name = "libarchive.so.13"};

/// A function of a library; NULL if the library is missing.
static void *find(struct library *library, _Atomic(void *) *known, const char *name) {
    void *function = atomic_load(known);
    if (function != NULL) return function;
    void *handle = atomic_load(&library->handle);
    if (handle == NULL) {
        // Two threads get the same handle.
        handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL) return NULL;
        atomic_store(&library->handle, handle);
    }
    function = dlsym(handle, name);
    atomic_store(known, function);
    return function;
}

// Hidden, so that the loaded libraries use their own functions.
#define FORWARD(library, result, name, parameters, arguments, missing)  \
    __attribute__((visibility("hidden"))) result name parameters {      \
        static _Atomic(void *) known;                                   \
        result (*function) parameters = find(&library, &known, #name);  \
        return function == NULL ? missing : function arguments;         \
    }

#define VARIADIC(type, accessor, name, missing)             \
    type accessor(void) {                                   \
        static _Atomic(void *) known;                       \
        type function = (type)find(&curl, &known, #name);   \
        return function == NULL ? missing : function;       \
    }

static CURLcode no_set(CURL *transfer, CURLoption option, ...) {
    (void)transfer, (void)option;
    return CURLE_FAILED_INIT;
}

static CURLMcode no_set_many(CURLM *transfers, CURLMoption option, ...) {
    (void)transfers, (void)option;
    return CURLM_INTERNAL_ERROR;
}

static CURLcode no_get(CURL *transfer, CURLINFO information, ...) {
    (void)transfer, (void)information;
    return CURLE_FAILED_INIT;
}

VARIADIC(carchive_set, carchive_loaded_set, curl_easy_setopt, no_set)
VARIADIC(carchive_set_many, carchive_loaded_set_many, curl_multi_setopt, no_set_many)
VARIADIC(carchive_get, carchive_loaded_get, curl_easy_getinfo, no_get)

FORWARD(curl, CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT)
FORWARD(curl, curl_version_info_data *, curl_version_info, (CURLversion age), (age), NULL)
FORWARD(curl, CURL *, curl_easy_init, (void), (), NULL)
FORWARD(curl, void, curl_easy_cleanup, (CURL *transfer), (transfer), (void)0)
FORWARD(curl, void, curl_easy_reset, (CURL *transfer), (transfer), (void)0)
FORWARD(curl, const char *, curl_easy_strerror, (CURLcode code), (code), "libcurl is missing")
FORWARD(curl, struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text), NULL)
FORWARD(curl, void, curl_slist_free_all, (struct curl_slist *list), (list), (void)0)
FORWARD(curl, CURLM *, curl_multi_init, (void), (), NULL)
FORWARD(curl, CURLMcode, curl_multi_add_handle, (CURLM *transfers, CURL *transfer), (transfers, transfer),
        CURLM_INTERNAL_ERROR)
FORWARD(curl, CURLMcode, curl_multi_remove_handle, (CURLM *transfers, CURL *transfer), (transfers, transfer),
        CURLM_INTERNAL_ERROR)
FORWARD(curl, CURLMcode, curl_multi_perform, (CURLM *transfers, int *running), (transfers, running),
        CURLM_INTERNAL_ERROR)
FORWARD(curl, CURLMcode, curl_multi_poll,
        (CURLM *transfers, struct curl_waitfd extra[], unsigned count, int milliseconds, int *ready),
        (transfers, extra, count, milliseconds, ready), CURLM_INTERNAL_ERROR)
FORWARD(curl, CURLMcode, curl_multi_wakeup, (CURLM *transfers), (transfers), CURLM_INTERNAL_ERROR)
FORWARD(curl, CURLMsg *, curl_multi_info_read, (CURLM *transfers, int *left), (transfers, left), NULL)

FORWARD(archive, struct archive *, archive_read_new, (void), (), NULL)
FORWARD(archive, int, archive_read_free, (struct archive *reader), (reader), ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_support_format_zip_seekable, (struct archive *reader), (reader), ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_set_options, (struct archive *reader, const char *options), (reader, options),
        ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_set_read_callback, (struct archive *reader, archive_read_callback *body),
        (reader, body), ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_set_seek_callback, (struct archive *reader, archive_seek_callback *body),
        (reader, body), ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_set_callback_data, (struct archive *reader, void *context), (reader, context),
        ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_open1, (struct archive *reader), (reader), ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_next_header, (struct archive *reader, struct archive_entry **entry),
        (reader, entry), ARCHIVE_FATAL)
FORWARD(archive, int, archive_read_data_block,
        (struct archive *reader, const void **start, size_t *count, la_int64_t *offset),
        (reader, start, count, offset), ARCHIVE_FATAL)
FORWARD(archive, int, archive_errno, (struct archive *reader), (reader), 0)
FORWARD(archive, const char *, archive_error_string, (struct archive *reader), (reader), NULL)
FORWARD(archive, const char *, archive_entry_pathname_utf8, (struct archive_entry *entry), (entry), NULL)
#endif
