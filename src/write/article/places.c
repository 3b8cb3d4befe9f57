#include "write/article/places.h"

#include <stdio.h>

#include "base/scope.h"

void places_add(struct places *places, int line, const char *first)
{
    if (places->n == 0)
        snprintf(places->first, sizeof places->first, "%s", first);
    if (places->n > 0 && line == places->last)
        return;
    places->last = line;
    if (places->n < COUNT(places->lines))
        places->lines[places->n] = line;
    places->n++;
}

void places_write(const struct places *places, struct buf *out)
{
    size_t shown = places->n < COUNT(places->lines) ? places->n : COUNT(places->lines);

    buf_puts(out, places->n == 1 ? "line " : "lines ");
    for (size_t i = 0; i < shown; i++)
        buf_printf(out, "%s%d",
                   i == 0               ? ""
                   : i + 1 == places->n ? " and "
                                        : ", ",
                   places->lines[i]);
    if (places->n > shown)
        buf_printf(out, " and %zu more", places->n - shown);
}
