#include "pdf/redact/redact_rename.h"

#include <stdlib.h>
#include <string.h>

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

static bool is_taken(const struct redact_rename *rename, const char *name)
{
    for (size_t i = 0; i < rename->n_pairs; i++)
        if (strcmp(rename->pairs[i].is, name) == 0)
            return true;
    return false;
}

/* The other name of one that has a text in it, which is made once; NULL when out of memory. */
static const char *other_name(struct redact_rename *rename, const char *name)
{
    AUTO_BUF struct buf said = BUF_EMPTY, other = BUF_EMPTY;
    struct redact_rename_pair pair = { 0 };

    for (size_t i = 0; i < rename->n_pairs; i++)
        if (strcmp(rename->pairs[i].was, name) == 0)
            return rename->pairs[i].is;
    redact_rename_say(name + 1, strlen(name + 1), &said);
    buf_putc(&other, '/');
    redact_words_replace(rename->words, buf_text(&said), said.len, &other);
    for (size_t i = 2, end = other.len; is_taken(rename, buf_text(&other)) && !other.failed; i++) {
        other.len = end;
        buf_printf(&other, "_%zu", i);
    }
    pair.was = strdup(name);
    pair.is = other.failed || said.failed ? NULL : strdup(buf_text(&other));
    if (!pair.was || !pair.is || !LIST_ROOM(rename->pairs, rename->n_pairs, rename->cap_pairs)) {
        free(pair.was);
        free(pair.is);
        rename->words->failed = true;
        return NULL;
    }
    rename->pairs[rename->n_pairs++] = pair;
    return pair.is;
}

bool redact_rename_name(struct redact_rename *rename, const char *name, struct buf *out)
{
    const char *other;

    if (!redact_rename_has(rename->words, name))
        return false;
    rename->object = rename->n++ == 0 ? rename->now : rename->object;
    other = rename->only_count ? NULL : other_name(rename, name);
    if (other)
        buf_puts(out, other);
    return other && !out->failed;
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
