#include "engine/page_image/known_text.h"

#define PRIVATE_FIRST 0xe000
#define PRIVATE_LAST  0xf8ff
#define UNKNOWN       0xfffd

static bool is_known(int c)
{
    return c > 0 && c != UNKNOWN && (c < PRIVATE_FIRST || c > PRIVATE_LAST);
}

bool known_text_is(const fz_text *text)
{
    size_t n = 0, known = 0;

    for (const fz_text_span *span = text->head; span; span = span->next)
        for (int i = 0; i < span->len; i++) {
            n++;
            known += is_known(span->items[i].ucs);
        }
    return 2 * known >= n;
}
