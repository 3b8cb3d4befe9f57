#include "engine/mupdf_facts/outline_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define DEEPEST 32 /* levels; those below are left out */

struct reading_outline {
    struct outline_list *list;
    pdf_document *pdf;
    size_t n_pages;
    size_t steps; /* items that were visited, of a loop too */
};

/* Where an item leads: a page of the document and the height on it as one sees it, an address, or
 * nowhere. */
static void find_target(fz_context *ctx, const struct reading_outline *r, pdf_obj *item,
                        struct outline_entry *entry)
{
    pdf_obj *action = pdf_dict_get(ctx, item, PDF_NAME(A));
    pdf_obj *destination = pdf_dict_get(ctx, item, PDF_NAME(Dest));
    char *uri = destination ? pdf_parse_link_dest(ctx, r->pdf, destination)
                : action    ? pdf_parse_link_action(ctx, r->pdf, action, -1)
                            : NULL;
    float x = 0, y = NAN;
    int page;

    if (!uri)
        return;
    if (fz_is_external_link(ctx, uri)) {
        entry->uri = strdup(uri);
    } else {
        page = pdf_resolve_link(ctx, r->pdf, uri, &x, &y);
        if (page >= 0 && (size_t) page < r->n_pages) {
            entry->page = (size_t) page;
            entry->y = y;
        }
    }
    fz_free(ctx, uri);
}

/* An item whose target cannot be read leads nowhere. */
static void try_target(fz_context *ctx, const struct reading_outline *r, pdf_obj *item,
                       struct outline_entry *entry)
{
    fz_try(ctx)
    {
        find_target(ctx, r, item, entry);
    }
    fz_catch(ctx)
    {
        entry->page = OUTLINE_NOWHERE;
    }
}

/* False: no further item is read. */
static bool add_entry(fz_context *ctx, struct reading_outline *r, pdf_obj *item, int level)
{
    struct outline_list *list = r->list;
    struct outline_entry *entry;

    if (r->steps++ == OUTLINE_READER_ITEMS || !LIST_ROOM(list->items, list->n, list->cap)) {
        list->cut = true;
        return false;
    }
    entry = &list->items[list->n];
    *entry = (struct outline_entry){ .level = level, .page = OUTLINE_NOWHERE, .y = NAN };
    entry->title = strdup(pdf_to_text_string(ctx, pdf_dict_get(ctx, item, PDF_NAME(Title))));
    entry->open = pdf_dict_get_int(ctx, item, PDF_NAME(Count)) >= 0;
    list->n++;
    try_target(ctx, r, item, entry);
    return true;
}

/* Visits the items in order. Going up needs no /Parent: the way down is remembered. */
static void walk_items(fz_context *ctx, struct reading_outline *r, pdf_obj *item)
{
    pdf_obj *above[DEEPEST];
    int level = 0;

    while (item) {
        pdf_obj *first = pdf_dict_get(ctx, item, PDF_NAME(First));

        if (!pdf_is_dict(ctx, item) || !add_entry(ctx, r, item, level + 1))
            item = NULL;
        if (item && pdf_is_dict(ctx, first) && level + 1 < DEEPEST) {
            above[level++] = item;
            item = first;
            continue;
        }
        r->list->cut |= pdf_is_dict(ctx, first) && level + 1 == DEEPEST;
        item = item ? pdf_dict_get(ctx, item, PDF_NAME(Next)) : NULL;
        while (!pdf_is_dict(ctx, item) && level > 0 && r->steps < OUTLINE_READER_ITEMS)
            item = pdf_dict_get(ctx, above[--level], PDF_NAME(Next));
    }
}

struct outline_list outline_reader_read(fz_context *ctx, pdf_document *pdf, size_t n_pages)
{
    struct outline_list list = { 0 };
    struct reading_outline r = { .list = &list, .pdf = pdf, .n_pages = n_pages };

    fz_try(ctx)
    {
        pdf_obj *root = pdf_dict_get(ctx, pdf_trailer(ctx, pdf), PDF_NAME(Root));
        pdf_obj *outline = pdf_dict_get(ctx, root, PDF_NAME(Outlines));

        walk_items(ctx, &r, pdf_dict_get(ctx, outline, PDF_NAME(First)));
    }
    fz_catch(ctx)
    {
        list.cut = true;
    }
    return list;
}

void outline_reader_free(struct outline_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].title);
        free(list->items[i].uri);
    }
    free(list->items);
    *list = (struct outline_list){ 0 };
}
