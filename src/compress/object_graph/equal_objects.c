#include "compress/object_graph/equal_objects.h"

#include <stdlib.h>

#include "base/digest.h"
#include "base/scope.h"

#define MAX_ROUNDS 12 /* each makes the objects above those merged in the last one equal */

struct finder {
    struct equal_objects *equal;
    struct pdf_doc *doc;
    struct candidate {
        bool sharable; /* an equal object can take its place, as far as is known */
        uint64_t data; /* of a stream whose length is not unique: a digest of its bytes */
    } * candidates;    /* by node */
};

static uint64_t finish(struct digest *digest)
{
    char text[DIGEST_TEXT];

    digest_end(digest, text);
    text[16] = '\0';
    return strtoull(text, NULL, 16) | 1; /* idmap has no key 0 */
}

static void digest_data(struct finder *f, uint32_t i)
{
    AUTO_OBJ struct obj stream = graph_handle(f->equal->graph, f->doc, i);
    AUTO_FREE unsigned char *data = NULL;
    struct digest digest;
    size_t n;

    if (!obj_stream_raw(stream, &data, &n)) {
        f->candidates[i].sharable = false; /* unreadable is not equal to anything */
        return;
    }
    digest_start(&digest);
    digest_add(&digest, data, n);
    f->candidates[i].data = finish(&digest);
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
static int digest_streams(struct finder *f, struct err *err)
{
    const struct graph *graph = f->equal->graph;
    AUTO_FREE struct sized *sized = calloc(graph->n + 1, sizeof *sized);
    size_t n = 0;

    if (!sized)
        return pdf_doc_no_memory(err);
    for (uint32_t i = 0; i < graph->n; i++)
        if (graph->nodes[i].stream)
            sized[n++] = (struct sized){ graph->nodes[i].length, i };
    qsort(sized, n, sizeof *sized, by_length);
    for (size_t i = 0; i < n; i++) {
        if ((i == 0 || sized[i - 1].length != sized[i].length) &&
            (i + 1 == n || sized[i + 1].length != sized[i].length))
            f->candidates[sized[i].index].sharable = false;
        else
            digest_data(f, sized[i].index);
    }
    return 0;
}

static uint64_t digest_object(const struct finder *f, uint32_t i)
{
    const struct graph_node *node = &f->equal->graph->nodes[i];
    struct digest digest;
    uint8_t stream = node->stream;

    digest_start(&digest);
    digest_add(&digest, &stream, 1);
    digest_add(&digest, &f->candidates[i].data, sizeof f->candidates[i].data);
    for (size_t k = 0; k < node->value.n_refs; k++) {
        uint32_t ref[2] = { node->value.refs[k].at, node->value.refs[k].target };

        if (ref[1] != COMPACT_NULL)
            ref[1] = f->equal->of[ref[1]].same;
        digest_add(&digest, ref, sizeof ref);
    }
    digest_add(&digest, buf_text(&node->value.text), node->value.text.len);
    return finish(&digest);
}

/* How many were found equal to one before; SIZE_MAX when out of memory. */
static size_t merge_round(struct finder *f)
{
    AUTO_IDMAP struct idmap firsts = { 0 };
    size_t merged = 0;

    for (uint32_t i = 0; i < f->equal->graph->n; i++) {
        uint64_t digest;
        size_t first;

        if (!f->candidates[i].sharable || f->equal->of[i].same != i)
            continue;
        digest = digest_object(f, i);
        first = idmap_find(&firsts, (int64_t) digest);
        if (first != IDMAP_NONE) {
            f->equal->of[i].same = (uint32_t) first;
            merged++;
        } else if (!idmap_add(&firsts, (int64_t) digest, i)) {
            return SIZE_MAX;
        }
    }
    return merged;
}

/* Objects that were joined to an object that was itself joined later. */
void equal_objects_shorten(struct equal_objects *equal)
{
    for (uint32_t i = 0; i < equal->graph->n; i++) {
        struct equal *of = &equal->of[i];

        while (equal->of[of->same].same != of->same)
            of->same = equal->of[of->same].same;
    }
}

static int mark_live(struct equal_objects *equal, struct err *err)
{
    const struct graph *graph = equal->graph;
    AUTO_FREE uint32_t *queue = calloc(graph->n + 2, sizeof *queue);
    size_t n = 0;

    if (!queue)
        return pdf_doc_no_memory(err);
    queue[n++] = graph->root;
    equal->of[graph->root].live = true;
    if (graph->info != GRAPH_NONE && !equal->of[graph->info].live) {
        queue[n++] = graph->info;
        equal->of[graph->info].live = true;
    }
    for (size_t i = 0; i < n; i++) {
        const struct compact *value = &graph->nodes[queue[i]].value;

        for (size_t k = 0; k < value->n_refs; k++) {
            uint32_t target = value->refs[k].target;

            if (target == COMPACT_NULL)
                continue;
            target = equal->of[target].same;
            if (!equal->of[target].live)
                queue[n++] = target;
            equal->of[target].live = true;
        }
    }
    return 0;
}

int equal_objects_find(struct equal_objects *equal, const struct graph *graph, struct pdf_doc *doc,
                       struct err *err)
{
    AUTO_FREE struct candidate *candidates = calloc(graph->n, sizeof *candidates);
    struct finder f = { equal, doc, candidates };

    *equal = (struct equal_objects){ graph, calloc(graph->n, sizeof *equal->of) };
    if (!candidates || !equal->of)
        return pdf_doc_no_memory(err);
    for (uint32_t i = 0; i < graph->n; i++) {
        equal->of[i].same = i;
        candidates[i].sharable = graph->nodes[i].sharable;
    }
    if (digest_streams(&f, err) < 0)
        return -1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        size_t merged = merge_round(&f);

        if (merged == SIZE_MAX)
            return pdf_doc_no_memory(err);
        if (merged == 0)
            break;
        equal_objects_shorten(equal);
    }
    return mark_live(equal, err);
}

void equal_objects_free(struct equal_objects *equal)
{
    free(equal->of);
    *equal = (struct equal_objects){ 0 };
}

uint32_t equal_objects_first(const struct equal_objects *equal, int64_t id)
{
    uint32_t node = graph_find(equal->graph, id);

    return node == GRAPH_NONE ? GRAPH_NONE : equal->of[node].same;
}

void equal_objects_join(struct equal_objects *equal, uint32_t node, uint32_t first)
{
    equal->of[node] = (struct equal){ .same = first, .live = false };
}
