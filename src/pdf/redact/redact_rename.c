#include "pdf/redact/redact_rename.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"

void redact_rename_free(struct redact_rename *rename)
{
    for (size_t i = 0; i < rename->n_pairs; i++) {
        free(rename->pairs[i].was);
        free(rename->pairs[i].is);
    }
    free(rename->pairs);
    idmap_free(&rename->by_was);
    idmap_free(&rename->by_is);
    rename->pairs = NULL;
    rename->n_pairs = rename->cap_pairs = 0;
}

const char *redact_rename_read(struct obj name)
{
    size_t n;
    const char *bytes = obj_is_name(name) ? obj_bytes(name, &n) : NULL;

    return bytes ? bytes : "";
}

void redact_rename_say(const char *name, size_t n, struct buf *out)
{
    if (utf8_is_valid(name, n)) {
        buf_put(out, name, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        utf8_put((unsigned char) name[i], out);
}

bool redact_rename_has(struct redact_words *words, const char *name)
{
    AUTO_BUF struct buf said = BUF_EMPTY;

    if (*name != '/' || strcmp(name, "/Off") == 0)
        return false;
    redact_rename_say(name + 1, strlen(name + 1), &said);
    words->failed |= said.failed;
    return redact_words_search(words, buf_text(&said), said.len) != SIZE_MAX;
}

static int64_t hash_of(const char *name)
{
    return (int64_t) (fnv_text(FNV_START, name) * FNV_SPREAD >> 2 | 1);
}

/* Finds the pair whose old name, or with `is` whose new name, this is. NULL: no pair has it. */
static struct redact_rename_pair *find_pair(const struct redact_rename *rename, const char *name,
                                            bool is)
{
    size_t at = idmap_find(is ? &rename->by_is : &rename->by_was, hash_of(name));

    if (at == IDMAP_NONE)
        return NULL;
    if (strcmp(is ? rename->pairs[at].is : rename->pairs[at].was, name) == 0)
        return &rename->pairs[at];
    for (size_t i = 0; i < rename->n_pairs; i++)
        if (strcmp(is ? rename->pairs[i].is : rename->pairs[i].was, name) == 0)
            return &rename->pairs[i];
    return NULL;
}

static bool add_pair(struct redact_rename *rename, const char *was, const char *is)
{
    struct redact_rename_pair pair = { strdup(was), strdup(is), 2 };

    if (!pair.was || !pair.is || !LIST_ROOM(rename->pairs, rename->n_pairs, rename->cap_pairs) ||
        !idmap_add(&rename->by_was, hash_of(was), rename->n_pairs) ||
        !idmap_add(&rename->by_is, hash_of(is), rename->n_pairs)) {
        free(pair.was);
        free(pair.is);
        return false;
    }
    rename->pairs[rename->n_pairs++] = pair;
    return true;
}

void redact_rename_apart(struct redact_rename *rename, const char *was, struct buf *name)
{
    const struct redact_rename_pair *known = find_pair(rename, was, false);
    struct redact_rename_pair *same = find_pair(rename, buf_text(name), true);

    if (known) {
        name->len = 0;
        buf_puts(name, known->is);
        return;
    }
    for (size_t end = name->len; same && find_pair(rename, buf_text(name), true);) {
        name->len = end;
        buf_printf(name, "_%zu", same->next++);
    }
    if (name->failed || !add_pair(rename, was, buf_text(name)))
        rename->words->failed = true;
}

bool redact_rename_name(struct redact_rename *rename, const char *name, struct buf *out)
{
    AUTO_BUF struct buf said = BUF_EMPTY;

    if (!redact_rename_has(rename->words, name))
        return false;
    rename->object = rename->n++ == 0 ? rename->now : rename->object;
    if (rename->found && !find_pair(rename, name, false)) {
        rename->words->failed |= !add_pair(rename, name, name);
        rename->found(rename->arg, name);
    }
    if (rename->only_count)
        return false;
    redact_rename_say(name + 1, strlen(name + 1), &said);
    buf_putc(out, '/');
    redact_words_replace(rename->words, buf_text(&said), said.len, out);
    redact_rename_apart(rename, name, out);
    rename->words->failed |= said.failed;
    return !out->failed;
}

void redact_rename_value(struct redact_rename *rename, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (redact_rename_name(rename, redact_rename_read(value), &out))
        obj_set_name(dict, key, buf_text(&out));
}

void redact_rename_item(struct redact_rename *rename, struct obj array, int index)
{
    AUTO_OBJ struct obj item = obj_item(array, index);
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (!redact_rename_name(rename, redact_rename_read(item), &out))
        return;
    AUTO_OBJ struct obj other = obj_new_name(array.q, buf_text(&out));
    obj_set_item(array, index, other);
}

void redact_rename_key(struct redact_rename *rename, struct obj dict, const char *key)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (!redact_rename_name(rename, key, &out))
        return;
    /* A name that the document has already, perhaps from an earlier redaction. */
    for (size_t i = 2, end = out.len; obj_has(dict, buf_text(&out)) && !out.failed; i++) {
        out.len = end;
        buf_printf(&out, "_%zu", i);
    }
    AUTO_OBJ struct obj value = obj_key(dict, key);
    obj_set(dict, buf_text(&out), value);
    obj_remove(dict, key);
}
