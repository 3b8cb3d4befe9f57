#include "compress/compress/apply.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

/* Replaces the nulls that were parsed in place of COMPACT_REF by the object that it means. */
static void set_reference(struct obj stream, const char *key, struct obj value, struct obj target)
{
    int n = obj_count(value);

    if (obj_is_null(value)) {
        obj_set(stream, key, target);
        return;
    }
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (obj_is_null(item))
            obj_set_item(value, i, target);
    }
    obj_set(stream, key, value);
}

static int set_key(struct pdf_doc *doc, const struct graph *graph, struct obj stream,
                   const struct compact_edit *edit, struct err *err)
{
    const char *ref = strchr(edit->value, COMPACT_REF);
    AUTO_FREE char *text = NULL;
    AUTO_OBJ struct obj value = OBJ_NONE;

    if (!ref) {
        value = obj_parse(doc->q, edit->value);
        obj_set(stream, edit->key, value);
        return 0;
    }
    if (asprintf(&text, "%.*s null %s", (int) (ref - edit->value), edit->value, ref + 1) < 0) {
        text = NULL;
        return pdf_doc_no_memory(err);
    }
    value = obj_parse(doc->q, text);
    AUTO_OBJ struct obj target = graph_handle(graph, doc, edit->target);
    set_reference(stream, edit->key, value, target);
    return 0;
}

static int apply_edits(struct pdf_doc *doc, const struct graph *graph, uint32_t node,
                       const struct new_stream *made, struct err *err)
{
    AUTO_OBJ struct obj stream = graph_handle(graph, doc, node);

    for (size_t i = 0; i < made->n_edits; i++) {
        if (!made->edits[i].value)
            obj_remove(stream, made->edits[i].key);
        else if (set_key(doc, graph, stream, &made->edits[i], err) < 0)
            return -1;
    }
    obj_set_stream(stream, buf_text(&made->data), made->data.len);
    return 0;
}

/* Streams that are equal to another one share it again. */
static int copy_from(struct obj first, struct obj stream, struct err *err)
{
    static const char *const keys[] = { "/Width",      "/Height", "/BitsPerComponent",
                                        "/ColorSpace", "/Filter", "/DecodeParms",
                                        "/Length1",    "/Decode", "/Mask" };
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_stream_raw(first, &data, &n))
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(first, keys[i]);

        if (obj_is_null(value))
            obj_remove(stream, keys[i]);
        else
            obj_set(stream, keys[i], value);
    }
    obj_set_stream(stream, data, n);
    return 0;
}

int apply_all(struct pdf_doc *doc, const struct equal_objects *objects, apply_make *make, void *arg,
              struct err *err)
{
    const struct graph *graph = objects->graph;

    for (uint32_t i = 0; i < graph->n; i++) {
        AUTO_NEW_STREAM struct new_stream made = { 0 };

        if (!graph->nodes[i].stream)
            continue;
        if (objects->of[i].same != i) {
            AUTO_OBJ struct obj first = graph_handle(graph, doc, objects->of[i].same);
            AUTO_OBJ struct obj stream = graph_handle(graph, doc, i);

            if (copy_from(first, stream, err) < 0)
                return -1;
        } else if (make(arg, i, &made, err) < 0 || apply_edits(doc, graph, i, &made, err) < 0) {
            return -1;
        }
    }
    return pdf_doc_check(doc, "compress", err);
}
