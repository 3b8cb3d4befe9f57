/* icc_use: which ICC profiles of a document readers only convert from. See inventory.h. */
#include <string.h>

#include "compress/compress/inventory.h"

/* The profile of the space that a transparency group blends in (ISO 32000-2, 11.6.6). */
static void mark_blending(struct inventory *objects, struct obj holder)
{
    AUTO_OBJ struct obj group = obj_key(holder, "/Group");
    AUTO_OBJ struct obj space = obj_key(obj_is_dict(group) ? group : holder, "/CS");
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    struct object *object =
        obj_is_indirect(profile) ? inventory_find(objects, obj_id(profile)) : NULL;

    if (object)
        object->other_use = true;
}

/* The profiles of the output intents of the catalog or a page (14.11.5). */
static void mark_outputs(struct inventory *objects, struct obj holder)
{
    AUTO_OBJ struct obj intents = obj_key(holder, "/OutputIntents");

    for (int i = 0; i < obj_count(intents); i++) {
        AUTO_OBJ struct obj intent = obj_item(intents, i);
        AUTO_OBJ struct obj profile = obj_key(intent, "/DestOutputProfile");
        struct object *object =
            obj_is_stream(profile) ? inventory_find(objects, obj_id(profile)) : NULL;

        if (object)
            object->output_profile = true;
    }
}

void icc_use_find(struct inventory *objects, struct pdf_doc *doc)
{
    static const char transparency[] = "/Transparency", intents[] = "/OutputIntents";

    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];
        const struct buf *text = &object->value.text;

        objects->list[object->same].other_use |= object->other_use;
        if (text->data && memmem(text->data, text->len, transparency, strlen(transparency))) {
            AUTO_OBJ struct obj holder = inventory_handle(doc, object);

            mark_blending(objects, holder);
        }
        if (text->data && memmem(text->data, text->len, intents, strlen(intents))) {
            AUTO_OBJ struct obj holder = inventory_handle(doc, object);

            mark_outputs(objects, holder);
        }
    }
    for (size_t i = 0; i < objects->n; i++)
        objects->list[i].source_profile = objects->list[i].stream && !objects->list[i].other_use;
}
