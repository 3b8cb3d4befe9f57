#include "compress/fonts/subsets.h"

#include <stdlib.h>

#include "base/scope.h"
#include "font/subset.h"
#include "font/unite.h"
#include "syntax/inflate/flate.h"

#define MOST_GROUPS 8 /* different programs under one name, which a program is tried with */

/* Programs that fit together. */
struct group {
    struct unite *font;
    size_t n;     /* programs, */
    size_t bytes; /* that take these together in the document */
};

/* The programs of one name. */
struct subsets {
    struct fonts *fonts;
    struct pdf_doc *doc;
    struct equal_objects *objects;
    struct node_values *values;
    const size_t *needs; /* indexes in fonts->needs, */
    size_t *group_of;    /* and of each its group, or MOST_GROUPS */
    size_t n;
    struct group groups[MOST_GROUPS];
    size_t n_groups;
};

struct named {
    int64_t name;
    size_t need;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->need < y->need ? -1 : x->need > y->need;
}

static void sort_program(struct subsets *s, size_t i)
{
    const struct font_need *need = &s->fonts->needs[s->needs[i]];
    uint32_t node = equal_objects_first(s->objects, need->id);
    long long length = s->objects->graph->nodes[node].length;
    AUTO_OBJ struct obj program = graph_handle(s->objects->graph, s->doc, node);
    AUTO_FREE unsigned char *data = NULL;
    struct unite_part part = { .keep = need->keep,
                               .codes = need->cmap ? need->codes : NULL,
                               .names = need->names };
    size_t g = 0;

    s->group_of[i] = MOST_GROUPS;
    if (obj_has(program, "/Subtype") || (need->cmap && !need->codes) ||
        !obj_stream_data(program, &data, &part.n))
        return;
    part.data = data;
    while (g < s->n_groups && !unite_add(s->groups[g].font, &part))
        g++;
    if (g == MOST_GROUPS)
        return;
    if (g == s->n_groups) {
        s->groups[g] = (struct group){ .font = unite_open(&part) };
        if (!s->groups[g].font)
            return;
        s->n_groups++;
    }
    s->group_of[i] = g;
    s->groups[g].n++;
    s->groups[g].bytes += length > 0 ? (size_t) length : 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the type of a callback. */
static bool refuse(void *arg, int id, int gen, const char *name, uint32_t *target)
{
    (void) arg, (void) id, (void) gen, (void) name, (void) target;
    return false;
}

/* False if the stream cannot be replaced, as its dictionary refers to something. */
static bool replace_program(struct subsets *s, uint32_t node, const struct buf *packed, size_t n)
{
    AUTO_OBJ struct obj stream = graph_handle(s->objects->graph, s->doc, node);
    AUTO_OBJ struct obj dict = obj_dict(stream);
    struct compact value = { 0 };

    if (s->objects->graph->nodes[node].value.n_refs > 0)
        return false;
    obj_set_name(stream, "/Filter", "/FlateDecode");
    obj_remove(stream, "/DecodeParms");
    obj_set_int(stream, "/Length1", (long long) n);
    obj_set_stream(stream, packed->data, packed->len);
    obj_remove(stream, "/Length");
    if (!compact_read(&value, obj_text(dict), refuse, NULL)) {
        compact_free(&value);
        return false;
    }
    return node_values_set(s->values, node, &value);
}

static void add_need(struct font_need *need, const struct font_need *more)
{
    for (size_t i = 0; i < SUBSET_GLYPHS / 64; i++)
        need->keep[i] |= more->keep[i];
    need->cmap |= more->cmap;
    need->names |= more->names;
}

/* All of the group are equal to the first now. */
static void become_one(struct subsets *s, size_t group)
{
    size_t first = SIZE_MAX;
    uint32_t same = GRAPH_NONE;

    for (size_t i = 0; i < s->n; i++) {
        struct font_need *need = &s->fonts->needs[s->needs[i]];
        uint32_t node = equal_objects_first(s->objects, need->id);

        if (s->group_of[i] != group)
            continue;
        if (first == SIZE_MAX) {
            first = s->needs[i];
            same = node;
            continue;
        }
        add_need(&s->fonts->needs[first], need);
        idmap_set(&s->fonts->index, need->id, first);
        equal_objects_join(s->objects, node, same);
    }
}

static uint32_t first_of(const struct subsets *s, size_t group)
{
    size_t i = 0;

    while (s->group_of[i] != group)
        i++;
    return equal_objects_first(s->objects, s->fonts->needs[s->needs[i]].id);
}

static void write_group(struct subsets *s, size_t group)
{
    const struct group *g = &s->groups[group];
    AUTO_BUF struct buf font = BUF_EMPTY, packed = BUF_EMPTY;

    if (g->n > 1 && unite_write(g->font, &font) &&
        flate_pack(font.data, font.len, FLATE_QUICK, &packed) && packed.len < g->bytes &&
        replace_program(s, first_of(s, group), &packed, font.len))
        become_one(s, group);
}

static void unite_named(struct subsets *s)
{
    s->n_groups = 0;
    for (size_t i = 0; i < s->n; i++)
        sort_program(s, i);
    for (size_t g = 0; g < s->n_groups; g++) {
        write_group(s, g);
        unite_close(&s->groups[g].font);
    }
}

int subsets_unite(struct fonts *fonts, struct pdf_doc *doc, struct equal_objects *objects,
                  struct node_values *values, struct err *err)
{
    AUTO_FREE struct named *named = calloc(fonts->n + 1, sizeof *named);
    AUTO_FREE size_t *needs = calloc(fonts->n + 1, sizeof *needs);
    AUTO_FREE size_t *group_of = calloc(fonts->n + 1, sizeof *group_of);
    struct subsets s = { .fonts = fonts, .doc = doc, .objects = objects, .values = values };
    size_t n = 0, end;

    if (!named || !needs || !group_of)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < fonts->n; i++)
        if (!fonts->needs[i].whole && !fonts->needs[i].form && fonts->needs[i].name)
            named[n++] = (struct named){ fonts->needs[i].name, i };
    qsort(named, n, sizeof *named, by_name);
    for (size_t i = 0; i < n; i++)
        needs[i] = named[i].need;
    for (size_t start = 0; start < n; start = end) {
        for (end = start; end < n && named[end].name == named[start].name;)
            end++;
        s.needs = needs + start;
        s.group_of = group_of + start;
        s.n = end - start;
        if (s.n > 1)
            unite_named(&s);
    }
    equal_objects_shorten(objects);
    return 0;
}
