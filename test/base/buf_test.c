#include "base/buf.h"

#include <stdlib.h>

#include "tap.h"

/* Copied each time it grows: so it must not grow often. */
static void grows_in_steps(void)
{
    struct buf b = BUF_EMPTY;
    size_t steps = 0, cap = 0;

    for (int i = 0; i < 1000000; i++) {
        buf_putc(&b, 'x');
        steps += b.cap != cap;
        cap = b.cap;
    }
    ok(steps < 40, "a million single bytes make it grow a few times (%zu)", steps);
    buf_free(&b);
}

int main(void)
{
    AUTO_BUF struct buf b = BUF_EMPTY;

    is_str(buf_text(&b), "", "an empty buffer reads as an empty text");
    buf_puts(&b, "one");
    buf_printf(&b, " %d", 2);
    is_str(buf_text(&b), "one 2", "texts are appended");
    buf_drop(&b, 4);
    is_str(buf_text(&b), "2", "the first bytes can be removed");
    for (int i = 0; i < 100000; i++)
        buf_putc(&b, 'x');
    is_int(b.len, 100001, "a buffer grows to 100,001 bytes");
    ok(b.data[b.len] == '\0', "a NUL follows the last byte");
    char *taken = buf_take(&b);
    ok(taken && strlen(taken) == 100001 && b.len == 0,
       "buf_take returns the text and empties the buffer");
    free(taken);
    char *room = buf_room(&b, 1);
    *room = 'x';
    buf_added(&b, 1);
    is_str(buf_text(&b), "x", "bytes written into buf_room are in the buffer");
    buf_put(&b, "z", (size_t) -2);
    ok(b.failed && b.len == 1, "an impossible size fails and changes nothing");
    buf_puts(&b, "y");
    ok(b.failed && buf_take(&b) == NULL, "a failure is remembered, and buf_take returns NULL");
    grows_in_steps();
    return done_testing();
}
