#ifndef CRULEPAGES_H
#define CRULEPAGES_H

#include <stddef.h>

/// The embedded Markdown page of a rule of 'packtool check', by the rule's id; not NUL-terminated.
///
/// NULL if there is none.
const unsigned char *_Nullable crulepages_find(const char *_Nonnull id, size_t *_Nonnull size);

#endif
