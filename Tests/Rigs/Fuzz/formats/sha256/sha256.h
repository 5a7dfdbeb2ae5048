// SHA-256 (FIPS 180-4) for the fuzz targets, which are built without packages.
#ifndef FUZZ_SHA256_H
#define FUZZ_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[8];
    uint64_t count;
    uint8_t block[64];
} fuzz_sha256;

void fuzz_sha256_begin(fuzz_sha256 *hash);
void fuzz_sha256_add(fuzz_sha256 *hash, const uint8_t *bytes, size_t count);
/// Writes the 32 bytes of the digest; the state is used up.
void fuzz_sha256_end(fuzz_sha256 *hash, uint8_t *digest);

#endif
