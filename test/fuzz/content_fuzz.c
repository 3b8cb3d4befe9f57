/*
 * Input: a byte that says how large a unit is drawn (0: nobody knows), then a content stream. What
 * is shortened draws the same glyphs, forms, images and shadings in the same order, and is not
 * longer when it is shortened once more.
 */
#include "compress/content/content.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "fuzz.h"
#include "pdf/content/operators.h"

static bool draws(const char *op)
{
    static const char *const known[] = { "Tj", "TJ", "'", "\"", "Do", "sh", "EI" };

    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(op, known[i]) == 0)
            return true;
    return false;
}

/* What is drawn: each operator with its names and strings, without the numbers, which are rounded.
 */
static bool note(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct buf *drawn = arg;

    if (!draws(op))
        return true;
    for (size_t i = 0; i < n; i++)
        if (operands[i].type == OPERAND_STRING || operands[i].type == OPERAND_NAME) {
            buf_printf(drawn, "%zu:", operands[i].n);
            buf_put(drawn, operands[i].bytes, operands[i].n);
        }
    buf_puts(drawn, op);
    buf_putc(drawn, '\n');
    return !drawn->failed;
}

static void judge(const uint8_t *data, size_t n, const struct buf *shorter, double scale)
{
    AUTO_BUF struct buf before = BUF_EMPTY, after = BUF_EMPTY, again = BUF_EMPTY;
    const unsigned char *made = (const unsigned char *) buf_text(shorter);

    if (!operators_read(data, n, note, &before) || before.failed)
        return;
    if (!operators_read(made, shorter->len, note, &after) || after.len != before.len ||
        (after.len > 0 && memcmp(after.data, before.data, after.len) != 0))
        abort();
    if (shorter->len > 0 &&
        (!content_shorten(made, shorter->len, scale, &again) || again.len > shorter->len))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    double scale;

    if (n < 2)
        return 0;
    scale = data[0] / 16.0;
    if (content_shorten(data + 1, n - 1, scale, &out))
        judge(data + 1, n - 1, &out, scale);
    return 0;
}
