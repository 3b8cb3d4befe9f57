/* merge: finds equal objects of a document, and which objects are left without duplicates. See
 * inventory.h. */
#include <stdlib.h>

#include "base/digest.h"
#include "base/scope.h"
#include "compress/compress/inventory.h"

#define MAX_ROUNDS 12 /* each makes the objects above those merged in the last one equal */

static uint64_t finish(struct digest *digest)
{
    char text[DIGEST_TEXT];

    digest_end(digest, text);
    text[16] = '\0';
    return strtoull(text, NULL, 16) | 1; /* idmap has no key 0 */
}

static void digest_data(struct object *object, struct pdf_doc *doc)
{
    AUTO_OBJ struct obj stream = inventory_handle(doc, object);
    AUTO_FREE unsigned char *data = NULL;
    struct digest digest;
    size_t n;

    if (!obj_stream_raw(stream, &data, &n)) {
        object->sharable = false; /* unreadable is not equal to anything */
        return;
    }
    digest_start(&digest);
    digest_add(&digest, data, n);
    object->data = finish(&digest);
}

struct sized {
    long long length;
    uint32_t index;
};

static int by_length(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;

    return x->length < y->length ? -1 : x->length > y->length;
}

/* Only streams of equal length can be equal: the others are not read. */
static int digest_streams(struct inventory *objects, struct pdf_doc *doc, struct err *err)
{
    AUTO_FREE struct sized *sized = calloc(objects->n + 1, sizeof *sized);
    size_t n = 0;

    if (!sized)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < objects->n; i++)
        if (objects->list[i].stream)
            sized[n++] = (struct sized){ objects->list[i].length, (uint32_t) i };
    qsort(sized, n, sizeof *sized, by_length);
    for (size_t i = 0; i < n; i++) {
        struct object *object = &objects->list[sized[i].index];

        if ((i == 0 || sized[i - 1].length != sized[i].length) &&
            (i + 1 == n || sized[i + 1].length != sized[i].length))
            object->sharable = false;
        else
            digest_data(object, doc);
    }
    return 0;
}

static uint64_t digest_object(const struct inventory *objects, const struct object *object)
{
    struct digest digest;
    uint8_t stream = object->stream;

    digest_start(&digest);
    digest_add(&digest, &stream, 1);
    digest_add(&digest, &object->data, sizeof object->data);
    for (size_t i = 0; i < object->value.n_refs; i++) {
        uint32_t ref[2] = { object->value.refs[i].at, object->value.refs[i].target };

        if (ref[1] != COMPACT_NULL)
            ref[1] = objects->list[ref[1]].same;
        digest_add(&digest, ref, sizeof ref);
    }
    digest_add(&digest, buf_text(&object->value.text), object->value.text.len);
    return finish(&digest);
}

/* How many were found equal to one before; SIZE_MAX when out of memory. */
static size_t merge_round(struct inventory *objects)
{
    AUTO_IDMAP struct idmap firsts = { 0 };
    size_t merged = 0;

    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];
        uint64_t digest;
        size_t first;

        if (!object->sharable || object->same != i)
            continue;
        digest = digest_object(objects, object);
        first = idmap_find(&firsts, (int64_t) digest);
        if (first != IDMAP_NONE) {
            object->same = (uint32_t) first;
            merged++;
        } else if (!idmap_add(&firsts, (int64_t) digest, i)) {
            return SIZE_MAX;
        }
    }
    return merged;
}

/* Objects that were merged into an object that was itself merged later. */
static void shorten(struct inventory *objects)
{
    for (size_t i = 0; i < objects->n; i++) {
        struct object *object = &objects->list[i];

        while (objects->list[object->same].same != object->same)
            object->same = objects->list[object->same].same;
    }
}

static int mark_live(struct inventory *objects, struct err *err)
{
    AUTO_FREE uint32_t *queue = calloc(objects->n + 2, sizeof *queue);
    size_t n = 0;

    if (!queue)
        return pdf_doc_no_memory(err);
    queue[n++] = objects->root;
    objects->list[objects->root].live = true;
    if (objects->info != COMPACT_NULL && !objects->list[objects->info].live) {
        queue[n++] = objects->info;
        objects->list[objects->info].live = true;
    }
    for (size_t i = 0; i < n; i++) {
        const struct compact *value = &objects->list[queue[i]].value;

        for (size_t k = 0; k < value->n_refs; k++) {
            uint32_t target = value->refs[k].target;

            if (target == COMPACT_NULL)
                continue;
            target = objects->list[target].same;
            if (!objects->list[target].live)
                queue[n++] = target;
            objects->list[target].live = true;
        }
    }
    return 0;
}

int merge_inventories(struct inventory *objects, struct pdf_doc *doc, struct err *err)
{
    if (digest_streams(objects, doc, err) < 0)
        return -1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        size_t merged = merge_round(objects);

        if (merged == SIZE_MAX)
            return pdf_doc_no_memory(err);
        if (merged == 0)
            break;
        shorten(objects);
    }
    return mark_live(objects, err);
}
