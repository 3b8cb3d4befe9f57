#include "syntax/pdf/dict.h"

#include <string.h>

#include "syntax/pdf/syntax.h"

static struct syntax reader(struct text text)
{
    return (struct syntax){ .data = (const unsigned char *) text.at, .n = text.n };
}

static bool next_object(struct syntax *s, struct text *object)
{
    syntax_skip_space(s);
    object->at = (const char *) s->data + s->at;
    if (!syntax_read(s, NULL))
        return false;
    object->n = (size_t) ((const char *) s->data + s->at - object->at);
    return true;
}

void dict_walk(struct text dict, bool (*each)(void *arg, struct text key, struct text value),
               void *arg)
{
    struct syntax s = reader(dict);
    struct text key, value;

    if (!text_is_dict(dict))
        return;
    s.at = 2;
    while (next_object(&s, &key) && *key.at == '/' && next_object(&s, &value))
        if (!each(arg, key, value))
            return;
}

void dict_walk_array(struct text array, bool (*each)(void *arg, struct text value), void *arg)
{
    struct syntax s = reader(array);
    struct text value;

    if (!text_is_array(array))
        return;
    s.at = 1;
    while (next_object(&s, &value))
        if (!each(arg, value))
            return;
}

static bool count_value(void *arg, struct text value)
{
    (void) value;
    ++*(size_t *) arg;
    return true;
}

size_t dict_array_size(struct text array)
{
    size_t n = 0;

    dict_walk_array(array, count_value, &n);
    return n;
}

static bool keep_first(void *arg, struct text value)
{
    *(struct text *) arg = value;
    return false;
}

struct text dict_array_first(struct text array)
{
    struct text first = { 0 };

    dict_walk_array(array, keep_first, &first);
    return first;
}

struct search {
    const char *key;
    struct text value;
};

static bool is_it(void *arg, struct text key, struct text value)
{
    struct search *search = arg;

    if (!text_is(key, search->key))
        return true;
    search->value = value;
    return false;
}

struct text dict_find(struct text dict, const char *key)
{
    struct search search = { .key = key };

    dict_walk(dict, is_it, &search);
    return search.value;
}

bool dict_has(struct text dict, const char *key)
{
    return dict_find(dict, key).at != NULL;
}

bool dict_name_is(struct text dict, const char *key, const char *name)
{
    return text_is(dict_find(dict, key), name);
}

uint32_t dict_ref(struct text dict, const char *key)
{
    return text_ref(dict_find(dict, key));
}

bool dict_number(struct text dict, const char *key, uint64_t *number)
{
    return text_number(dict_find(dict, key), number);
}

struct copy {
    struct buf *out;
    const char *const *without;
};

static bool copy_pair(void *arg, struct text key, struct text value)
{
    struct copy *copy = arg;

    for (size_t i = 0; copy->without && copy->without[i]; i++)
        if (text_is(key, copy->without[i]))
            return true;
    buf_put(copy->out, key.at, key.n);
    buf_putc(copy->out, ' ');
    buf_put(copy->out, value.at, value.n);
    buf_putc(copy->out, ' ');
    return true;
}

void dict_write(struct buf *out, struct text dict, const char *const *without, struct text extra)
{
    struct copy copy = { out, without };

    buf_puts(out, "<<");
    dict_walk(dict, copy_pair, &copy);
    buf_put(out, extra.at, extra.n);
    buf_puts(out, ">>");
}
