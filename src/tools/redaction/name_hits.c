#include "tools/redaction/name_hits.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "engine/page_search/hit_list.h"
#include "pdf/redact/redact_names.h"
#include "pdf/redact/redact_rename.h"

struct name_hits {
    struct redact_words *words;
    struct hit_list list;
    struct err *err;
    int done;
};

/* How many characters of UTF-8 begin before byte n. */
static size_t count_characters(const char *text, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += ((unsigned char) text[i] & 0xc0) != 0x80;
    return count;
}

/* Adds a hit for each text in a name, which is UTF-8 without its solidus. */
static int add_places(struct name_hits *h, const char *text, size_t n)
{
    struct redact_folded folded = { .exact = h->words->exact };
    AUTO_FREE uint32_t *codes = calloc(n + 1, sizeof *codes);
    struct plain_source source = { .codes = codes };
    size_t length = 0;
    int done = 0;

    if (!codes || !redact_words_fold(&folded, text, n)) {
        redact_words_unfold(&folded);
        return pdf_doc_no_memory(h->err);
    }
    for (size_t at = 0; at < n;)
        codes[source.n++] = utf8_next(text, n, &at);
    for (size_t at = 0; done == 0; at += length) {
        if (redact_words_find(h->words, &folded, &at, &length) == SIZE_MAX)
            break;
        const struct hit_place place = {
            .kind = "name",
            .begin = count_characters(text, folded.from[at]),
            .end = count_characters(text, folded.from[at + length]),
        };
        done = hit_list_add(&h->list, &source, &place, h->err);
    }
    redact_words_unfold(&folded);
    return done;
}

static void name_found(void *arg, const char *name)
{
    struct name_hits *h = arg;
    AUTO_BUF struct buf said = BUF_EMPTY;

    redact_rename_say(name + 1, strlen(name + 1), &said);
    if (said.failed)
        h->done = pdf_doc_no_memory(h->err);
    else if (h->done == 0)
        h->done = add_places(h, buf_text(&said), said.len);
}

int name_hits_find(struct pdf_doc *doc, struct redact_words *words, struct redact_hits *hits,
                   struct err *err)
{
    struct name_hits h = { .words = words, .list = { .hits = hits }, .err = err };

    if (words->n == 0)
        return 0;
    redact_names_list(doc, words, name_found, &h);
    hit_list_free(&h.list);
    return h.done == 0 && words->failed ? pdf_doc_no_memory(err) : h.done;
}
