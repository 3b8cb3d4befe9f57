#include "recovery/salvage/skeleton.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/objects/pages.h"
#include "recovery/objects/rebuild.h"
#include "syntax/pdf/syntax.h"

/* Marks the numbers of what a text in clean form refers to. */
static void mark_refs(struct text text, unsigned char *marks)
{
    static const char ref[] = " 0 R";
    const char *at = text.at, *end = text.at + text.n;

    while (at && (at = memmem(at, (size_t) (end - at), ref, sizeof ref - 1)) != NULL) {
        const char *digits = at;
        uint64_t number = 0;

        while (digits > text.at && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        for (; digits < at && number <= SYNTAX_NUMBER; digits++)
            number = number * 10 + (uint64_t) (*digits - '0');
        if (number <= SYNTAX_NUMBER)
            marks[number] = 1;
        at += sizeof ref - 1;
    }
}

/* Something for every reference that leads nowhere as yet: what reads the shell would drop it. */
static int add_placeholders(struct objects *objects, struct err *err)
{
    AUTO_FREE unsigned char *marks = calloc(SYNTAX_NUMBER + 1, 1);
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (!marks)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    for (size_t i = 0; i < objects->n; i++)
        if (!objects->list[i].dead)
            mark_refs(objects_text(objects, &objects->list[i]), marks);
    buf_puts(&text, "true");
    for (uint32_t number = 1; number <= SYNTAX_NUMBER; number++)
        if (marks[number] && !objects_find(objects, number) &&
            !rebuild_add(objects, &text, number, err))
            return -1;
    return 0;
}

int skeleton_write(struct objects *objects, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf page = BUF_EMPTY;
    AUTO_BUF struct buf tree = BUF_EMPTY;
    AUTO_BUF struct buf catalog = BUF_EMPTY;
    size_t own = objects->n;
    uint32_t tree_number, page_number;
    struct pages none = { 0 };
    int written = -1;

    if (add_placeholders(objects, err) < 0)
        return -1;
    tree_number = objects_new_number(objects);
    buf_printf(&page, "<</Type /Page /MediaBox [0 0 9 9 ] /Parent %u 0 R >>", tree_number);
    page_number = rebuild_add(objects, &page, 0, err);
    buf_printf(&tree, "<</Type /Pages /Kids [%u 0 R ] /Count 1 >>", page_number);
    buf_printf(&catalog, "<</Type /Catalog /Pages %u 0 R >>", tree_number);
    if (page_number && rebuild_add(objects, &tree, tree_number, err)) {
        none.catalog = rebuild_add(objects, &catalog, 0, err);
        if (none.catalog)
            written = rebuild_write(objects, &none, out, err);
    }
    for (size_t i = own; i < objects->n; i++)
        objects_bury(objects, &objects->list[i]);
    objects->free_from = 0; /* object streams may hold objects with these numbers */
    return written;
}
