/* The peer brotli -11 with the old content as dictionary, by the C library of brotli 1.1 or later
 * (Debian's is older and has no such dictionaries).
 *
 *     brotli_dict e OLD NEW PATCH
 *     brotli_dict d OLD PATCH NEW
 */
#include <brotli/decode.h>
#include <brotli/encode.h>

#include "peer.h"

enum { CHUNK = 1 << 16 };

/* Distances of standard brotli reach 2^26 bytes back; whatever needs more gets a large window. */
static const size_t STANDARD_REACH = ((size_t)1 << 26) - (1 << 16);

static void set(BrotliEncoderState *state, BrotliEncoderParameter parameter, uint32_t value) {
    if (!BrotliEncoderSetParameter(state, parameter, value)) fail("parameter refused", "brotli");
}

/* The smallest window in which all of the new content can be referred to. */
static void choose_window(BrotliEncoderState *state, size_t old_size, size_t new_size) {
    uint32_t bits = 16;
    while (bits < BROTLI_LARGE_MAX_WINDOW_BITS && ((size_t)1 << bits) - 16 < new_size) bits++;
    int large = bits > BROTLI_MAX_WINDOW_BITS || old_size + new_size > STANDARD_REACH;
    set(state, BROTLI_PARAM_LARGE_WINDOW, large ? 1 : 0);
    set(state, BROTLI_PARAM_LGWIN, bits);
}

static void encode(const char *old_path, const char *new_path, const char *patch_path) {
    Buffer old = read_file(old_path), new = read_file(new_path);
    BrotliEncoderState *state = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    if (!state) exit(EXIT_NO_MEMORY);
    set(state, BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY);
    set(state, BROTLI_PARAM_SIZE_HINT, new.size > UINT32_MAX ? UINT32_MAX : (uint32_t)new.size);
    choose_window(state, old.size, new.size);
    BrotliEncoderPreparedDictionary *dictionary = BrotliEncoderPrepareDictionary(
        BROTLI_SHARED_DICTIONARY_RAW, old.size, old.bytes, BROTLI_MAX_QUALITY, NULL, NULL, NULL);
    if (!dictionary) exit(EXIT_NO_MEMORY);
    if (!BrotliEncoderAttachPreparedDictionary(state, dictionary)) fail("refused", old_path);

    FILE *patch = create_file(patch_path);
    static uint8_t chunk[CHUNK];
    const uint8_t *input = new.bytes;
    size_t left = new.size;
    while (!BrotliEncoderIsFinished(state)) {
        uint8_t *output = chunk;
        size_t room = CHUNK;
        if (!BrotliEncoderCompressStream(state, BROTLI_OPERATION_FINISH, &left, &input, &room,
                                         &output, NULL)) {
            fputs("brotli: not enough memory\n", stderr); /* the only reason it can have here */
            exit(EXIT_NO_MEMORY);
        }
        write_bytes(patch, chunk, CHUNK - room, patch_path);
    }
    close_file(patch, patch_path);
}

static void decode(const char *old_path, const char *patch_path, const char *new_path) {
    Buffer old = read_file(old_path), patch = read_file(patch_path);
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!state) exit(EXIT_NO_MEMORY);
    BrotliDecoderSetParameter(state, BROTLI_DECODER_PARAM_LARGE_WINDOW, 1);
    if (!BrotliDecoderAttachDictionary(state, BROTLI_SHARED_DICTIONARY_RAW, old.size, old.bytes))
        fail("refused", old_path);

    FILE *new = create_file(new_path);
    static uint8_t chunk[CHUNK];
    const uint8_t *input = patch.bytes;
    size_t left = patch.size;
    BrotliDecoderResult result;
    do {
        uint8_t *output = chunk;
        size_t room = CHUNK;
        result = BrotliDecoderDecompressStream(state, &left, &input, &room, &output, NULL);
        write_bytes(new, chunk, CHUNK - room, new_path);
    } while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT);
    if (result != BROTLI_DECODER_RESULT_SUCCESS || left != 0) fail("cannot be decoded", patch_path);
    close_file(new, new_path);
}

int main(int count, char **arguments) {
    if (count != 5 || (strcmp(arguments[1], "e") && strcmp(arguments[1], "d"))) return EXIT_USAGE;
    (arguments[1][0] == 'e' ? encode : decode)(arguments[2], arguments[3], arguments[4]);
    return 0;
}
