#include "pdf/pages/page_stamp.h"

#include <stdio.h>
#include <string.h>

#include "base/fdio.h"
#include "declare/value/file_kind.h"
#include "pdf/content/picture_page.h"
#include "pdf/graft/graft.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_form.h"

static int open_page(struct page_stamp *stamp, const struct tool_input *file, int64_t number,
                     struct err *err)
{
    if (pdf_doc_open(&stamp->doc, file->path, NULL, NULL, err) < 0)
        return -1;
    if (number > (int64_t) stamp->doc.n_pages)
        return err_set(err, ERR_CORRUPT_FILE, "the PDF has %zu pages", stamp->doc.n_pages);
    AUTO_OBJ struct obj page = obj_page(stamp->doc.q, (size_t) number - 1);
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

    stamp->index = (size_t) number - 1;
    stamp->annotated = obj_count(annots) > 0;
    page_view_read(page, &stamp->view);
    return 0;
}

static int open_file(struct page_stamp *stamp, const struct tool_input *file, int64_t number,
                     const char *scratch, struct err *err)
{
    char head[FILE_KIND_HEAD];
    ssize_t n = fdio_read_at(file->fd, head, sizeof head, 0, err);
    const char *kind = n > 0 ? file_kind_of(head, (size_t) n) : NULL;
    double width, height;

    if (n < 0)
        return -1;
    if (kind && strcmp(kind, "pdf") == 0)
        return open_page(stamp, file, number, err);
    if (number != 1)
        return err_set(err, ERR_CORRUPT_FILE, "a picture has no pages");
    if (picture_page_open(&stamp->doc, file->fd, file->bytes, scratch, &width, &height, err) < 0)
        return -1;
    AUTO_OBJ struct obj page = obj_page(stamp->doc.q, 0);
    page_view_read(page, &stamp->view);
    return 0;
}

int page_stamp_open(struct page_stamp *stamp, const char *name, const struct tool_input *file,
                    int64_t number, const char *scratch, struct err *err)
{
    const double same[6] = { 1, 0, 0, 1, 0, 0 };
    char why[sizeof err->msg];

    if (open_file(stamp, file, number, scratch, err) < 0) {
        if (err->code == ERR_INTERNAL || err->code == ERR_LIMIT_EXCEEDED)
            return -1;
        memcpy(why, err->msg, sizeof why);
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s: %.200s", name, why);
    }
    memcpy(stamp->seen, same, sizeof same);
    matrix_invert(stamp->view.matrix, stamp->seen);
    stamp->width = stamp->view.width;
    stamp->height = stamp->view.height;
    return 0;
}

int page_stamp_copy(struct pdf_doc *doc, struct pdf_doc *other, size_t index,
                    struct overlay *overlay, struct page_view *view, size_t *form, struct err *err)
{
    AUTO_GRAFT struct graft graft = { .from = other->q, .to = doc->q };
    struct obj page = obj_page(other->q, index), made = OBJ_NONE;
    int copy;

    page_view_read(page, view);
    if (page_form_make(page, view, false, &made, err) < 0)
        return -1;
    copy = graft_copy(&graft, made, err);
    if (copy == 0)
        return -1;
    AUTO_OBJ struct obj imported = obj_by_id(doc->q, copy, 0);
    return overlay_add(overlay, imported, form, err);
}

int page_stamp_import(struct page_stamp *stamp, struct pdf_doc *doc, struct overlay *overlay,
                      struct err *err)
{
    return page_stamp_copy(doc, &stamp->doc, stamp->index, overlay, &stamp->view, &stamp->form,
                           err);
}

void page_stamp_close(struct page_stamp *stamp)
{
    if (stamp->doc.q)
        pdf_doc_close(&stamp->doc);
}
