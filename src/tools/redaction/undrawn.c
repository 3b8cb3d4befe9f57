#include "tools/redaction/undrawn.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "compress/usage/walk_page.h"
#include "engine/page_search/hit_list.h"
#include "engine/redact/redact_orphan.h"
#include "engine/redact/redact_page.h"

struct undrawn {
    struct pdf_doc *doc;
    struct redact_edit reader;
    struct search search;
    struct hit_list list;
    struct usage usage;
    bool walked;          /* `usage` is known */
    struct idmap pressed; /* appearances that are not the usual one */
    struct plain_source source;
    uint32_t *codes;
    size_t n, cap;
    bool any; /* the text that is being searched has one of the texts */
    bool adding;
    struct err *err;
    int done;
};

static void ignore_progress(void *arg, double fraction)
{
    (void) arg;
    (void) fraction;
}

static void found(void *arg, const struct search_term *term, size_t begin, size_t end)
{
    struct undrawn *u = arg;
    const struct hit_place place = {
        .kind = "undrawn", .begin = begin, .end = end, .hyphens = term->hyphens
    };

    u->any = true;
    if (u->adding && u->done == 0)
        u->done = hit_list_add(&u->list, &u->source, &place, u->err);
}

static int search_text(struct undrawn *u, const struct buf *text, bool adding, struct err *err)
{
    u->n = 0;
    for (size_t at = 0; at < text->len;) {
        uint32_t code = utf8_next(text->data, text->len, &at);

        if (!LIST_ROOM(u->codes, u->n, u->cap))
            return pdf_doc_no_memory(err);
        u->codes[u->n++] = code;
    }
    u->source = (struct plain_source){ .codes = u->codes, .n = u->n };
    u->adding = adding;
    u->any = false;
    if (search_source(&u->search, &u->source, found, u, err) < 0)
        return -1;
    return u->done;
}

static bool note_pressed(struct undrawn *u, struct obj appearance)
{
    return !obj_is_stream(appearance) || !obj_id(appearance) ||
           idmap_add(&u->pressed, obj_id(appearance), 0);
}

/* Notes the appearances /R and /D of the annotations of a page. */
static bool note_annotations(struct undrawn *u, struct obj page)
{
    static const char *const kinds[] = { "/R", "/D" };
    AUTO_OBJ struct obj list = obj_key(page, "/Annots");
    bool ok = true;

    for (int i = 0; i < obj_count(list) && ok; i++) {
        AUTO_OBJ struct obj annotation = obj_item(list, i);
        AUTO_OBJ struct obj all = obj_key(annotation, "/AP");

        for (size_t k = 0; k < COUNT(kinds) && ok; k++) {
            AUTO_OBJ struct obj appearance = obj_key(all, kinds[k]);
            AUTO_KEYS char **states = obj_is_dict(appearance) ? obj_keys(appearance) : NULL;

            ok = note_pressed(u, appearance);
            for (size_t s = 0; states && states[s] && ok; s++) {
                AUTO_OBJ struct obj state = obj_key(appearance, states[s]);

                ok = note_pressed(u, state);
            }
        }
    }
    return ok;
}

/* Whether no page shows a content stream, which is found out when it first matters. */
static int is_undrawn(struct undrawn *u, struct obj object, bool *is, struct err *err)
{
    if (!u->walked && walk_pages(&u->usage, u->doc, ignore_progress, NULL, err) < 0)
        return -1;
    for (size_t i = 0; i < u->doc->n_pages && !u->walked; i++) {
        AUTO_OBJ struct obj shown = obj_page(u->doc->q, i);

        if (!note_annotations(u, shown))
            return pdf_doc_no_memory(err);
    }
    u->walked = true;
    *is = !(usage_scale(&u->usage, obj_id(object)) > 0) ||
          idmap_find(&u->pressed, obj_id(object)) != IDMAP_NONE;
    return 0;
}

static int search_object(struct undrawn *u, struct obj object, bool page, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    bool undrawn = page;

    u->reader.read = &text;
    if ((page ? redact_page_read(&u->reader, object, err)
              : redact_page_read_form(&u->reader, object, err)) < 0 ||
        search_text(u, &text, false, err) < 0)
        return -1;
    if (!u->any)
        return 0;
    if (!page && is_undrawn(u, object, &undrawn, err) < 0)
        return -1;
    return undrawn ? search_text(u, &text, true, err) : 0;
}

static int search_orphans(struct undrawn *u, struct err *err)
{
    struct redact_orphans orphans = { 0 };
    int done = redact_orphan_list(&orphans, u->doc, err);

    for (size_t i = 0; i < orphans.n && done == 0; i++) {
        AUTO_OBJ struct obj page = obj_by_number(u->doc->q, orphans.numbers[i]);

        done = search_object(u, page, true, err);
    }
    redact_orphan_free(&orphans);
    return done;
}

static int search_forms(struct undrawn *u, struct err *err)
{
    int next = pdf_doc_next_number(u->doc);

    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(u->doc->q, i);
        AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : OBJ_NONE;

        if (dict.q && (obj_key_is(dict, "/Subtype", "/Form") || obj_has(dict, "/PatternType")) &&
            search_object(u, value, false, err) < 0)
            return -1;
    }
    return 0;
}

int undrawn_search(struct pdf_doc *doc, struct mupdf_document *shown,
                   const struct search_wish *wish, struct redact_hits *hits, struct err *err)
{
    struct undrawn u = { .doc = doc, .list = { .hits = hits }, .err = err };
    int done;

    u.reader.doc = doc;
    u.reader.fonts.ctx = shown->ctx;
    u.reader.fonts.pdf = shown->pdf;
    done = search_open(&u.search, wish, err);
    if (done == 0 && u.search.n)
        done = search_forms(&u, err);
    if (done == 0 && u.search.n)
        done = search_orphans(&u, err);
    search_close(&u.search);
    hit_list_free(&u.list);
    usage_free(&u.usage);
    idmap_free(&u.pressed);
    redact_page_end(&u.reader);
    free(u.codes);
    return done;
}
