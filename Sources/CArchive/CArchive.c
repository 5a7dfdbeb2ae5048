#define _GNU_SOURCE
#include "CArchive.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <lzma.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if !defined(__linux__)
#include <xlocale.h>
#endif

static locale_t utf8_locale;

static void make_utf8_locale(void) {
    utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (utf8_locale == (locale_t)0) utf8_locale = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
}

int carchive_next_header(struct archive *archive, struct archive_entry **entry) {
    // Created once: creating it for every entry took 7 % of a publish.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_utf8_locale);
    if (utf8_locale == (locale_t)0) return archive_read_next_header(archive, entry);
    locale_t previous = uselocale(utf8_locale);
    int status = archive_read_next_header(archive, entry);
    // libarchive converts names lazily, so this must be called while the locale is active.
    if (status == ARCHIVE_OK || status == ARCHIVE_WARN) (void)archive_entry_pathname_utf8(*entry);
    uselocale(previous);
    return status;
}

#ifndef CARCHIVE_COMMIT
#define CARCHIVE_COMMIT ""
#endif

const char *carchive_commit(void) { return CARCHIVE_COMMIT; }

#if defined(__linux__) && defined(CARCHIVE_STATIC)
// libarchive converts names to the locale's character set, for which glibc needs files of the system. The linker
// replaces its calls (--wrap in Package.swift).
char *__real_nl_langinfo(nl_item item);
char *__wrap_nl_langinfo(nl_item item);
char *__wrap_nl_langinfo(nl_item item) {
    static char name[] = "UTF-8";
    return item == CODESET ? name : __real_nl_langinfo(item);
}
#endif

// Fuzz targets read smaller pieces.
#ifndef INPUT_SIZE
#define INPUT_SIZE (256 << 10)
#endif

struct carchive_input {
    int descriptor;
    int error;
    unsigned char block[INPUT_SIZE];
};

static la_ssize_t read_input(struct archive *archive, void *context, const void **block) {
    (void)archive;
    struct carchive_input *input = context;
    ssize_t count;
    do count = read(input->descriptor, input->block, sizeof input->block);
    while (count < 0 && errno == EINTR);
    if (count < 0) input->error = errno;
    *block = input->block;
    return count;
}

static la_int64_t seek_input(struct archive *archive, void *context, la_int64_t offset, int whence) {
    (void)archive;
    struct carchive_input *input = context;
    off_t position = lseek(input->descriptor, offset, whence);
    if (position >= 0) return position;
    input->error = errno;
    return ARCHIVE_FATAL;
}

struct carchive_input *carchive_make_input(int descriptor) {
    struct carchive_input *input = malloc(sizeof *input);
    if (input == NULL) return NULL;
    input->descriptor = descriptor;
    input->error = 0;
    return input;
}

int carchive_open_input(struct archive *archive, struct carchive_input *input) {
    archive_read_set_read_callback(archive, read_input);
    archive_read_set_seek_callback(archive, seek_input);
    archive_read_set_callback_data(archive, input);
    return archive_read_open1(archive);
}

void carchive_free_input(struct carchive_input *input) { free(input); }

int carchive_input_error(const struct carchive_input *input) { return input->error; }

int carchive_raw_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
}

struct thread_start {
    void (*body)(void *context);
    void *context;
};

static void *run_thread(void *argument) {
    struct thread_start start = *(struct thread_start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int carchive_start_thread(void (*body)(void *context), void *context) {
    struct thread_start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    start->body = body;
    start->context = context;
    pthread_t thread;
    int result = pthread_create(&thread, NULL, run_thread, start);
    if (result != 0) free(start);
    else pthread_detach(thread);
    return result;
}

#if defined(__linux__)
// The match finder accesses its tables at random: huge pages of 2 MiB reduce its time by a sixth.
static void *allocate_large(void *opaque, size_t count, size_t size) {
    (void)opaque;
    const size_t page = (size_t)2 << 20;
    size_t needed;
    if (__builtin_mul_overflow(count, size, &needed)) return NULL;
    if (needed < 2 * page) return malloc(needed);
    void *memory = NULL;
    if (posix_memalign(&memory, page, needed) != 0) return NULL;
    (void)madvise(memory, needed, MADV_HUGEPAGE);
    return memory;
}

static void free_large(void *opaque, void *memory) {
    (void)opaque;
    free(memory);
}
#endif

int carchive_lzma_encode(const uint8_t *content, size_t content_size, const uint8_t *dictionary,
                         size_t dictionary_size, int effort, uint8_t *output, size_t capacity,
                         size_t *used, void (*report)(void *context, size_t done), void *context) {
    lzma_options_lzma options;
    if (lzma_lzma_preset(&options, 9 | LZMA_PRESET_EXTREME)) return 2;
    size_t reach = dictionary_size + content_size;
    if (reach > (size_t)1 << 30) reach = (size_t)1 << 30;
    options.dict_size = reach < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)reach;
    options.preset_dict = dictionary;
    options.preset_dict_size = (uint32_t)dictionary_size;
    options.lc = 3;
    options.lp = 0;
    options.pb = 0;
    options.nice_len = effort == 0 ? 64 : 273;
    if (effort < 2) {
        options.mf = LZMA_MF_HC4;
        options.depth = effort == 0 ? 16 : 48;
    }
    lzma_filter filters[2] = {{LZMA_FILTER_LZMA1, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_stream stream = LZMA_STREAM_INIT;
#if defined(__linux__)
    static const lzma_allocator large = {allocate_large, free_large, NULL};
    stream.allocator = &large;
#endif
    if (lzma_raw_encoder(&stream, filters) != LZMA_OK) return 2;
    stream.next_in = content;
    stream.next_out = output;
    stream.avail_out = capacity;
    lzma_ret status = LZMA_OK;
    size_t given = 0;
    // In pieces, only to report progress: the output bytes are the same.
    while (status == LZMA_OK && stream.avail_out > 0) {
        size_t rest = content_size - given;
        stream.avail_in = rest < (size_t)1 << 18 ? rest : (size_t)1 << 18;
        given += stream.avail_in;
        status = lzma_code(&stream, given < content_size ? LZMA_RUN : LZMA_FINISH);
        given -= stream.avail_in;
        report(context, given);
    }
    *used = capacity - stream.avail_out;
    lzma_end(&stream);
    return status == LZMA_STREAM_END ? 0 : status == LZMA_OK ? 1 : 2;
}
