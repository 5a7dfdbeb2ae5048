/* The peer LZMA 9e with the old content as preset dictionary. Only liblzma's raw coders take one; the
 * stream is LZMA1 with an end marker, which is smaller than LZMA2's chunks.
 *
 *     lzma_dict e OLD NEW PATCH
 *     lzma_dict d OLD PATCH NEW SIZE      (the size of NEW, which a manifest knows)
 */
#include <lzma.h>

#include "peer.h"

enum { CHUNK = 1 << 16 };

/* Dictionary size: both contents within reach, else the coder would forget what it was given. */
static void configure(lzma_options_lzma *options, Buffer old, size_t new_size) {
    size_t reach = old.size + new_size;
    if (reach > (size_t)1536 << 20) fail("more than LZMA's 1.5 GiB with the old content", "NEW");
    if (lzma_lzma_preset(options, 9 | LZMA_PRESET_EXTREME)) fail("no preset 9e", "liblzma");
    options->dict_size = reach < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)reach;
    options->preset_dict = old.bytes;
    options->preset_dict_size = (uint32_t)old.size;
}

static void check(lzma_ret result, const char *what) {
    if (result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR) {
        fputs("liblzma: not enough memory\n", stderr);
        exit(EXIT_NO_MEMORY);
    }
    if (result != LZMA_OK && result != LZMA_STREAM_END) fail("liblzma refuses", what);
}

static void run(lzma_stream *stream, Buffer input, const char *input_path, const char *path) {
    FILE *file = create_file(path);
    static uint8_t chunk[CHUNK];
    stream->next_in = input.bytes;
    stream->avail_in = input.size;
    lzma_ret result;
    do {
        stream->next_out = chunk;
        stream->avail_out = CHUNK;
        result = lzma_code(stream, LZMA_FINISH);
        check(result, input_path);
        write_bytes(file, chunk, CHUNK - stream->avail_out, path);
    } while (result != LZMA_STREAM_END);
    if (stream->avail_in != 0) fail("has trailing bytes", input_path);
    close_file(file, path);
}

int main(int count, char **arguments) {
    int encodes = count == 5 && strcmp(arguments[1], "e") == 0;
    int decodes = count == 6 && strcmp(arguments[1], "d") == 0;
    if (!encodes && !decodes) return EXIT_USAGE;
    Buffer old = read_file(arguments[2]), input = read_file(arguments[3]);
    lzma_options_lzma options;
    configure(&options, old, encodes ? input.size : (size_t)strtoull(arguments[5], NULL, 10));
    lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_stream stream = LZMA_STREAM_INIT;
    check(encodes ? lzma_raw_encoder(&stream, filters) : lzma_raw_decoder(&stream, filters), "set-up");
    run(&stream, input, arguments[3], arguments[4]);
    lzma_end(&stream);
    return 0;
}
