#include "stamp/sign/ink.h"

#include <stdio.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"
#include "pdf/content/picture_page.h"
#include "pdf/update/import.h"

/* JPEG and PNG keep pictures as a PDF can hold them; of other kinds a signature has no need. */
static int check_kind(const char *name, const struct tool_input *file, struct err *err)
{
    char head[FILE_KIND_HEAD];
    ssize_t n = fdio_read_at(file->fd, head, sizeof head, 0, err);
    const char *kind = n > 0 ? file_kind_of(head, (size_t) n) : NULL;

    if (n < 0)
        return -1;
    if (!kind || (strcmp(kind, "png") != 0 && strcmp(kind, "jpg") != 0))
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a picture in a PNG or JPEG file", name);
    return 0;
}

/* What is wrong with the picture is wrong with that parameter, and not with the document. */
static int blame(const char *name, struct err *err)
{
    char why[sizeof err->msg];

    if (err->code == ERR_CORRUPT_FILE || err->code == ERR_UNSUPPORTED_CONTENT) {
        memcpy(why, err->msg, sizeof why);
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s: %.200s", name, why);
    }
    if (!*err->field)
        snprintf(err->field, sizeof err->field, "%s", name);
    return -1;
}

int ink_add(struct ink *ink, struct update *update, struct tool_run *run, const char *name,
            const struct tool_input *file, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    char keys[120];

    if (check_kind(name, file, err) < 0 ||
        picture_page_open(&doc, file->fd, file->bytes, run->output, &ink->width, &ink->height,
                          err) < 0)
        return blame(name, err);
    snprintf(keys, sizeof keys, "/Type/XObject/Subtype/Form/FormType 1/BBox[0 0 %.4f %.4f]",
             ink->width, ink->height);
    return import_form(update, &doc, keys, &ink->form, err);
}

int ink_place(const struct ink *ink, struct update *update, int drawn, double height,
              const struct drawing_box *place, const char *keys, int *number, struct err *err)
{
    AUTO_BUF struct buf dict = BUF_EMPTY, content = BUF_EMPTY;

    buf_printf(&dict, "%s/Resources<</XObject<</Box %d 0 R/Ink %d 0 R>>>>", keys, drawn, ink->form);
    buf_printf(&content, "q /Box Do Q q %.6f 0 0 %.6f %.3f %.3f cm /Ink Do Q",
               place->width / ink->width, place->height / ink->height, place->x,
               height - place->y - place->height);
    if (dict.failed || content.failed)
        return pdf_doc_no_memory(err);
    if (update_number(update, number, err) < 0)
        return -1;
    return update_stream(update, *number, buf_text(&dict), content.data, content.len, err);
}
