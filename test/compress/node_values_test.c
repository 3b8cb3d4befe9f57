/* node_values: what is written in place of the values of a graph, which itself stays as it is. */
#include "compress/object_graph/node_values.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define N 2

static const char *text_of(const struct node_values *values, uint32_t node)
{
    return buf_text(&node_values_of(values, node)->text);
}

int main(void)
{
    struct compact_ref ref = { .at = 3, .target = 1 };
    struct graph_node nodes[N] = { 0 };
    struct graph graph = { .nodes = nodes, .n = N };
    struct node_values values;
    struct compact set = { 0 }, *edited;

    buf_puts(&nodes[0].value.text, "<</A >>");
    nodes[0].value.refs = &ref;
    nodes[0].value.n_refs = 1;
    buf_puts(&nodes[1].value.text, "7");
    ok(node_values_open(&values, &graph), "values are made for a graph");
    ok(node_values_of(&values, 0) == &nodes[0].value, "at first the values are those of the graph");

    edited = node_values_edit(&values, 0);
    ok(edited && edited != &nodes[0].value && edited->n_refs == 1 && edited->refs != &ref &&
           edited->refs[0].at == 3,
       "a value that is to be changed is a copy, with its references");
    buf_puts(&edited->text, "%");
    edited->refs[0].target = 0;
    is_str(text_of(&values, 0), "<</A >>%", "the changed value is written");
    ok(strcmp(buf_text(&nodes[0].value.text), "<</A >>") == 0 && ref.target == 1,
       "the graph has its own value still");
    ok(node_values_edit(&values, 0) == edited, "a second change is made to the same copy");

    buf_puts(&set.text, "8");
    ok(node_values_set(&values, 1, &set) && !set.text.data, "a value that is set is moved");
    is_str(text_of(&values, 1), "8", "it is written");
    buf_puts(&set.text, "9");
    ok(node_values_set(&values, 1, &set), "it can be set again");
    is_str(text_of(&values, 1), "9", "the last one is written");

    node_values_free(&values);
    buf_free(&nodes[0].value.text);
    buf_free(&nodes[1].value.text);
    return done_testing();
}
