#include "recovery/objects/nodes.h"

#include <stdlib.h>
#include <string.h>

const char *const nodes_keys[NODE_KEYS] = { "/Resources", "/MediaBox", "/CropBox", "/Rotate" };

void nodes_free(struct nodes *nodes)
{
    free(nodes->by_number);
    free(nodes->list);
    *nodes = (struct nodes){ 0 };
}

/* Where to keep it; NULL where there is no room, and it is read each time. */
static struct node *place_of(struct nodes *nodes, const struct objects *objects, uint32_t number)
{
    if (!nodes->by_number) {
        nodes->by_number = calloc(objects->numbers, sizeof *nodes->by_number);
        nodes->numbers = nodes->by_number ? objects->numbers : 0;
    }
    if (number >= nodes->numbers)
        return NULL;
    if (nodes->by_number[number])
        return &nodes->list[nodes->by_number[number] - 1];
    if (nodes->n == nodes->cap) {
        size_t cap = nodes->cap ? nodes->cap * 2 : 16;
        struct node *list = reallocarray(nodes->list, cap, sizeof *list);

        if (!list)
            return NULL;
        nodes->list = list;
        nodes->cap = cap;
    }
    nodes->list[nodes->n] = (struct node){ 0 };
    nodes->by_number[number] = (uint32_t) ++nodes->n;
    return &nodes->list[nodes->n - 1];
}

struct reading {
    struct node node;
    const char *text;
    bool has_parent;
};

/* If a key occurs twice the first counts, as in dict_find. */
static bool visit_key(void *arg, struct text key, struct text value)
{
    struct reading *r = arg;

    if (!r->has_parent && text_is(key, "/Parent")) {
        r->has_parent = true;
        r->node.parent = text_ref(value);
    }
    for (size_t i = 0; i < NODE_KEYS; i++)
        if (r->node.values[i].n == 0 && text_is(key, nodes_keys[i])) {
            r->node.values[i].at = (size_t) (value.at - r->text);
            r->node.values[i].n = value.n;
        }
    return true;
}

struct node nodes_of(const struct objects *objects, struct nodes *nodes,
                     const struct object *object)
{
    struct node *place = nodes ? place_of(nodes, objects, object->number) : NULL;
    struct text text = objects_text(objects, object);
    struct reading r = { .node = { .known = true, .text = object->text }, .text = text.at };

    if (place && place->known && place->text == object->text)
        return *place;
    dict_walk(text, visit_key, &r);
    if (place)
        *place = r.node;
    return r.node;
}

struct text nodes_value(const struct objects *objects, const struct node *node, const char *key)
{
    for (size_t i = 0; i < NODE_KEYS; i++)
        if (node->values[i].n > 0 && strcmp(nodes_keys[i], key) == 0)
            return (struct text){ objects->text.data + node->text + node->values[i].at,
                                  node->values[i].n };
    return (struct text){ 0 };
}
