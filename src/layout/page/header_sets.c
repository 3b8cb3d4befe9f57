#include "layout/page/header_sets.h"

const struct header_set *header_sets_find(const struct header_sets *sets, size_t set, int side)
{
    if (set >= sets->n)
        return NULL;
    for (size_t i = set + 1; i-- > 0;)
        if (sets->items[i].there[side])
            return &sets->items[i];
    for (size_t i = set + 1; i < sets->n; i++)
        if (sets->items[i].there[side])
            return &sets->items[i];
    return &sets->items[set];
}
