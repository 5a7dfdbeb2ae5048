/* What the C helpers share: whole files in memory, and one exit status for "not enough memory". */
#ifndef PEER_H
#define PEER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64, EXIT_NO_MEMORY = 75 }; /* 75: deltas.py leaves the peer out */

typedef struct {
    uint8_t *bytes;
    size_t size;
} Buffer;

static void fail(const char *what, const char *name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static void *allocate(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "not enough memory for %zu bytes\n", size);
        exit(EXIT_NO_MEMORY);
    }
    return memory;
}

static inline Buffer read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) fail("cannot be opened", path);
    long size = ftell(file);
    if (size < 0) fail("has no size", path);
    rewind(file);
    Buffer buffer = {allocate((size_t)size), (size_t)size};
    if (fread(buffer.bytes, 1, buffer.size, file) != buffer.size) fail("cannot be read", path);
    fclose(file);
    return buffer;
}

static inline FILE *create_file(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) fail("cannot be created", path);
    return file;
}

static inline void write_bytes(FILE *file, const uint8_t *bytes, size_t size, const char *path) {
    if (fwrite(bytes, 1, size, file) != size) fail("cannot be written", path);
}

static inline void close_file(FILE *file, const char *path) {
    if (fclose(file) != 0) fail("cannot be written", path);
}

#endif
