#include "engine/redact/redact_fill.h"

#include "base/buf.h"
#include "base/scope.h"
#include "engine/redact/redact_frame.h"
#include "pdf/content/balance.h"

static void put_area(struct buf *out, const struct redact_quad *quad)
{
    static const int around[4] = { 0, 1, 3, 2 };

    for (int i = 0; i < 4; i++) {
        redact_frame_put(out, quad->at[2 * around[i]]);
        buf_putc(out, ' ');
        redact_frame_put(out, quad->at[2 * around[i] + 1]);
        buf_puts(out, i ? " l\n" : " m\n");
    }
    buf_puts(out, "f\n");
}

int redact_fill_page(struct obj page, const struct redact_area *areas, size_t n,
                     const struct redact_fill *fill, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_FREE unsigned char *data = NULL;
    struct balance balance = { 0 };
    size_t length = 0;

    if (obj_page_content(page, &data, &length))
        balance_content(data, length, &balance);
    for (size_t i = 0; i < balance.before + 1; i++)
        buf_puts(&out, "q\n");
    buf_put(&out, data ? (char *) data : "", length);
    for (size_t i = 0; i < balance.after + 1; i++)
        buf_puts(&out, "\nQ");
    buf_puts(&out, "\n/Artifact BMC\nq\n");
    redact_frame_put(&out, fill->gray);
    buf_puts(&out, " g\n");
    for (size_t i = 0; i < n; i++)
        put_area(&out, &areas[i].quad);
    buf_puts(&out, "Q\nEMC\n");
    if (out.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a page has too much content");
    AUTO_OBJ struct obj stream = obj_new_stream(page.q, out.data, out.len);
    obj_set(page, "/Contents", stream);
    return 0;
}
