#include "compress/object_graph/icc_use.h"

#include <stdlib.h>

#include "base/scope.h"

/* The profile of the space that a transparency group blends in (ISO 32000-2, 11.6.6). */
static uint32_t find_blending(const struct equal_objects *equal, struct obj holder)
{
    AUTO_OBJ struct obj group = obj_key(holder, "/Group");
    AUTO_OBJ struct obj space = obj_key(obj_is_dict(group) ? group : holder, "/CS");
    AUTO_OBJ struct obj profile = obj_item(space, 1);

    return obj_is_indirect(profile) ? equal_objects_first(equal, obj_id(profile)) : GRAPH_NONE;
}

/* The profiles of the output intents of the catalog or a page (14.11.5). */
static void mark_outputs(const struct equal_objects *equal, struct obj holder, struct icc_use *uses)
{
    AUTO_OBJ struct obj intents = obj_key(holder, "/OutputIntents");

    for (int i = 0; i < obj_count(intents); i++) {
        AUTO_OBJ struct obj intent = obj_item(intents, i);
        AUTO_OBJ struct obj profile = obj_key(intent, "/DestOutputProfile");
        uint32_t node =
            obj_is_stream(profile) ? equal_objects_first(equal, obj_id(profile)) : GRAPH_NONE;

        if (node != GRAPH_NONE)
            uses[node].output = true;
    }
}

struct icc_use *icc_use_find(const struct equal_objects *equal, struct pdf_doc *doc)
{
    const struct graph *graph = equal->graph;
    AUTO_FREE bool *other_use = calloc(graph->n, sizeof *other_use);
    struct icc_use *uses = calloc(graph->n, sizeof *uses);

    if (!other_use || !uses) {
        free(uses);
        return NULL;
    }
    for (uint32_t i = 0; i < graph->n; i++) {
        other_use[i] |= graph->nodes[i].other_use;
        other_use[equal->of[i].same] |= other_use[i];
        if (graph_mentions(graph, i, "/Transparency")) {
            AUTO_OBJ struct obj holder = graph_handle(graph, doc, i);
            uint32_t profile = find_blending(equal, holder);

            if (profile != GRAPH_NONE)
                other_use[profile] = true;
        }
        if (graph_mentions(graph, i, "/OutputIntents")) {
            AUTO_OBJ struct obj holder = graph_handle(graph, doc, i);

            mark_outputs(equal, holder, uses);
        }
    }
    for (uint32_t i = 0; i < graph->n; i++)
        uses[i].source = graph->nodes[i].stream && !other_use[i];
    return uses;
}
