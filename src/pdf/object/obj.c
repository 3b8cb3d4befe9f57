#include "pdf/object/obj.h"

#include <stdlib.h>
#include <string.h>

#include "syntax/pdf/lex.h"

#define MAX_GENERATION 2

/*
 * Each of qpdf's C functions looks its handle up in a map and makes several allocations: on large
 * documents it is their number that counts. One question for the type answers several others.
 */
static enum qpdf_object_type_e type_of(struct obj obj)
{
    return obj.q ? qpdf_oh_get_type_code(obj.q, obj.oh) : ot_uninitialized;
}

void obj_drop(struct obj *obj)
{
    if (obj->q)
        qpdf_oh_release(obj->q, obj->oh);
    *obj = OBJ_NONE;
}

static struct obj wrap(qpdf_data q, qpdf_oh oh)
{
    return (struct obj){ q, oh };
}

struct obj obj_same(struct obj obj)
{
    return wrap(obj.q, qpdf_oh_new_object(obj.q, obj.oh));
}

struct obj obj_root(qpdf_data q)
{
    return wrap(q, qpdf_get_root(q));
}

struct obj obj_trailer(qpdf_data q)
{
    return wrap(q, qpdf_get_trailer(q));
}

struct obj obj_page(qpdf_data q, size_t index)
{
    return wrap(q, qpdf_get_page_n(q, index));
}

struct obj obj_by_id(qpdf_data q, int id, int gen)
{
    return wrap(q, qpdf_get_object_by_id(q, id, gen));
}

struct obj obj_by_number(qpdf_data q, int id)
{
    struct obj obj = obj_by_id(q, id, 0);

    for (int gen = 1; gen <= MAX_GENERATION && obj_is_null(obj); gen++) {
        obj_drop(&obj);
        obj = obj_by_id(q, id, gen);
    }
    return obj;
}

struct obj obj_key_in(struct obj dict, const char *key)
{
    return wrap(dict.q, qpdf_oh_get_key(dict.q, dict.oh, key));
}

struct obj obj_key(struct obj dict, const char *key)
{
    enum qpdf_object_type_e type = qpdf_oh_get_type_code(dict.q, dict.oh);

    if (type == ot_dictionary)
        return obj_key_in(dict, key);
    if (type != ot_stream) /* qpdf would note an error of the whole document */
        return wrap(dict.q, qpdf_oh_new_null(dict.q));
    AUTO_OBJ struct obj inner = wrap(dict.q, qpdf_oh_get_dict(dict.q, dict.oh));
    return obj_key_in(inner, key);
}

struct obj obj_item_in(struct obj array, int index)
{
    return wrap(array.q, qpdf_oh_get_array_item(array.q, array.oh, index));
}

struct obj obj_item(struct obj array, int index)
{
    if (index < 0 || index >= obj_count(array))
        return wrap(array.q, qpdf_oh_new_null(array.q));
    return obj_item_in(array, index);
}

int obj_count(struct obj array)
{
    return obj_is_array(array) ? qpdf_oh_get_array_n_items(array.q, array.oh) : 0;
}

bool obj_is_null(struct obj obj)
{
    enum qpdf_object_type_e type = type_of(obj);

    return type == ot_null || type == ot_uninitialized;
}

bool obj_is_dict(struct obj obj)
{
    return obj.q && qpdf_oh_is_dictionary(obj.q, obj.oh);
}

bool obj_is_stream(struct obj obj)
{
    return obj.q && qpdf_oh_is_stream(obj.q, obj.oh);
}

bool obj_is_array(struct obj obj)
{
    return obj.q && qpdf_oh_is_array(obj.q, obj.oh);
}

bool obj_is_string(struct obj obj)
{
    return obj.q && qpdf_oh_is_string(obj.q, obj.oh);
}

bool obj_is_name(struct obj obj)
{
    return obj.q && qpdf_oh_is_name(obj.q, obj.oh);
}

bool obj_is_int(struct obj obj, long long *value)
{
    return obj.q && qpdf_oh_get_value_as_longlong(obj.q, obj.oh, value);
}

bool obj_is_number(struct obj obj, double *value)
{
    return obj.q && qpdf_oh_get_value_as_number(obj.q, obj.oh, value);
}

/* The same from the array's text, which is one call of qpdf's. False if it has references. */
static bool read_numbers(struct obj array, double *values, int n)
{
    const char *text = obj_value_text(array);
    struct lex lex = { (const unsigned char *) text, (const unsigned char *) text + strlen(text) };
    struct lex_token token;
    int decimals, i = -1;

    while (lex_next(&lex, &token) && token.kind != LEX_ARRAY_END) {
        if (i >= n ? lex_is(&token, "R") : token.kind != (i < 0 ? LEX_ARRAY_BEGIN : LEX_NUMBER))
            return false;
        if (i >= 0 && i < n)
            values[i] = lex_number(&token, &decimals);
        if (i >= 0 && i < n && decimals < 0)
            return false;
        i++;
    }
    return i >= n;
}

bool obj_numbers(struct obj array, double *values, int n)
{
    if (!obj_is_array(array))
        return false;
    if (read_numbers(array, values, n))
        return true;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!obj_is_number(item, &values[i]))
            return false;
    }
    return true;
}

bool obj_is_indirect(struct obj obj)
{
    return obj.q && qpdf_oh_is_indirect(obj.q, obj.oh);
}

int64_t obj_id(struct obj obj)
{
    int number = obj.q ? qpdf_oh_get_object_id(obj.q, obj.oh) : 0; /* 0: it is direct */

    if (number == 0)
        return 0;
    return (int64_t) number << 20 | (qpdf_oh_get_generation(obj.q, obj.oh) & 0xfffff);
}

bool obj_is_bool(struct obj obj, bool *value)
{
    QPDF_BOOL held = QPDF_FALSE;

    if (!obj.q || !qpdf_oh_get_value_as_bool(obj.q, obj.oh, &held))
        return false;
    *value = held;
    return true;
}

bool obj_name_is(struct obj obj, const char *name)
{
    return obj.q && qpdf_oh_is_name_and_equals(obj.q, obj.oh, name);
}

bool obj_has(struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);

    return !obj_is_null(value);
}

bool obj_key_is(struct obj dict, const char *key, const char *name)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);

    return obj_name_is(value, name);
}

bool obj_key_int(struct obj dict, const char *key, long long *value)
{
    AUTO_OBJ struct obj held = obj_key(dict, key);

    return obj_is_int(held, value);
}

const char *obj_bytes(struct obj obj, size_t *n)
{
    const char *bytes = NULL;

    if (obj_is_string(obj))
        return qpdf_oh_get_binary_string_value(obj.q, obj.oh, n);
    if (obj.q && qpdf_oh_get_value_as_name(obj.q, obj.oh, &bytes, n))
        return bytes;
    return NULL;
}

struct obj obj_new_dict(qpdf_data q)
{
    return wrap(q, qpdf_oh_new_dictionary(q));
}

struct obj obj_new_array(qpdf_data q)
{
    return wrap(q, qpdf_oh_new_array(q));
}

struct obj obj_new_string(qpdf_data q, const char *bytes, size_t n)
{
    return wrap(q, qpdf_oh_new_binary_string(q, bytes, n));
}

struct obj obj_new_name(qpdf_data q, const char *name)
{
    return wrap(q, qpdf_oh_new_name(q, name));
}

struct obj obj_new_int(qpdf_data q, long long value)
{
    return wrap(q, qpdf_oh_new_integer(q, value));
}

struct obj obj_parse(qpdf_data q, const char *text)
{
    return wrap(q, qpdf_oh_parse(q, text));
}

struct obj obj_try_parse(qpdf_data q, const char *text)
{
    struct obj obj = obj_parse(q, text);

    qpdf_get_error(q); /* the result reports it */
    return obj;
}

struct obj obj_new_stream(qpdf_data q, const void *data, size_t n)
{
    AUTO_OBJ struct obj null = wrap(q, qpdf_oh_new_null(q));
    struct obj stream = wrap(q, qpdf_oh_new_stream(q));

    qpdf_oh_replace_stream_data(q, stream.oh, data, n, null.oh, null.oh);
    return stream;
}

struct obj obj_indirect(struct obj obj)
{
    return wrap(obj.q, qpdf_make_indirect_object(obj.q, obj.oh));
}

struct obj obj_copy(qpdf_data q, struct obj indirect)
{
    struct obj copy = wrap(q, qpdf_oh_copy_foreign_object(q, indirect.q, indirect.oh));

    if (qpdf_oh_is_initialized(q, copy.oh))
        return copy;
    /* Of a node of the page tree qpdf gives nothing, which would crash what it is put into. */
    obj_drop(&copy);
    return wrap(q, qpdf_oh_new_null(q));
}

bool obj_was_copied(qpdf_data q, struct obj indirect, struct obj *copy)
{
    /* Numbers are given out in order: what is older than the mark was there. */
    AUTO_OBJ struct obj null = wrap(q, qpdf_oh_new_null(q));
    AUTO_OBJ struct obj mark = obj_indirect(null);

    *copy = obj_copy(q, indirect);
    return obj_is_indirect(*copy) && obj_id(*copy) < obj_id(mark);
}

struct obj obj_dict(struct obj stream)
{
    return wrap(stream.q, qpdf_oh_get_dict(stream.q, stream.oh));
}

const char *obj_text(struct obj obj)
{
    return qpdf_oh_unparse_resolved(obj.q, obj.oh);
}

const char *obj_value_text(struct obj obj)
{
    return qpdf_oh_unparse_resolved(obj.q, obj.oh);
}

bool obj_mentions(struct obj obj, const char *const *names)
{
    AUTO_OBJ struct obj dict = obj_is_stream(obj) ? obj_dict(obj) : obj_same(obj);
    const char *text = obj_value_text(dict);

    for (; *names; names++) {
        size_t n = strlen(*names);

        for (const char *at = text; (at = strstr(at, *names)); at += n)
            if (at[n] == ' ')
                return true;
    }
    return false;
}

void obj_set_stream(struct obj stream, const void *data, size_t n)
{
    AUTO_OBJ struct obj filter = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj parms = obj_key(stream, "/DecodeParms");

    qpdf_oh_replace_stream_data(stream.q, stream.oh, data, n, filter.oh, parms.oh);
}

void obj_set(struct obj dict, const char *key, struct obj value)
{
    if (!obj_is_stream(dict)) {
        qpdf_oh_replace_key(dict.q, dict.oh, key, value.oh);
        return;
    }
    AUTO_OBJ struct obj inner = wrap(dict.q, qpdf_oh_get_dict(dict.q, dict.oh));
    qpdf_oh_replace_key(dict.q, inner.oh, key, value.oh);
}

void obj_set_int(struct obj dict, const char *key, long long value)
{
    AUTO_OBJ struct obj number = obj_new_int(dict.q, value);

    obj_set(dict, key, number);
}

void obj_set_name(struct obj dict, const char *key, const char *name)
{
    AUTO_OBJ struct obj value = obj_new_name(dict.q, name);

    obj_set(dict, key, value);
}

void obj_remove(struct obj dict, const char *key)
{
    enum qpdf_object_type_e type = type_of(dict);

    if (type == ot_dictionary)
        qpdf_oh_remove_key(dict.q, dict.oh, key);
    if (type != ot_stream)
        return;
    AUTO_OBJ struct obj inner = wrap(dict.q, qpdf_oh_get_dict(dict.q, dict.oh));
    qpdf_oh_remove_key(dict.q, inner.oh, key);
}

void obj_append(struct obj array, struct obj value)
{
    qpdf_oh_append_item(array.q, array.oh, value.oh);
}

void obj_replace(struct obj old, struct obj value)
{
    int64_t id = obj_id(old);

    qpdf_replace_object(old.q, OBJ_NUMBER(id), OBJ_GEN(id), value.oh);
}

void obj_set_item(struct obj array, int index, struct obj value)
{
    qpdf_oh_set_array_item(array.q, array.oh, index, value.oh);
}

char **obj_keys(struct obj dict)
{
    enum qpdf_object_type_e type = type_of(dict);
    AUTO_OBJ struct obj of_stream = OBJ_NONE;
    size_t n = 0, cap = 16;
    char **keys = calloc(cap, sizeof *keys);

    if (!keys || (type != ot_dictionary && type != ot_stream))
        return keys;
    if (type == ot_stream)
        of_stream = wrap(dict.q, qpdf_oh_get_dict(dict.q, dict.oh));
    qpdf_oh_begin_dict_key_iter(dict.q, type == ot_stream ? of_stream.oh : dict.oh);
    while (qpdf_oh_dict_more_keys(dict.q)) {
        if (n + 1 == cap) {
            char **more = reallocarray(keys, cap *= 2, sizeof *keys);

            if (!more) {
                keys[n] = NULL;
                obj_keys_free(&keys);
                return NULL;
            }
            keys = more;
        }
        keys[n] = strdup(qpdf_oh_dict_next_key(dict.q));
        if (!keys[n]) {
            obj_keys_free(&keys);
            return NULL;
        }
        keys[++n] = NULL;
    }
    return keys;
}

void obj_keys_free(char ***keys)
{
    for (char **key = *keys; key && *key; key++)
        free(*key);
    free(*keys);
    *keys = NULL;
}

struct obj obj_shallow_copy(struct obj dict)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    struct obj copy = keys ? obj_new_dict(dict.q) : OBJ_NONE;

    for (char **key = keys; key && *key; key++) {
        AUTO_OBJ struct obj value = obj_key(dict, *key);
        obj_set(copy, *key, value);
    }
    return copy;
}

void obj_forget_all(qpdf_data q)
{
    qpdf_oh_release_all(q);
}
