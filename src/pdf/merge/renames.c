#include "pdf/merge/renames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void renames_put(struct renames *renames, const void *from, size_t n, const struct buf *to)
{
    if (renames->n == renames->cap) {
        size_t cap = renames->cap ? renames->cap * 2 : 64;
        struct buf *more = reallocarray(renames->names, cap, sizeof *more);
        if (!more) {
            renames->map.failed = true;
            return;
        }
        renames->names = more;
        renames->cap = cap;
    }
    struct buf *name = &renames->names[renames->n];
    *name = BUF_EMPTY;
    buf_put(name, buf_text(to), to->len);
    if (name->failed || to->failed)
        renames->map.failed = true;
    key_map_put(&renames->map, from, n, (int64_t) renames->n++);
}

const struct buf *renames_find(const struct renames *renames, const void *from, size_t n)
{
    int64_t at;

    return key_map_find(&renames->map, from, n, &at) ? &renames->names[at] : NULL;
}

bool renames_failed(const struct renames *renames)
{
    return renames->map.failed;
}

void renames_free(struct renames *renames)
{
    for (size_t i = 0; i < renames->n; i++)
        buf_free(&renames->names[i]);
    free(renames->names);
    key_map_free(&renames->map);
    *renames = (struct renames){ 0 };
}

/* Appends "_2", in UTF-16BE to a text that begins with the byte order mark. */
static void put_suffix(struct buf *out, bool wide, size_t number)
{
    char text[24];

    snprintf(text, sizeof text, "_%zu", number);
    for (const char *p = text; *p; p++) {
        if (wide)
            buf_putc(out, 0);
        buf_putc(out, *p);
    }
}

void renames_unique(const struct key_map *taken, const struct key_map *also, const void *name,
                    size_t n, size_t number, struct buf *out)
{
    bool wide = n >= 2 && memcmp(name, "\xfe\xff", 2) == 0;

    buf_put(out, name, n);
    while (!out->failed && (key_map_has(taken, buf_text(out), out->len) ||
                            (also && key_map_has(also, buf_text(out), out->len)))) {
        out->len = n;
        put_suffix(out, wide, number++);
    }
}
