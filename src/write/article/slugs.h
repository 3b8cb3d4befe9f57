/* slugs: ids of headings, as GitHub makes them: "What's new?" is "whats-new". */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct slugs {
    struct slug *table;
    size_t n, cap;
};

/* Makes the id of a heading, which no other has: borrowed, NULL without memory. */
const char *slugs_add(struct slugs *slugs, const char *heading, size_t n);
bool slugs_has(const struct slugs *slugs, const char *id);
void slugs_free(struct slugs *slugs);
