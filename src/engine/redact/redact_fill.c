#include "engine/redact/redact_fill.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/scope.h"
#include "engine/redact/redact_frame.h"
#include "pdf/content/balance.h"
#include "pdf/object/page_view.h"

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

/* Adds the label to the resources of the page; its name becomes `name`. */
static void add_label(struct obj page, const struct redact_label *label,
                      char name[static REDACT_NAME])
{
    AUTO_OBJ struct obj old = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj resources = obj_is_dict(old) ? obj_shallow_copy(old) : obj_new_dict(page.q);
    AUTO_OBJ struct obj all = obj_key(resources, "/XObject");
    AUTO_OBJ struct obj xobjects = obj_is_dict(all) ? obj_shallow_copy(all) : obj_new_dict(page.q);
    unsigned number = 0;

    do
        snprintf(name, REDACT_NAME, "/RdLabel%u", ++number);
    while (obj_has(xobjects, name));
    obj_set(xobjects, name, label->form);
    obj_set(resources, "/XObject", xobjects);
    obj_set(page, "/Resources", resources);
}

static void put_labels(struct buf *out, const struct redact_quad *boxes, size_t n,
                       const struct redact_fill *fill, const char *name)
{
    redact_frame_put(out, 1 - fill->gray);
    buf_puts(out, " g\n");
    for (size_t i = 0; i < n; i++) {
        struct redact_matrix m;

        if (!redact_label_fit(fill->label, &boxes[i], &m))
            continue;
        buf_puts(out, "q");
        for (int k = 0; k < 6; k++) {
            buf_putc(out, ' ');
            redact_frame_put(out, m.at[k]);
        }
        buf_printf(out, " cm %s Do Q\n", name);
    }
}

int redact_fill_page(struct obj page, const struct redact_quad *boxes, size_t n,
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
        put_area(&out, &boxes[i]);
    if (fill->label) {
        char name[REDACT_NAME];

        add_label(page, fill->label, name);
        put_labels(&out, boxes, n, fill, name);
    }
    buf_puts(&out, "Q\nEMC\n");
    if (out.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a page has too much content");
    AUTO_OBJ struct obj stream = obj_new_stream(page.q, out.data, out.len);
    obj_set(page, "/Contents", stream);
    return 0;
}
