#include "engine/page_search/other_strings.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"
#include "engine/mupdf/engine.h"
#include "engine/page_search/string_kind.h"
#include "pdf/redact/redact_disguise.h"

#define DEEPEST    64         /* direct objects within each other */
#define LONGEST    (64 << 20) /* bytes of a stream that is searched */
#define TRIM_EVERY 2000

struct walk {
    struct mupdf_document *doc;
    struct search *search;
    struct hit_list *hits;
    struct err *err;
    int done;
    bool *seen; /* by object number */
    int n_seen;
    uint32_t *pages; /* of annotations, by object number: from 1; 0: none */
    int *waiting;    /* numbers of objects that are still to be looked at */
    size_t n, cap;
    /* the string that is searched */
    uint32_t *codes;
    bool *line;
    size_t cap_codes;
    struct match { /* in the string */
        const struct search_term *term;
        size_t begin, end;
        bool hyphens; /* soft hyphens are hyphens */
    } * matches;
    size_t n_matches, cap_matches;
    struct string_place place;
    size_t n_not_text; /* streams that cannot be searched */
};

static void note_match(void *arg, const struct search_term *term, size_t begin, size_t end)
{
    struct walk *w = arg;

    if (w->done < 0)
        return;
    if (LIST_ROOM(w->matches, w->n_matches, w->cap_matches))
        w->matches[w->n_matches++] = (struct match){ term, begin, end, term->hyphens };
    else
        w->done = err_sys(w->err, "text");
}

static int compare_matches(const void *a, const void *b)
{
    const struct match *one = a, *other = b;

    if (one->begin != other->begin)
        return one->begin < other->begin ? -1 : 1;
    if (one->end != other->end)
        return one->end < other->end ? -1 : 1;
    return one->term < other->term ? -1 : one->term > other->term;
}

/* Adds what was found, in the order of the string, and once what several ways of reading found. */
static void add_matches(struct walk *w, const struct plain_source *source)
{
    struct match *m = w->matches;

    if (w->n_matches)
        qsort(m, w->n_matches, sizeof *m, compare_matches);
    for (size_t i = 0; i < w->n_matches && w->done == 0; i++) {
        const struct hit_place place = { .kind = w->place.kind,
                                         .page = w->place.page,
                                         .begin = m[i].begin,
                                         .end = m[i].end,
                                         .hyphens = m[i].hyphens };

        if (i == 0 || compare_matches(&m[i - 1], &m[i]) != 0)
            w->done = hit_list_add(w->hits, source, &place, w->err);
    }
}

/* Text in UTF-8, or else in Latin-1. Tags of markup are breaks between lines. */
static bool decode(struct walk *w, const char *text, size_t n, bool markup,
                   struct plain_source *source)
{
    bool utf8 = utf8_is_valid(text, n), line = true;
    size_t done = 0;

    if (n > w->cap_codes) {
        free(w->codes);
        free(w->line);
        w->cap_codes = n;
        w->codes = calloc(n, sizeof *w->codes);
        w->line = calloc(n, sizeof *w->line);
    }
    if (!w->codes || !w->line)
        return n == 0;
    for (size_t at = 0; at < n;) {
        uint32_t c;

        if (markup && text[at] == '<') {
            const char *end = memchr(text + at, '>', n - at);

            line = true;
            at = end ? (size_t) (end - text) + 1 : n;
            continue;
        }
        c = markup && text[at] == '&' ? string_kind_entity(text, n, &at)
            : utf8                    ? utf8_next(text, n, &at)
                                      : (unsigned char) text[at++];
        w->codes[done] = c;
        w->line[done++] = line || c == '\n';
        line = false;
    }
    *source = (struct plain_source){ w->codes, w->line, done };
    return true;
}

static void search_decoded(struct walk *w, const char *text, size_t n, bool markup)
{
    struct plain_source source = { 0 };

    w->n_matches = 0;
    if (w->done < 0 || n == 0)
        return;
    if (!decode(w, text, n, markup, &source))
        w->done = err_sys(w->err, "text");
    else if (search_source(w->search, &source, note_match, w, w->err) < 0)
        w->done = -1;
    add_matches(w, &source);
}

/* Text as it is, and, if nothing is found, without elements, escapes and references, as redact
 * removes it. */
static void search_text(struct walk *w, const char *text, size_t n, bool markup)
{
    AUTO_BUF struct buf plain = BUF_EMPTY;

    search_decoded(w, text, n, markup);
    if (w->n_matches == 0 && w->done == 0 && redact_disguise_plain(text, n, &plain))
        search_decoded(w, buf_text(&plain), plain.len, false);
}

static void search_string(fz_context *ctx, struct walk *w, pdf_obj *string)
{
    char *text = pdf_new_utf8_from_pdf_string_obj(ctx, string);

    search_text(w, text, strlen(text), false);
    fz_free(ctx, text);
}

static void search_stream(fz_context *ctx, struct walk *w, pdf_obj *stream, bool markup)
{
    fz_buffer *bytes = pdf_load_stream(ctx, stream);
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, bytes, &data);
    char *text = NULL;

    fz_var(text);
    fz_try(ctx)
    {
        if (n >= 2 &&
            ((data[0] == 0xfe && data[1] == 0xff) || (data[0] == 0xff && data[1] == 0xfe)))
            text = pdf_new_utf8_from_pdf_string(ctx, (const char *) data, n);
        if (text)
            search_text(w, text, strlen(text), markup);
        else if (n <= LONGEST && !memchr(data, 0, n))
            search_text(w, (const char *) data, n, markup);
        else
            w->n_not_text++;
    }
    fz_always(ctx)
    {
        fz_free(ctx, text);
        fz_drop_buffer(ctx, bytes);
    }
    fz_catch(ctx) fz_rethrow(ctx);
}

static void walk_object(fz_context *ctx, struct walk *w, pdf_obj *object, pdf_obj *dict,
                        const char *key, int depth);

static bool is_first_time(struct walk *w, int number)
{
    if (number <= 0 || number >= w->n_seen || w->seen[number])
        return false;
    w->seen[number] = true;
    return true;
}

/* Scripts, values of fields and rich text may be streams, and XFA forms are. */
static bool is_text_stream(fz_context *ctx, pdf_obj *object, const char *key)
{
    static const char *const keys[] = { "JS", "V", "DV", "RV", "RC", "XFA" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return pdf_is_dict(ctx, object) && pdf_dict_get(ctx, object, PDF_NAME(Length)) != NULL;
    return false;
}

static void wait_for(fz_context *ctx, struct walk *w, int number)
{
    if (!is_first_time(w, number))
        return;
    if (!LIST_ROOM(w->waiting, w->n, w->cap))
        fz_throw(ctx, FZ_ERROR_MEMORY, "objects");
    w->waiting[w->n++] = number;
}

/* The strings below a dictionary, each with what it is to that. */
static void walk_dict(fz_context *ctx, struct walk *w, pdf_obj *dict, int depth)
{
    int n = pdf_dict_len(ctx, dict);

    for (int i = 0; i < n; i++)
        walk_object(ctx, w, pdf_dict_get_val(ctx, dict, i), dict,
                    pdf_to_name(ctx, pdf_dict_get_key(ctx, dict, i)), depth + 1);
}

static void walk_object(fz_context *ctx, struct walk *w, pdf_obj *object, pdf_obj *dict,
                        const char *key, int depth)
{
    if (w->done < 0 || depth > DEEPEST)
        return;
    if (pdf_is_indirect(ctx, object)) {
        pdf_obj *target = pdf_resolve_indirect_chain(ctx, object);

        if (is_text_stream(ctx, target, key) && is_first_time(w, pdf_to_num(ctx, object))) {
            string_kind_find(ctx, dict, key, &w->place);
            search_stream(ctx, w, object, strcmp(key, "XFA") == 0);
        }
        /* A string or list that is an object of its own belongs to what refers to it. */
        if (pdf_is_dict(ctx, target)) {
            wait_for(ctx, w, pdf_to_num(ctx, object));
            return;
        }
        object = target;
    }
    if (pdf_is_string(ctx, object)) {
        string_kind_find(ctx, dict, key, &w->place);
        search_string(ctx, w, object);
    } else if (pdf_is_array(ctx, object)) {
        int n = pdf_array_len(ctx, object);

        for (int i = 0; i < n; i++)
            walk_object(ctx, w, pdf_array_get(ctx, object, i), dict, key, depth + 1);
    } else if (pdf_is_dict(ctx, object)) {
        walk_dict(ctx, w, object, depth);
    }
}

/* An object that others refer to: its strings, and its data if it is text. */
static void walk_numbered(fz_context *ctx, struct walk *w, int number)
{
    pdf_obj *object = pdf_load_object(ctx, w->doc->pdf, number);
    bool markup = false;

    fz_try(ctx)
    {
        w->place.page = w->pages[number];
        w->place.metadata =
            number ==
            pdf_to_num(ctx, pdf_dict_get(ctx, pdf_trailer(ctx, w->doc->pdf), PDF_NAME(Info)));
        walk_dict(ctx, w, object, 0);
        if (pdf_obj_num_is_stream(ctx, w->doc->pdf, number) &&
            string_kind_of_stream(ctx, object, &w->place, &markup, &w->n_not_text)) {
            pdf_obj *stream = pdf_new_indirect(ctx, w->doc->pdf, number, 0);

            fz_try(ctx) search_stream(ctx, w, stream, markup);
            fz_always(ctx) pdf_drop_obj(ctx, stream);
            fz_catch(ctx) fz_rethrow(ctx);
        }
    }
    fz_always(ctx) pdf_drop_obj(ctx, object);
    fz_catch(ctx) fz_rethrow(ctx);
}

/* An object that cannot be read has no strings that a reader would show. */
static void try_numbered(fz_context *ctx, struct walk *w, int number)
{
    fz_try(ctx)
    {
        walk_numbered(ctx, w, number);
    }
    fz_catch(ctx)
    {
        if (fz_caught(ctx) == FZ_ERROR_MEMORY)
            w->done = engine_caught(ctx, "the document", w->err);
    }
}

static void note_annotations(fz_context *ctx, struct walk *w, size_t page)
{
    pdf_obj *annots =
        pdf_dict_get(ctx, pdf_lookup_page_obj(ctx, w->doc->pdf, (int) page), PDF_NAME(Annots));
    int n = pdf_array_len(ctx, annots);

    for (int i = 0; i < n; i++) {
        int number = pdf_to_num(ctx, pdf_array_get(ctx, annots, i));

        if (number > 0 && number < w->n_seen && !w->pages[number])
            w->pages[number] = (uint32_t) page + 1;
    }
}

static void try_annotations(fz_context *ctx, struct walk *w, size_t page)
{
    fz_try(ctx)
    {
        note_annotations(ctx, w, page);
    }
    fz_catch(ctx)
    {
        /* The annotations of this page have no page then. */
        fz_warn(ctx, "annotations");
    }
}

static void walk_all(fz_context *ctx, struct walk *w)
{
    size_t looked = 0;

    for (size_t i = 0; i < w->doc->n_pages; i++)
        try_annotations(ctx, w, i);
    walk_dict(ctx, w, pdf_trailer(ctx, w->doc->pdf), 0);
    while (w->n && w->done == 0) {
        try_numbered(ctx, w, w->waiting[--w->n]);
        if (++looked % TRIM_EVERY == 0)
            mupdf_document_trim(w->doc);
    }
}

int other_strings_search(struct mupdf_document *doc, struct search *search, struct hit_list *hits,
                         struct err *err)
{
    fz_context *ctx = doc->ctx;
    struct walk w = { .doc = doc, .search = search, .hits = hits, .err = err };

    w.n_seen = pdf_xref_len(ctx, doc->pdf);
    w.seen = calloc((size_t) w.n_seen + 1, sizeof *w.seen);
    w.pages = calloc((size_t) w.n_seen + 1, sizeof *w.pages);
    if (!w.seen || !w.pages)
        w.done = err_sys(err, "objects");
    fz_try(ctx)
    {
        if (w.done == 0)
            walk_all(ctx, &w);
    }
    fz_catch(ctx)
    {
        w.done = engine_caught(ctx, "the document", err);
    }
    if (w.n_not_text)
        tool_warn(doc->run, "attachments_not_searched",
                  "%zu attachments are not text files and were not searched", w.n_not_text);
    free(w.seen);
    free(w.pages);
    free(w.waiting);
    free(w.codes);
    free(w.matches);
    free(w.line);
    return w.done;
}
