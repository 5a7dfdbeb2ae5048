/* Finds, for each new file, the old files that share most content with it: the base for a patch.
 *
 *     similar OLD-LIST NEW-LIST       (files of paths, each ended by NUL)
 *
 * prints lines "new old shared", up to 8 for a new file, best first; the numbers are positions in the
 * lists. A file's content is the set of the hashes of all its 16-byte strings of which 1 in 16 is kept,
 * the same ones in every file; "shared" counts members of both sets. What occurs in more than 64 old
 * files (licence headers, module preambles) tells nothing and is left out.
 */
#include "peer.h"

enum { WINDOW = 16, KEEP_ONE_IN = 16, COMMON = 64, BEST = 8 };

typedef struct {
    uint64_t hash;
    uint32_t file;
} Mark;

typedef struct {
    Mark *marks;
    size_t count, room;
} Marks;

typedef struct {
    char **paths;
    uint32_t count;
} List;

static List read_list(const char *path) {
    Buffer buffer = read_file(path);
    List list = {NULL, 0};
    for (size_t i = 0; i < buffer.size; i++) list.count += buffer.bytes[i] == 0;
    list.paths = allocate((list.count + 1) * sizeof *list.paths);
    char *next = (char *)buffer.bytes;
    for (uint32_t i = 0; i < list.count; i++, next += strlen(next) + 1) list.paths[i] = next;
    return list;
}

static void append(Marks *marks, Mark mark) {
    if (marks->count == marks->room) {
        marks->room = marks->room ? marks->room * 2 : 1 << 16;
        Mark *larger = realloc(marks->marks, marks->room * sizeof *larger);
        if (!larger) exit(EXIT_NO_MEMORY);
        marks->marks = larger;
    }
    marks->marks[marks->count++] = mark;
}

static int by_hash(const void *a, const void *b) {
    const Mark *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static uint64_t mix(uint64_t x) { /* the finaliser of MurmurHash3 */
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    return x ^ (x >> 33);
}

/* A polynomial hash that rolls over the content; its low bits after mixing decide what is kept. */
static void mark_file(Marks *marks, const char *path, uint32_t number) {
    static const uint64_t BASE = 0x9e3779b97f4a7c15u;
    Buffer content = read_file(path);
    uint64_t leaving = 1, hash = 0;
    for (int i = 0; i < WINDOW; i++) leaving *= BASE;
    for (size_t i = 0; i < content.size; i++) {
        hash = hash * BASE + content.bytes[i] + 1;
        if (i >= WINDOW) hash -= leaving * (content.bytes[i - WINDOW] + 1u);
        uint64_t mixed = mix(hash);
        if (i >= WINDOW - 1 && mixed % KEEP_ONE_IN == 0) append(marks, (Mark){mixed, number});
    }
    free(content.bytes);
}

static void sort_distinct(Marks *marks) {
    if (marks->count == 0) return;
    qsort(marks->marks, marks->count, sizeof *marks->marks, by_hash);
    size_t kept = 1;
    for (size_t i = 1; i < marks->count; i++)
        if (by_hash(&marks->marks[i], &marks->marks[kept - 1]) != 0) marks->marks[kept++] = marks->marks[i];
    marks->count = kept;
}

static size_t first_at_least(const Marks *marks, uint64_t hash) {
    size_t low = 0, high = marks->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (marks->marks[middle].hash < hash) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void print_best(uint32_t number, uint32_t *shared, uint32_t count) {
    for (int rank = 0; rank < BEST; rank++) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < count; i++)
            if (shared[i] > shared[best]) best = i; /* equal: the first of the list */
        if (shared[best] == 0) return;
        printf("%u %u %u\n", number, best, shared[best]);
        shared[best] = 0;
    }
}

int main(int count, char **arguments) {
    if (count != 3) return EXIT_USAGE;
    List old = read_list(arguments[1]), new = read_list(arguments[2]);
    if (old.count == 0) return 0;
    Marks index = {NULL, 0, 0};
    for (uint32_t i = 0; i < old.count; i++) mark_file(&index, old.paths[i], i);
    sort_distinct(&index);
    uint32_t *shared = allocate(old.count * sizeof *shared);
    for (uint32_t number = 0; number < new.count; number++) {
        Marks wanted = {NULL, 0, 0};
        mark_file(&wanted, new.paths[number], 0);
        sort_distinct(&wanted);
        memset(shared, 0, old.count * sizeof *shared);
        for (size_t i = 0; i < wanted.count; i++) {
            size_t begin = first_at_least(&index, wanted.marks[i].hash), end = begin;
            while (end < index.count && index.marks[end].hash == wanted.marks[i].hash) end++;
            if (end - begin > COMMON) continue;
            for (size_t at = begin; at < end; at++) shared[index.marks[at].file]++;
        }
        print_best(number, shared, old.count);
        free(wanted.marks);
    }
    return 0;
}
