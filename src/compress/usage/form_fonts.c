#include "compress/usage/form_fonts.h"

#include <string.h>

#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"
#include "syntax/pdf/lex.h"

#define MAX_DEPTH 32 /* fields within fields */

struct reader {
    struct buf *named;   /* default appearances, a line each */
    struct idmap seen;   /* fields, by id */
    bool any, no_memory; /* any: what fonts are used is not said by them alone */
};

static void read_appearance(struct reader *r, struct obj holder)
{
    AUTO_OBJ struct obj appearance = obj_key(holder, "/DA");
    size_t n = 0;
    const char *bytes = obj_is_string(appearance) ? obj_bytes(appearance, &n) : NULL;

    r->any |= obj_has(holder, "/RV") || obj_has(holder, "/DS") || obj_has(holder, "/AA");
    if (!bytes)
        return;
    r->any |= memchr(bytes, '#', n) || memchr(bytes, '\0', n); /* names in another form */
    buf_put(r->named, bytes, n);
    buf_putc(r->named, '\n');
    r->no_memory |= r->named->failed;
}

static void read_fields(struct reader *r, struct obj fields, int depth)
{
    r->any |= depth == 0;
    for (int i = 0; depth > 0 && i < obj_count(fields); i++) {
        AUTO_OBJ struct obj field = obj_item(fields, i);
        AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
        int64_t id = obj_is_indirect(field) ? obj_id(field) : 0;

        if (id && idmap_find(&r->seen, id) != IDMAP_NONE)
            continue;
        r->no_memory |= id && !idmap_add(&r->seen, id, 0);
        read_appearance(r, field);
        if (obj_count(kids) > 0)
            read_fields(r, kids, depth - 1);
    }
}

bool form_fonts_read(struct form_fonts *fonts, struct pdf_doc *doc)
{
    struct reader r = { .named = &fonts->appearances };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj fields = obj_key(form, "/Fields");

    r.any = obj_has(form, "/XFA") || obj_has(names, "/JavaScript");
    read_appearance(&r, form);
    read_fields(&r, fields, MAX_DEPTH);
    for (size_t i = 0; i < doc->n_pages && !r.any; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

        read_fields(&r, annots, 1 + MAX_DEPTH);
    }
    idmap_free(&r.seen);
    fonts->known = !r.any;
    return !r.no_memory;
}

void form_fonts_free(struct form_fonts *fonts)
{
    buf_free(&fonts->appearances);
    *fonts = (struct form_fonts){ 0 };
}

bool form_fonts_may_set(const struct form_fonts *fonts, const char *name)
{
    const char *text = buf_text(&fonts->appearances);
    size_t n = strlen(name);

    for (const char *at = text; fonts->known && (at = strstr(at, name)); at += n)
        if (!lex_is_regular(at[n]))
            return true;
    return !fonts->known;
}
