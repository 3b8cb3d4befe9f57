#include "compress/object_graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define MAX_OBJECTS 8000000 /* as many as a file can hold numbers for */

struct reader {
    struct graph *graph;
    struct pdf_doc *doc;
    struct device_spaces *spaces;
};

/* Only the value of objects under these names matters. Others may be identified by the objects
 * that refer to them: pages, fields, annotations, structure elements, layers. */
static bool names_values(const char *name)
{
    static const char *const names[] = {
        "/Resources", "/Font",      "/XObject",  "/ExtGState",     "/ColorSpace",
        "/Pattern",   "/Shading",   "/ProcSet",  "/CIDSystemInfo", "/Widths",
        "/W",         "/W2",        "/Encoding", "/ICCBased",      "/DecodeParms",
        "/Function",  "/Functions", "/CalRGB",   "/Separation",    "/DeviceN",
        "/CharProcs", "/Lab",       "/CalGray",  "/Decode",        "/Group",
    };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool graph_mentions(const struct graph *graph, uint32_t node, const char *text)
{
    const struct buf *value = &graph->nodes[node].value.text;

    return value->data && memmem(value->data, value->len, text, strlen(text));
}

static bool is_value(const struct graph *graph, uint32_t node)
{
    static const char *const types[] = { "/Type/Font", "/Type/ExtGState", "/Type/Encoding",
                                         "/Type/Pattern" };

    if (graph->nodes[node].stream)
        return true;
    for (size_t i = 0; i < COUNT(types); i++)
        if (graph_mentions(graph, node, types[i]))
            return true;
    return false;
}

static bool see_reference(void *arg, int id, int gen, const char *name, uint32_t *target)
{
    struct reader *r = arg;
    struct graph *graph = r->graph;
    int64_t key = (int64_t) id << 20 | gen;
    uint32_t i = graph_find(graph, key);

    if (i == GRAPH_NONE) {
        if (graph->n == graph->cap) {
            uint32_t cap = graph->cap ? graph->cap * 2 : 1024;
            struct graph_node *more =
                cap > MAX_OBJECTS ? NULL : reallocarray(graph->nodes, cap, sizeof *more);

            if (!more)
                return false;
            graph->nodes = more;
            graph->cap = cap;
        }
        i = graph->n++;
        graph->nodes[i] = (struct graph_node){ .id = key };
        if (!idmap_add(&graph->index, key, i))
            return false;
    }
    *target = i;
    graph->nodes[i].sharable |= names_values(name);
    graph->nodes[i].other_use |= strcmp(name, "/ICCBased") != 0;
    return true;
}

uint32_t graph_find(const struct graph *graph, int64_t id)
{
    size_t i = id ? idmap_find(&graph->index, id) : IDMAP_NONE;

    return i == IDMAP_NONE ? GRAPH_NONE : (uint32_t) i;
}

struct obj graph_handle(const struct graph *graph, struct pdf_doc *doc, uint32_t node)
{
    int64_t id = graph->nodes[node].id;

    return obj_by_id(doc->q, OBJ_NUMBER(id), OBJ_GEN(id));
}

/* Keys of an XObject with the values that it has without them (tables 87 and 93). */
static void drop_defaults(struct obj xobject)
{
    static const double identity[6] = { 1, 0, 0, 1, 0, 0 };
    AUTO_OBJ struct obj matrix = obj_key(xobject, "/Matrix");
    bool form = obj_key_is(xobject, "/Subtype", "/Form");
    bool same = form && obj_count(matrix) == COUNT(identity);
    long long type = 0;

    if ((form || obj_key_is(xobject, "/Subtype", "/Image")) &&
        obj_key_is(xobject, "/Type", "/XObject"))
        obj_remove(xobject, "/Type");
    for (size_t i = 0; same && i < COUNT(identity); i++) {
        AUTO_OBJ struct obj item = obj_item(matrix, (int) i);
        double value = 2;

        same = obj_is_number(item, &value) && fabs(value - identity[i]) < 1e-9;
    }
    if (same)
        obj_remove(xobject, "/Matrix");
    if (form && obj_key_int(xobject, "/FormType", &type) && type == 1)
        obj_remove(xobject, "/FormType");
}

static int read_object(struct reader *r, uint32_t i, struct err *err)
{
    AUTO_OBJ struct obj obj = graph_handle(r->graph, r->doc, i);
    AUTO_OBJ struct obj dict = OBJ_NONE;
    struct compact value = { 0 };
    bool stream = obj_is_stream(obj);
    long long length = 0;

    if (stream || obj_is_dict(obj)) {
        obj_remove(obj, "/PieceInfo");
        obj_remove(obj, "/Thumb");
    }
    if (stream) {
        obj_key_int(obj, "/Length", &length);
        drop_defaults(obj);
        obj_remove(obj, "/Length"); /* the library has its own; this one may be an object */
    }
    dict = stream ? obj_dict(obj) : obj_same(obj);
    if (device_spaces_replace(r->spaces, dict, obj_text(dict)) && !stream) {
        obj_drop(&dict);
        dict = graph_handle(r->graph, r->doc, i);
    }
    if (!compact_read(&value, obj_text(dict), see_reference, r)) {
        compact_free(&value);
        return pdf_doc_no_memory(err);
    }
    /* Only now: the list may have moved. */
    r->graph->nodes[i].value = value;
    r->graph->nodes[i].stream = stream;
    r->graph->nodes[i].length = length;
    r->graph->nodes[i].sharable |= is_value(r->graph, i);
    return 0;
}

static bool see_root(struct reader *r, const char *key, uint32_t *index)
{
    AUTO_OBJ struct obj trailer = obj_trailer(r->doc->q);
    AUTO_OBJ struct obj obj = obj_key(trailer, key);

    *index = GRAPH_NONE;
    return !obj_is_indirect(obj) || !obj_is_dict(obj) ||
           see_reference(r, OBJ_NUMBER(obj_id(obj)), OBJ_GEN(obj_id(obj)), "", index);
}

/* Viewers rewrite appearances of fields in place, so that equal ones stay separate. An
 * appearance is a stream, or below dictionaries of kinds and states (12.5.5). `done`: by node. */
static void keep_apart(struct graph *graph, uint32_t i, int depth, bool *done)
{
    struct graph_node *node = i == COMPACT_NULL ? NULL : &graph->nodes[i];

    if (!node || done[i])
        return;
    done[i] = true;
    node->sharable = false;
    if (node->stream || depth == 0)
        return;
    for (size_t k = 0; k < node->value.n_refs; k++)
        keep_apart(graph, node->value.refs[k].target, depth - 1, done);
}

static bool keep_appearances_apart(struct graph *graph)
{
    AUTO_FREE bool *done = calloc(graph->n, sizeof *done);

    for (uint32_t i = 0; done && i < graph->n; i++) {
        const struct compact *value = &graph->nodes[i].value;

        for (size_t k = 0; k < value->n_refs; k++)
            if (value->refs[k].appearance)
                keep_apart(graph, value->refs[k].target, 2, done);
    }
    return done != NULL;
}

int graph_read(struct graph *graph, struct pdf_doc *doc, struct device_spaces *spaces,
               struct err *err)
{
    struct reader r = { graph, doc, spaces };

    *graph = (struct graph){ 0 };
    if (!see_root(&r, "/Root", &graph->root) || !see_root(&r, "/Info", &graph->info))
        return pdf_doc_no_memory(err);
    if (graph->root == GRAPH_NONE)
        return err_set(err, ERR_CORRUPT_FILE, "the document has no catalog");
    for (uint32_t i = 0; i < graph->n; i++)
        if (read_object(&r, i, err) < 0)
            return -1;
    return spaces->no_memory || !keep_appearances_apart(graph) ? pdf_doc_no_memory(err) : 0;
}

void graph_free(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->n; i++)
        compact_free(&graph->nodes[i].value);
    free(graph->nodes);
    idmap_free(&graph->index);
    *graph = (struct graph){ 0 };
}
