#include "compress/object_graph/node_values.h"

#include <stdlib.h>
#include <string.h>

bool node_values_open(struct node_values *values, const struct graph *graph)
{
    *values = (struct node_values){ graph, calloc(graph->n, sizeof(struct compact *)) };
    return values->changed != NULL;
}

static void drop_value(struct compact *value)
{
    if (!value)
        return;
    compact_free(value);
    free(value);
}

void node_values_free(struct node_values *values)
{
    for (uint32_t i = 0; values->changed && i < values->graph->n; i++)
        drop_value(values->changed[i]);
    free(values->changed);
    *values = (struct node_values){ 0 };
}

const struct compact *node_values_of(const struct node_values *values, uint32_t node)
{
    return values->changed[node] ? values->changed[node] : &values->graph->nodes[node].value;
}

bool node_values_set(struct node_values *values, uint32_t node, struct compact *value)
{
    struct compact *own = malloc(sizeof *own);

    if (!own) {
        compact_free(value);
        return false;
    }
    drop_value(values->changed[node]);
    *own = *value;
    *value = (struct compact){ 0 };
    values->changed[node] = own;
    return true;
}

static bool copy_value(const struct compact *from, struct compact *to)
{
    *to = (struct compact){ .n_refs = from->n_refs, .cap_refs = from->n_refs };
    buf_put(&to->text, buf_text(&from->text), from->text.len);
    if (to->n_refs > 0 && (to->refs = calloc(to->n_refs, sizeof *to->refs)))
        memcpy(to->refs, from->refs, to->n_refs * sizeof *to->refs);
    if (!to->text.failed && (to->n_refs == 0 || to->refs))
        return true;
    compact_free(to);
    return false;
}

struct compact *node_values_edit(struct node_values *values, uint32_t node)
{
    struct compact value;

    if (!values->changed[node] && (!copy_value(&values->graph->nodes[node].value, &value) ||
                                   !node_values_set(values, node, &value)))
        return NULL;
    return values->changed[node];
}
