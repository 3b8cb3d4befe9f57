#include "compress/compress/pack_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/scope.h"
#include "syntax/pdf/lex.h"

struct place {
    size_t shape; /* counted in the order of their first objects */
    uint32_t index;
};

/* A digest of the names in an object that lie in nothing else: its keys, and values as its type. */
static uint64_t shape_of(const struct buf *text)
{
    const unsigned char *at = (const unsigned char *) buf_text(text);
    struct lex lex = { at, at + text->len };
    struct lex_token token;
    uint64_t hash = FNV_START;
    int depth = 0;

    while (lex_next(&lex, &token)) {
        depth += token.kind == LEX_DICT_BEGIN ? 2 : token.kind == LEX_ARRAY_BEGIN;
        depth -= token.kind == LEX_DICT_END ? 2 : token.kind == LEX_ARRAY_END;
        for (size_t i = 0; token.kind == LEX_NAME && depth <= 2 && i < token.n; i++)
            hash = fnv_mix(hash, token.at[i]);
    }
    return hash | 1; /* idmap has no key 0 */
}

static int by_shape(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool sort_places(const struct equal_objects *objects, const struct node_values *values,
                        struct place *places, size_t *n)
{
    AUTO_IDMAP struct idmap shapes = { 0 };
    size_t n_shapes = 0;

    for (uint32_t i = 0; i < objects->graph->n; i++) {
        int64_t shape;
        size_t found;

        if (!equal_objects_has(objects, i) || objects->graph->nodes[i].stream)
            continue;
        shape = (int64_t) shape_of(&node_values_of(values, i)->text);
        found = idmap_find(&shapes, shape);
        if (found == IDMAP_NONE && !idmap_add(&shapes, shape, found = n_shapes++))
            return false;
        places[(*n)++] = (struct place){ found, i };
    }
    qsort(places, *n, sizeof *places, by_shape);
    return true;
}

struct packed *pack_order(const struct equal_objects *objects, const struct node_values *values,
                          size_t *n)
{
    AUTO_FREE struct place *places = calloc(objects->graph->n + 1, sizeof *places);
    struct packed *order = calloc(objects->graph->n + 1, sizeof *order);

    *n = 0;
    if (!places || !order || !sort_places(objects, values, places, n)) {
        free(order);
        return NULL;
    }
    for (size_t i = 0; i < *n; i++)
        order[i] =
            (struct packed){ places[i].index, node_values_of(values, places[i].index)->text.len };
    return order;
}
