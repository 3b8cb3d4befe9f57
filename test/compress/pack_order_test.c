/* pack_order: objects that are alike stand together in object streams. */
#include "compress/compress/pack_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#include "tap.h"

#define N 8

static const char *const texts[N] = {
    "<</Type/Page/Rect[0 0 1 1]/A(/B)>>",
    "<</S/P/K 1>>",
    "<</Type/Page/Rect[9 9 9 9]/A(/C)>>", /* as the first: what its values are does not count */
    "[1 2 3]",
    "<</S/P/K 2>>",
    "<</S/H/K 2>>", /* a name is */
    "<</Type/Page/Rect[0 0 1 1]/A(/B)>>",
    "<</S/P/K 3>>",
};

int main(void)
{
    struct graph_node nodes[N] = { 0 };
    struct graph graph = { .nodes = nodes, .n = N };
    struct equal of[N];
    struct equal_objects objects = { &graph, of };
    AUTO_FREE struct compact **changed = calloc(N, sizeof *changed);
    struct node_values values = { &graph, changed };
    struct compact longer = { 0 };
    static const uint32_t wanted[] = { 0, 2, 1, 4, 3, 5 };
    struct packed *order;
    size_t n, right = 0;

    for (uint32_t i = 0; i < N; i++) {
        buf_puts(&nodes[i].value.text, texts[i]);
        of[i] = (struct equal){ .same = i == 6 ? 0 : i, .live = i != 7 };
    }
    buf_puts(&longer.text, "[1 2 3 4]");
    changed[3] = &longer;
    order = pack_order(&objects, &values, &n);
    is_int((int) n, 6, "objects that are equal to another, or not reached, have no place");
    for (size_t i = 0; order && i < n && i < COUNT(wanted); i++)
        right += order[i].node == wanted[i];
    is_int((int) right, 6, "objects with the same keys stand together, in the order they came");
    ok(order && order[4].weight == strlen("[1 2 3 4]"),
       "a value that was changed counts as it is now");
    free(order);
    for (size_t i = 0; i < N; i++)
        buf_free(&nodes[i].value.text);
    buf_free(&longer.text);
    return done_testing();
}
