#include "recovery/objects/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "syntax/pdf/syntax.h"

#define CHECKED_MAX  ((size_t) 512 << 20) /* unpacked of a document to see what is damaged, */
#define CHECKED_RATE 16                   /* and for each of its bytes */

#define FOLLOW 20 /* references one after the other */

void objects_free(struct objects *objects)
{
    for (size_t i = 0; i < objects->n; i++)
        free(objects->list[i].mended);
    free(objects->list);
    free(objects->by_number);
    free(objects->plain);
    buf_free(&objects->text);
    *objects = (struct objects){ 0 };
}

bool objects_may_check(const struct objects *objects)
{
    return objects->checked / CHECKED_RATE <= CHECKED_MAX / CHECKED_RATE + objects->file_n;
}

struct object *objects_find(const struct objects *objects, uint32_t number)
{
    uint32_t index = number < objects->numbers ? objects->by_number[number] : 0;

    return index ? &objects->list[index - 1] : NULL;
}

struct text objects_text(const struct objects *objects, const struct object *object)
{
    return (struct text){ objects->text.data + object->text, object->text_n };
}

struct text objects_dict(const struct objects *objects, uint32_t number)
{
    const struct object *object = objects_find(objects, number);

    return object && !object->is_stream ? objects_text(objects, object) : (struct text){ 0 };
}

struct text objects_trailer(const struct objects *objects, size_t i)
{
    return (struct text){ objects->text.data + objects->trailers[2 * i],
                          objects->trailers[2 * i + 1] };
}

struct text objects_resolve(const struct objects *objects, struct text value)
{
    for (int i = 0; i < FOLLOW; i++) {
        uint32_t number = text_ref(value);
        const struct object *object;

        if (!number)
            return value;
        object = objects_find(objects, number);
        if (!object)
            break;
        value = objects_text(objects, object);
    }
    return (struct text){ 0 };
}

struct text objects_key(const struct objects *objects, struct text dict, const char *key)
{
    return objects_resolve(objects, dict_find(dict, key));
}

static int make_object_room(struct objects *objects, uint32_t number, struct err *err)
{
    if (objects->n >= OBJECTS_MAX || objects->text.len > OBJECTS_BYTES)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the document has more objects than can be repaired");
    if (objects->n == objects->cap) {
        size_t cap = objects->cap ? objects->cap * 2 : 256;
        struct object *list = reallocarray(objects->list, cap, sizeof *list);

        if (!list)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
        objects->list = list;
        objects->cap = cap;
    }
    if (number >= objects->numbers) {
        size_t n = number * (size_t) 2 + 1024;
        uint32_t *map;

        if (n > SYNTAX_NUMBER + (size_t) 1)
            n = SYNTAX_NUMBER + (size_t) 1;
        map = reallocarray(objects->by_number, n, sizeof *map);
        if (!map)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
        memset(map + objects->numbers, 0, (n - objects->numbers) * sizeof *map);
        objects->by_number = map;
        objects->numbers = n;
    }
    return 0;
}

int objects_number_rest(struct objects *objects, struct err *err)
{
    for (size_t i = 0; i < objects->n; i++) {
        uint32_t number;

        if (objects->list[i].number)
            continue;
        number = objects_new_number(objects);
        if (make_object_room(objects, number, err) < 0)
            return -1;
        objects->list[i].number = number;
        objects->by_number[number] = (uint32_t) i + 1;
    }
    return 0;
}

uint32_t objects_new_number(struct objects *objects)
{
    uint32_t number = (uint32_t) objects->numbers;

    if (objects->free_from)
        number = objects->free_from;
    else
        while (number > 1 && objects->by_number[number - 1] == 0)
            number--;
    objects->free_from = number ? number + 1 : 2;
    return number ? number : 1;
}

struct object *objects_add(struct objects *objects, uint32_t number, size_t place, size_t text,
                           bool whole, struct err *err)
{
    struct object *object, *before;

    if (objects->text.failed) {
        err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
        return NULL;
    }
    if (number > SYNTAX_NUMBER || make_object_room(objects, number, err) < 0)
        return NULL;
    before = number ? objects_find(objects, number) : NULL;
    object = &objects->list[objects->n];
    *object = (struct object){ .number = number,
                               .place = place,
                               .text = text,
                               .text_n = objects->text.len - text,
                               .whole = whole };
    objects->n++;
    if (!number)
        return object;
    if (before && before->whole && !whole) {
        object->dead = true;
    } else {
        if (before)
            before->dead = true;
        objects->by_number[number] = (uint32_t) objects->n;
    }
    return object;
}

void objects_prefer(struct objects *objects, size_t i)
{
    uint32_t number = objects->list[i].number;
    struct object *before = objects_find(objects, number);

    if (before)
        before->dead = true;
    objects->list[i].dead = false;
    objects->by_number[number] = (uint32_t) i + 1;
}

void objects_bury(struct objects *objects, struct object *object)
{
    object->dead = true;
    if (objects_find(objects, object->number) == object)
        objects->by_number[object->number] = 0;
}

void objects_rewrite(struct objects *objects, struct object *object, const struct buf *text)
{
    object->text = objects->text.len;
    object->text_n = text->len;
    buf_put(&objects->text, text->data, text->len);
}

bool objects_change(struct objects *objects, struct object *object, const char *const *without,
                    struct text extra)
{
    AUTO_BUF struct buf dict = BUF_EMPTY;

    dict_write(&dict, objects_text(objects, object), without, extra);
    if (!dict.failed)
        objects_rewrite(objects, object, &dict);
    return !dict.failed && !objects->text.failed;
}
