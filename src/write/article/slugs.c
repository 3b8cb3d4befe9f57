#include "write/article/slugs.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/fnv.h"
#include "base/utf8.h"

/* An entry of a hash table with open addressing; id: NULL for a free one. */
struct slug {
    char *id;
    unsigned next; /* the number that the next heading of the same words gets */
};

static struct slug *slug_place(const struct slugs *slugs, const char *id)
{
    size_t at = slugs->cap ? (size_t) fnv_text(FNV_START, id) & (slugs->cap - 1) : 0;

    if (slugs->cap == 0)
        return NULL;
    while (slugs->table[at].id && strcmp(slugs->table[at].id, id) != 0)
        at = (at + 1) & (slugs->cap - 1);
    return &slugs->table[at];
}

static bool grow(struct slugs *slugs)
{
    struct slugs wider = { .cap = slugs->cap ? 2 * slugs->cap : 64, .n = slugs->n };

    wider.table = calloc(wider.cap, sizeof *wider.table);
    if (!wider.table)
        return false;
    for (size_t i = 0; i < slugs->cap; i++)
        if (slugs->table[i].id)
            *slug_place(&wider, slugs->table[i].id) = slugs->table[i];
    free(slugs->table);
    *slugs = wider;
    return true;
}

/* Letters and digits stay, in lower case; blanks become hyphens. */
static void put_words(struct buf *out, const char *text, size_t n)
{
    for (size_t at = 0; at < n;) {
        uint32_t c = utf8_next(text, n, &at);
        utf8proc_category_t category = utf8proc_category((utf8proc_int32_t) c);

        if (c == ' ' || c == '\n')
            buf_putc(out, '-');
        else if (c == '-' || c == '_' ||
                 (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO))
            utf8_put((uint32_t) utf8proc_tolower((utf8proc_int32_t) c), out);
    }
}

const char *slugs_add(struct slugs *slugs, const char *heading, size_t n)
{
    AUTO_BUF struct buf id = BUF_EMPTY;
    struct slug *first, *free_place;
    size_t base;

    put_words(&id, heading, n);
    if (id.len == 0)
        buf_puts(&id, "section");
    base = id.len;
    if (2 * (slugs->n + 2) > slugs->cap && !grow(slugs))
        return NULL;
    first = free_place = slug_place(slugs, buf_text(&id));
    while (free_place->id) {
        id.len = base;
        buf_printf(&id, "-%u", ++first->next);
        free_place = slug_place(slugs, buf_text(&id));
    }
    free_place->id = buf_take(&id);
    slugs->n += free_place->id != NULL;
    return free_place->id;
}

bool slugs_has(const struct slugs *slugs, const char *id)
{
    const struct slug *found = slug_place(slugs, id);

    return found && found->id;
}

void slugs_free(struct slugs *slugs)
{
    for (size_t i = 0; i < slugs->cap; i++)
        free(slugs->table[i].id);
    free(slugs->table);
    *slugs = (struct slugs){ 0 };
}
