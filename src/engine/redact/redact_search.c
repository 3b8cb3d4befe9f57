#include "engine/redact/redact_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/mupdf/engine.h"
#include "engine/redact/redact_page_text.h"

#define LINES 20 /* limit of the lines of one hit */

static int add_hit(const struct redact_page_text *text, size_t begin, size_t end, size_t page,
                   struct redact_hits *hits, struct err *err)
{
    AUTO_FREE char *found = strndup(text->text.data + begin, end - begin);
    struct redact_quad quads[LINES];
    struct redact_hit hit = { .kind = "text", .page = page + 1, .quads = quads, .text = found };

    if (!found)
        return engine_no_memory(err);
    hit.n_quads = redact_page_text_quads(text, begin, end, quads, LINES);
    return redact_hits_add(hits, &hit, err);
}

int redact_search_page(struct mupdf_document *doc, size_t page, const struct redact_words *words,
                       struct redact_hits *hits, struct err *err)
{
    struct redact_page_text text = { 0 };
    struct redact_folded folded = { 0 };
    size_t at = 0, n = 0;
    int done = redact_page_text_read(&text, doc, page, err);

    if (done == 0 && !redact_words_fold(&folded, buf_text(&text.text), text.text.len))
        done = engine_no_memory(err);
    while (done == 0 && redact_words_find(words, &folded, &at, &n) != SIZE_MAX) {
        done = add_hit(&text, folded.from[at], folded.from[at + n], page, hits, err);
        at += n;
    }
    redact_words_unfold(&folded);
    redact_page_text_free(&text);
    return done;
}
