#include "sha256.h"

#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t word, int count) { return word >> count | word << (32 - count); }

static void add_block(uint32_t *state, const uint8_t *bytes) {
    uint32_t words[64];
    for (int index = 0; index < 16; index++)
        words[index] = (uint32_t)bytes[4 * index] << 24 | (uint32_t)bytes[4 * index + 1] << 16
            | (uint32_t)bytes[4 * index + 2] << 8 | bytes[4 * index + 3];
    for (int index = 16; index < 64; index++) {
        uint32_t one = words[index - 15], two = words[index - 2];
        words[index] = words[index - 16] + (turned(one, 7) ^ turned(one, 18) ^ one >> 3)
            + words[index - 7] + (turned(two, 17) ^ turned(two, 19) ^ two >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int index = 0; index < 64; index++) {
        uint32_t first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g))
            + constants[index] + words[index];
        uint32_t second =
            (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void fuzz_sha256_begin(fuzz_sha256 *hash) {
    static const uint32_t start[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(hash->state, start, sizeof start);
    hash->count = 0;
}

void fuzz_sha256_add(fuzz_sha256 *hash, const uint8_t *bytes, size_t count) {
    size_t used = hash->count % 64;
    hash->count += count;
    if (used) {
        size_t taken = count < 64 - used ? count : 64 - used;
        memcpy(hash->block + used, bytes, taken);
        if (used + taken < 64) return;
        add_block(hash->state, hash->block);
        bytes += taken, count -= taken;
    }
    for (; count >= 64; bytes += 64, count -= 64) add_block(hash->state, bytes);
    if (count) memcpy(hash->block, bytes, count);
}

void fuzz_sha256_end(fuzz_sha256 *hash, uint8_t *digest) {
    uint64_t bits = hash->count * 8;
    uint8_t padding[72] = {0x80};
    size_t zeros = (119 - hash->count % 64) % 64;
    for (int index = 0; index < 8; index++) padding[1 + zeros + index] = (uint8_t)(bits >> (56 - 8 * index));
    fuzz_sha256_add(hash, padding, zeros + 9);
    for (int index = 0; index < 32; index++)
        digest[index] = (uint8_t)(hash->state[index / 4] >> (24 - 8 * (index % 4)));
}
