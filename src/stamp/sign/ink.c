#include "stamp/sign/ink.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"
#include "pdf/content/album.h"
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

/* The picture alone on a page of a document, which is written to `path`. */
static int write_album(struct ink *ink, const char *path, const struct tool_input *file,
                       struct err *err)
{
    const struct placement_rules rules = { .paper.fit = true };
    AUTO_ALBUM struct album album = { .writer = { .fd = -1 } };
    AUTO_IMAGE_FILE struct image_file *opened = image_open(file->fd, file->bytes, err);
    struct placement placement;
    struct image image;
    int got = opened ? image_next(opened, &image, err) : -1;
    unsigned picture;

    if (got == 0)
        return err_set(err, ERR_CORRUPT_FILE, "it holds no picture");
    if (got < 0 || album_open(&album, path, err) < 0)
        return -1;
    picture = album_picture(&album, &image, err);
    if (picture == 0 || placement_make(&image, &rules, &placement, err) < 0 ||
        album_page(&album, picture, &placement, err) < 0)
        return -1;
    ink->width = placement.width;
    ink->height = placement.height;
    return album_finish(&album, path, err);
}

static int read_album(const char *path, struct buf *out, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "read the picture");
    return fdio_read_all(fd, SIZE_MAX / 2, out, err);
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
    AUTO_BUF struct buf album = BUF_EMPTY;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    char keys[120];

    if (check_kind(name, file, err) < 0 || write_album(ink, run->output, file, err) < 0)
        return blame(name, err);
    if (read_album(run->output, &album, err) < 0 ||
        pdf_doc_open_memory(&doc, &album, NULL, err) < 0)
        return -1;
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
