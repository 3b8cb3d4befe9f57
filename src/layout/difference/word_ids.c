#include "layout/difference/word_ids.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"

#define LEAST_SLOTS 1024
#define NUMBER_TEXT "\1" /* what no word is */

void word_ids_free(struct word_ids *ids)
{
    buf_free(&ids->texts);
    free(ids->starts);
    free(ids->slots);
    *ids = (struct word_ids){ 0 };
}

/* The slot of a text, or the free one where it belongs. */
static size_t slot_of(const struct word_ids *ids, const char *text, size_t n)
{
    uint64_t hash = fnv_bytes(FNV_START, text, n) * FNV_SPREAD;
    size_t at = (size_t) (hash >> 32) & (ids->n_slots - 1);

    while (ids->slots[at] && strcmp(ids->texts.data + ids->starts[ids->slots[at] - 1], text) != 0)
        at = (at + 1) & (ids->n_slots - 1);
    return at;
}

static bool grow_slots(struct word_ids *ids)
{
    size_t n = ids->n_slots ? ids->n_slots * 2 : LEAST_SLOTS;

    free(ids->slots);
    ids->slots = calloc(n, sizeof *ids->slots);
    ids->n_slots = ids->slots ? n : 0;
    for (size_t i = 0; i < ids->n && ids->slots; i++) {
        const char *text = ids->texts.data + ids->starts[i];

        ids->slots[slot_of(ids, text, strlen(text))] = (uint32_t) i + 1;
    }
    return ids->slots;
}

/* The number of a text; UINT32_MAX without memory. */
static uint32_t text_number(struct word_ids *ids, const char *text, size_t n)
{
    size_t at;

    if (2 * ids->n >= ids->n_slots && !grow_slots(ids))
        return UINT32_MAX;
    at = slot_of(ids, text, n);
    if (ids->slots[at])
        return ids->slots[at] - 1;
    if (!LIST_ROOM(ids->starts, ids->n, ids->cap))
        return UINT32_MAX;
    ids->starts[ids->n] = ids->texts.len;
    buf_put(&ids->texts, text, n + 1);
    if (ids->texts.failed)
        return UINT32_MAX;
    ids->slots[at] = (uint32_t) ++ids->n;
    return (uint32_t) ids->n - 1;
}

static bool is_plain_text(const struct word_ids *ids, const char *text)
{
    bool letters = ids->fold_case || ids->drop_punctuation;

    for (const char *c = text; *c; c++)
        if ((unsigned char) *c > 126 || (letters && !(*c >= 'a' && *c <= 'z')))
            return false;
    return true;
}

static bool is_punctuation(utf8proc_int32_t c)
{
    utf8proc_category_t category = utf8proc_category(c);

    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

static void without_punctuation(char *text)
{
    size_t n = strlen(text), to = 0;

    for (size_t at = 0; at < n;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t size =
            utf8proc_iterate((utf8proc_uint8_t *) text + at, (utf8proc_ssize_t) (n - at), &c);

        if (size <= 0)
            break;
        if (!is_punctuation(c)) {
            memmove(text + to, text + at, (size_t) size);
            to += (size_t) size;
        }
        at += (size_t) size;
    }
    text[to] = '\0';
}

/* A text as it is compared, which the caller frees; NULL if it is the same or not UTF-8. */
static char *normal_text(const struct word_ids *ids, const char *text)
{
    utf8proc_option_t how =
        UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE;
    utf8proc_uint8_t *normal = NULL;

    if (is_plain_text(ids, text))
        return NULL;
    if (ids->fold_case)
        how |= UTF8PROC_CASEFOLD;
    if (utf8proc_map((const utf8proc_uint8_t *) text, 0, &normal, how) < 0)
        return NULL;
    if (ids->drop_punctuation)
        without_punctuation((char *) normal);
    return (char *) normal;
}

int word_ids_set(struct word_ids *ids, struct text_words *list, struct err *err)
{
    uint32_t id = text_number(ids, "", 0); /* 0 */

    for (size_t i = 0; i < list->n_words && id != UINT32_MAX; i++) {
        const char *text = text_words_text(list, i);
        AUTO_FREE char *normal = NULL;

        if (list->words[i].flags & WORD_NUMBER)
            text = NUMBER_TEXT;
        else
            normal = normal_text(ids, text);
        id = text_number(ids, normal ? normal : text, strlen(normal ? normal : text));
        list->words[i].id = id;
    }
    if (id == UINT32_MAX)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
    return 0;
}
