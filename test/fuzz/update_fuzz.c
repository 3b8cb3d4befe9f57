/*
 * Input: a document. Its root and its first page are written anew behind it; what comes of that is
 * a document with as many pages.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "fuzz.h"
#include "pdf/update/update.h"

#define PAGES 20 /* of a document that is worth the time */

/* Returns the file's descriptor. */
static int open_as_file(struct pdf_doc *out, const void *data, size_t n, struct err *err)
{
    AUTO_CLOSE int file = fdio_memory_file(err);
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || fdio_write(file, data, n, err) < 0 ||
        pdf_doc_open_as_is(out, path, NULL, err) < 0)
        return -1;
    return scope_take_fd(&file);
}

static int rewrite(struct update *update, struct obj obj, struct err *err)
{
    static const struct serial_change changes[] = { { "/Fuzz", "true" }, { "/Rotate", "90" } };
    struct serial serial;

    if (!obj_is_indirect(obj) || update_has(update, obj))
        return 0;
    if (update_reopen(update, obj, &serial, err) < 0 ||
        serial_dict(&serial, obj, changes, COUNT(changes), err) < 0)
        return -1;
    return update_close(update, err);
}

static int change(struct update *update, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(update->doc->q), page = obj_page(update->doc->q, 0);
    int number;

    if (rewrite(update, root, err) < 0 || rewrite(update, page, err) < 0 ||
        update_number(update, &number, err) < 0 ||
        update_stream(update, number, "/New true", "data", 4, err) < 0 ||
        update_check(update, err) < 0)
        return -1;
    return update_finish(update, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 }, again = { 0 };
    AUTO_UPDATE struct update update = { 0 };
    AUTO_BUF struct buf all = BUF_EMPTY;
    struct err err;
    AUTO_CLOSE int fd = open_as_file(&doc, data, n, &err);
    AUTO_CLOSE int written = -1;

    if (fd < 0 || doc.n_pages == 0 || doc.n_pages > PAGES ||
        update_start(&update, &doc, fd, (int64_t) n, &err) < 0 || change(&update, &err) < 0)
        return 0;
    buf_put(&all, data, n);
    buf_put(&all, update.added.data, update.added.len);
    written = open_as_file(&again, all.data, all.len, &err);
    if (written < 0 || again.n_pages != doc.n_pages)
        abort();
    return 0;
}
