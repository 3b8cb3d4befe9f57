/* equal_objects: which objects are equal, and what is left without duplicates. Without streams. */
#include "compress/object_graph/equal_objects.h"

#include <stdlib.h>

#include "base/scope.h"
#include "tap.h"

/* A catalog with two fonts that are equal once their encodings are, and two pages alike. */
enum { CATALOG, FONT, OTHER_FONT, ENCODING, OTHER_ENCODING, PAGE, OTHER_PAGE, LOST, N };

static const struct object {
    const char *text;
    bool sharable;
    uint32_t refs[6]; /* GRAPH_NONE ends them */
} objects[N] = {
    [CATALOG] = { "<<>>", false, { FONT, OTHER_FONT, PAGE, OTHER_PAGE, GRAPH_NONE } },
    [FONT] = { "<</F >>", true, { ENCODING, GRAPH_NONE } },
    [OTHER_FONT] = { "<</F >>", true, { OTHER_ENCODING, GRAPH_NONE } },
    [ENCODING] = { "<</E 1>>", true, { GRAPH_NONE } },
    [OTHER_ENCODING] = { "<</E 1>>", true, { GRAPH_NONE } },
    [PAGE] = { "<</P 1>>", false, { GRAPH_NONE } },
    [OTHER_PAGE] = { "<</P 1>>", false, { GRAPH_NONE } },
    [LOST] = { "<</E 2>>", true, { GRAPH_NONE } },
};

static void make(struct graph *graph)
{
    *graph = (struct graph){
        .nodes = calloc(N, sizeof *graph->nodes), .n = N, .root = CATALOG, .info = GRAPH_NONE
    };
    for (uint32_t i = 0; i < N; i++) {
        struct graph_node *node = &graph->nodes[i];

        node->id = i + 1;
        node->sharable = objects[i].sharable;
        idmap_add(&graph->index, node->id, i);
        buf_puts(&node->value.text, objects[i].text);
        node->value.refs = calloc(COUNT(objects[i].refs), sizeof *node->value.refs);
        for (size_t k = 0; objects[i].refs[k] != GRAPH_NONE; k++)
            node->value.refs[node->value.n_refs++] =
                (struct compact_ref){ .at = 4, .target = objects[i].refs[k] };
    }
}

int main(void)
{
    struct equal_objects equal;
    struct graph graph;
    struct err err = { 0 };

    make(&graph);
    is_int(equal_objects_find(&equal, &graph, NULL, &err), 0, "equal objects are found");
    is_int(equal.of[OTHER_ENCODING].same, ENCODING, "objects with the same text are equal");
    is_int(equal.of[OTHER_FONT].same, FONT, "so are those that refer to equal objects");
    is_int(equal.of[OTHER_PAGE].same, OTHER_PAGE, "objects that cannot be shared stay apart");
    ok(equal_objects_has(&equal, FONT) && !equal_objects_has(&equal, OTHER_FONT),
       "of equal objects the result has the first");
    ok(!equal_objects_has(&equal, OTHER_ENCODING) && !equal_objects_has(&equal, LOST),
       "it has nothing that is not reached");
    is_int(equal_objects_first(&equal, OTHER_FONT + 1), FONT, "an id leads to the first object");
    is_int((int64_t) equal_objects_first(&equal, 99), GRAPH_NONE, "an unknown id leads to none");

    equal_objects_join(&equal, FONT, PAGE);
    equal_objects_shorten(&equal);
    is_int(equal.of[OTHER_FONT].same, PAGE, "what was equal to a joined object follows it");
    ok(!equal_objects_has(&equal, FONT), "the result does not have the joined object");

    equal_objects_free(&equal);
    graph_free(&graph);
    return done_testing();
}
