#include "engine/redact/redact_orphan.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/redact/redact_page.h"
#include "pdf/object/idmap.h"

/* A page, or what is one but for its type, as it has content. */
static bool is_page(struct obj value)
{
    if (!obj_is_dict(value) || obj_is_stream(value))
        return false;
    AUTO_OBJ struct obj contents = obj_key(value, "/Contents");

    return obj_key_is(value, "/Type", "/Page") || obj_key_is(value, "/Type", "/Template") ||
           obj_is_stream(contents) || (obj_is_array(contents) && obj_has(value, "/Resources"));
}

int redact_orphan_list(struct redact_orphans *orphans, struct pdf_doc *doc, struct err *err)
{
    AUTO_IDMAP struct idmap pages = { 0 };
    int next = pdf_doc_next_number(doc);

    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        if (obj_id(page) && !idmap_add(&pages, obj_id(page), 0))
            return pdf_doc_no_memory(err);
    }
    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        if (!is_page(value) || idmap_find(&pages, obj_id(value)) != IDMAP_NONE)
            continue;
        if (!LIST_ROOM(orphans->numbers, orphans->n, orphans->cap))
            return pdf_doc_no_memory(err);
        orphans->numbers[orphans->n++] = i;
    }
    return 0;
}

void redact_orphan_free(struct redact_orphans *orphans)
{
    free(orphans->numbers);
    *orphans = (struct redact_orphans){ 0 };
}

int redact_orphan_search(struct redact_edit *edit, struct obj page, struct redact_words *words,
                         bool *has, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    const struct redact_words *texts = edit->words;

    edit->words = NULL;
    edit->read = &text;
    edit->unread = false;
    int done = redact_page_read(edit, page, err);
    edit->read = NULL;
    edit->words = texts;
    if (done == 0)
        *has = edit->unread || redact_words_search(words, buf_text(&text), text.len) != SIZE_MAX;
    return done == 0 && words->failed ? pdf_doc_no_memory(err) : done;
}

int redact_orphan_remove(struct redact_edit *edit, struct redact_words *words, uint64_t *n,
                         struct err *err)
{
    struct redact_orphans orphans = { 0 };
    int done = redact_orphan_list(&orphans, edit->doc, err);

    *n = 0;
    for (size_t i = 0; i < orphans.n && words->n && done == 0; i++) {
        AUTO_OBJ struct obj page = obj_by_number(edit->doc->q, orphans.numbers[i]);
        bool has = false;

        done = redact_orphan_search(edit, page, words, &has, err);
        if (done < 0 || !has)
            continue;
        AUTO_OBJ struct obj null = obj_parse(edit->doc->q, "null");
        obj_replace(page, null);
        ++*n;
    }
    redact_orphan_free(&orphans);
    return done;
}
