#include "engine/redact/redact_proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "engine/mupdf/mupdf_document.h"
#include "engine/redact/redact_orphan.h"
#include "engine/redact/redact_page.h"
#include "engine/redact/redact_page_text.h"
#include "engine/redact/redact_scrub.h"
#include "pdf/redact/redact_clean.h"
#include "syntax/pdf/lex.h"

struct proof {
    const struct redact_proof *given;
    struct mupdf_document *shown;
    struct pdf_doc *doc;
    struct redact_edit reader;
    struct redact_folded folded;
};

static int is_left(struct err *err, size_t page, const char *where)
{
    return err_set(err, ERR_REDACTION_INCOMPLETE,
                   "a removed text is still on page %zu, in %s: nothing is delivered", page + 1,
                   where);
}

static int search_words(struct proof *proof, const struct buf *text, bool *found, struct err *err)
{
    size_t at = 0, n;

    if (!redact_words_fold(&proof->folded, buf_text(text), text->len))
        return pdf_doc_no_memory(err);
    *found = redact_words_find(proof->given->texts, &proof->folded, &at, &n) != SIZE_MAX;
    return 0;
}

/* Whether a text is in the letters of a place, also with its soft hyphens, which are drawn, as
 * hyphens. */
static bool says(const struct buf *here, const char *text)
{
    AUTO_BUF struct buf drawn = BUF_EMPTY;
    struct redact_words words = { .exact = true };
    bool found;

    for (size_t i = 0; i < here->len; i++) {
        bool soft = i + 1 < here->len && memcmp(here->data + i, "\xc2\xad", 2) == 0;

        buf_putc(&drawn, soft ? '-' : here->data[i]);
        i += soft;
    }
    redact_words_add(&words, text, false);
    found = redact_words_search(&words, buf_text(here), here->len) != SIZE_MAX ||
            redact_words_search(&words, buf_text(&drawn), drawn.len) != SIZE_MAX;
    redact_words_free(&words);
    return found;
}

/* Whether the place of a hit still has its text, or, for a region, any. */
static bool place_has(const struct redact_page_text *text, const struct redact_hit *hit)
{
    AUTO_BUF struct buf here = BUF_EMPTY;
    bool region = !*hit->text;

    for (size_t i = 0; i < text->n; i++) {
        const double *q = text->items[i].quad.at;
        size_t end = i + 1 < text->n ? text->items[i + 1].at : text->text.len;
        double x = (q[0] + q[2] + q[4] + q[6]) / 4, y = (q[1] + q[3] + q[5] + q[7]) / 4;

        for (size_t k = 0; k < hit->n_quads; k++) {
            struct redact_area area = { .quad = hit->quads[k] };

            redact_shape_box(&area.quad, area.box);
            if (redact_shape_has(&area, x, y)) {
                buf_put(&here, text->text.data + text->items[i].at, end - text->items[i].at);
                break;
            }
        }
    }
    if (region)
        return strspn(buf_text(&here), " \n\t") < here.len;
    return says(&here, hit->text);
}

static int check_shown(struct proof *proof, size_t page, bool hits, struct err *err)
{
    struct redact_page_text text = { 0 };
    int done = redact_page_text_read(&text, proof->shown, page, false, err);
    bool found = false;

    if (done == 0 && proof->given->pages[page])
        done = search_words(proof, &text.text, &found, err);
    for (size_t i = 0; i < proof->given->hits->n && hits && done == 0 && !found; i++) {
        const struct redact_hit *hit = &proof->given->hits->items[i];

        found = hit->page == page + 1 && hit->n_quads && place_has(&text, hit);
    }
    redact_page_text_free(&text);
    if (done == 0 && found)
        done = is_left(err, page, "its text");
    return done;
}

static int check_content(struct proof *proof, size_t page, struct err *err)
{
    AUTO_OBJ struct obj object = obj_page(proof->doc->q, page);
    AUTO_BUF struct buf text = BUF_EMPTY, said = BUF_EMPTY;
    AUTO_FREE unsigned char *data = NULL;
    bool found = false;
    size_t n = 0;

    proof->reader.read = &text;
    if (redact_page_read(&proof->reader, object, err) < 0 ||
        search_words(proof, &text, &found, err) < 0)
        return -1;
    if (!found && obj_page_content(object, &data, &n)) {
        redact_scrub_said(proof->doc, data, n, &said);
        if (search_words(proof, &said, &found, err) < 0)
            return -1;
    }
    return found ? is_left(err, page, "a content stream") : 0;
}

static bool has_hits(const struct redact_hits *hits, size_t page)
{
    for (size_t i = 0; i < hits->n; i++)
        if (hits->items[i].page == page + 1 && hits->items[i].n_quads)
            return true;
    return false;
}

static int check_page(struct proof *proof, size_t page, struct err *err)
{
    bool hits = has_hits(proof->given->hits, page);
    int done = 0;

    if (hits || proof->given->pages[page])
        done = check_shown(proof, page, hits, err);
    if (done == 0 && proof->given->pages[page])
        done = check_content(proof, page, err);
    return done;
}

static int check_pages(struct proof *proof, struct tool_run *run, struct err *err)
{
    size_t n = proof->doc->n_pages;
    int done = 0;

    for (size_t page = 0; page < n; page++) {
        if (check_page(proof, page, err) < 0) {
            done = -1;
            if (err->code != ERR_REDACTION_INCOMPLETE || !proof->given->failed)
                return -1;
            proof->given->failed[page] = true;
        }
        if (page % 50 == 49)
            mupdf_document_trim(proof->shown);
        tool_progress(run, 0.6 + 0.4 * (double) page / (double) n);
    }
    return done;
}

/* What a form, a pattern or the procedure of a glyph shows, and what it says besides. */
static int search_form(struct proof *proof, struct obj form, bool *found, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    proof->reader.read = &text;
    if (redact_page_read_form(&proof->reader, form, err) < 0)
        return -1;
    buf_putc(&text, '\n');
    if (obj_stream_data(form, &data, &n))
        redact_scrub_said(proof->doc, data, n, &text);
    return search_words(proof, &text, found, err);
}

/* All form XObjects, patterns and glyphs, also those that no page shows. */
static int check_forms(struct proof *proof, const struct idmap *contents, struct err *err)
{
    int next = pdf_doc_next_number(proof->doc);

    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(proof->doc->q, i);
        bool found = false;

        if (!obj_is_stream(value) || idmap_find(contents, obj_id(value)) != 0)
            continue;
        if (search_form(proof, value, &found, err) < 0)
            return -1;
        if (found)
            return err_set(err, ERR_REDACTION_INCOMPLETE,
                           "a removed text is still in the content of object %d: nothing is "
                           "delivered",
                           i);
    }
    return 0;
}

static int check_orphans(struct proof *proof, struct err *err)
{
    struct redact_orphans orphans = { 0 };
    int done = redact_orphan_list(&orphans, proof->doc, err);

    for (size_t i = 0; i < orphans.n && done == 0; i++) {
        AUTO_OBJ struct obj page = obj_by_number(proof->doc->q, orphans.numbers[i]);
        bool found = false;

        done = redact_orphan_search(&proof->reader, page, proof->given->words, &found, err);
        if (done == 0 && found)
            done = err_set(err, ERR_REDACTION_INCOMPLETE,
                           "a removed text is still on a page outside of the page tree, object %d: "
                           "nothing is delivered",
                           orphans.numbers[i]);
    }
    redact_orphan_free(&orphans);
    return done;
}

/* What single codes of a font mean may have a text, too (ISO 32000-2, 9.10.3). */
static int check_map(struct proof *proof, struct obj map, int number, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    struct lex lex;
    struct lex_token token;
    size_t n;

    if (!obj_is_stream(map) || !obj_stream_data(map, &data, &n))
        return 0;
    lex = lex_of(data, n);
    while (lex_next(&lex, &token)) {
        AUTO_BUF struct buf text = BUF_EMPTY;
        AUTO_FREE char *bytes = token.kind == LEX_HEX ? malloc(token.n + 1) : NULL;

        if (!bytes)
            continue;
        n = lex_string(&token, bytes);
        for (size_t i = 0; i + 1 < n; i += 2) {
            uint32_t c = (uint32_t) (unsigned char) bytes[i] << 8 | (unsigned char) bytes[i + 1];

            if (c >= ' ' && (c & 0xf800) != 0xd800)
                utf8_put(c, &text);
        }
        if (n >= 4 &&
            redact_words_search(proof->given->words, buf_text(&text), text.len) != SIZE_MAX)
            return err_set(err, ERR_REDACTION_INCOMPLETE,
                           "a removed text is still in the map to Unicode of object %d: nothing is "
                           "delivered",
                           number);
    }
    return 0;
}

static int check_maps(struct proof *proof, struct err *err)
{
    int next = pdf_doc_next_number(proof->doc);

    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj font = obj_by_number(proof->doc->q, i);
        AUTO_OBJ struct obj map = obj_is_dict(font) ? obj_key(font, "/ToUnicode") : OBJ_NONE;

        if (map.q && check_map(proof, map, i, err) < 0)
            return -1;
    }
    return 0;
}

/* Lists content, with 1 for the streams of pages, which are searched page by page. */
static int list_contents(const struct proof *proof, struct idmap *contents, struct err *err)
{
    bool ok = redact_clean_contents(proof->doc, contents);

    for (size_t i = 0; i < proof->doc->n_pages && ok; i++) {
        AUTO_OBJ struct obj page = obj_page(proof->doc->q, i);
        AUTO_OBJ struct obj all = obj_key(page, "/Contents");
        int n = obj_is_array(all) ? obj_count(all) : 1;

        for (int k = 0; k < n; k++) {
            AUTO_OBJ struct obj one = obj_is_array(all) ? obj_item(all, k) : obj_same(all);

            if (obj_id(one) && obj_is_stream(one))
                idmap_set(contents, obj_id(one), 1);
        }
    }
    return ok ? 0 : pdf_doc_no_memory(err);
}

static int check_rest(struct proof *proof, const struct idmap *contents, struct err *err)
{
    const struct redact_search search = { .words = proof->given->words,
                                          .skip_attachments = proof->given->skip_attachments,
                                          .contents = contents };
    struct redact_place place;

    if (redact_clean_search(proof->doc, &search, &place, err) < 0)
        return -1;
    if (!place.object)
        return 0;
    return err_set(err, ERR_REDACTION_INCOMPLETE,
                   "a removed text is still in object %d of the document (%s): nothing is "
                   "delivered",
                   place.object, place.what);
}

int redact_proof_check(const struct redact_proof *given, struct tool_run *run, struct err *err)
{
    AUTO_MUPDF_DOCUMENT struct mupdf_document shown = { 0 };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_IDMAP struct idmap contents = { 0 };
    struct proof proof = {
        .given = given, .shown = &shown, .doc = &doc, .folded = { .exact = given->texts->exact }
    };
    int done;

    if (mupdf_document_open_as_is(&shown, given->path, given->password, run, err) < 0 ||
        pdf_doc_open_whole_as_is(&doc, given->path, given->password, err) < 0)
        return -1;
    if (shown.n_pages != doc.n_pages)
        return err_set(err, ERR_INTERNAL, "two readers find different pages in the result");
    proof.reader.doc = &doc;
    proof.reader.fonts.ctx = shown.ctx;
    proof.reader.fonts.pdf = shown.pdf;
    done = check_pages(&proof, run, err);
    if (done == 0)
        done = list_contents(&proof, &contents, err);
    if (done == 0 && given->everywhere)
        done = check_forms(&proof, &contents, err);
    if (done == 0)
        done = check_orphans(&proof, err);
    if (done == 0)
        done = check_maps(&proof, err);
    if (done == 0)
        done = check_rest(&proof, &contents, err);
    redact_page_end(&proof.reader);
    redact_words_unfold(&proof.folded);
    return done;
}
