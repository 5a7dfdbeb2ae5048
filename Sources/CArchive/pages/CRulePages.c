#include "CRulePages.h"

#include <string.h>

// Clang supports #embed in every version of C, and the compiler's dependency list includes the
// files.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The pages, each followed by a NUL.
static const unsigned char pages[] = {
#include "list.h"
};

const unsigned char *crulepages_find(const char *id, size_t *size) {
    size_t length = strlen(id);
    const unsigned char *end = pages + sizeof pages;
    for (const unsigned char *page = pages; page < end;) {
        const unsigned char *next = memchr(page, 0, (size_t)(end - page));
        if (next == NULL) return NULL;
        *size = (size_t)(next - page);
        // The first line is "# ID: TITLE".
        if (*size > length + 2 && memcmp(page, "# ", 2) == 0 && memcmp(page + 2, id, length) == 0
            && page[length + 2] == ':') {
            return page;
        }
        page = next + 1;
    }
    return NULL;
}
