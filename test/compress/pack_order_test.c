/* pack_order: objects that are alike stand together in object streams. */
#include "compress/compress/pack_order.h"

#include <stdlib.h>

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
    struct object list[N] = { 0 };
    struct inventory objects = { .list = list, .n = N };
    static const uint32_t wanted[] = { 0, 2, 1, 4, 3, 5 };
    size_t n, right = 0;
    uint32_t *order;

    for (uint32_t i = 0; i < N; i++) {
        buf_puts(&list[i].value.text, texts[i]);
        list[i].same = i == 6 ? 0 : i;
        list[i].live = i != 7;
    }
    order = pack_order(&objects, &n);
    is_int((int) n, 6, "objects that are equal to another, or not reached, have no place");
    for (size_t i = 0; order && i < n && i < COUNT(wanted); i++)
        right += order[i] == wanted[i];
    is_int((int) right, 6, "objects with the same keys stand together, in the order they came");
    free(order);
    for (size_t i = 0; i < N; i++)
        buf_free(&list[i].value.text);
    return done_testing();
}
