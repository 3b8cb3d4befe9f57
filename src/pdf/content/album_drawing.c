#include "pdf/content/album_drawing.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"

#define DEPTH_MAX 64 /* of arrays and dictionaries, and of references: cairo's are flat */

struct copy {
    struct album *album;
    unsigned *numbers; /* in the album, by the number in the PDF; 0: not copied yet */
    size_t n;
};

static int put_copied(struct copy *copy, struct obj value, struct buf *out, int depth,
                      struct err *err);

static int put_dict(struct copy *copy, struct obj dict, struct buf *out, int depth, struct err *err)
{
    AUTO_KEYS char **keys = obj_keys(dict);

    if (!keys)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        if (strcmp(keys[i], "/Length") == 0 || strcmp(keys[i], "/Parent") == 0)
            continue;
        buf_printf(out, "%s ", keys[i]);
        if (put_copied(copy, value, out, depth, err) < 0)
            return -1;
    }
    return 0;
}

static int put_array(struct copy *copy, struct obj array, struct buf *out, int depth,
                     struct err *err)
{
    buf_putc(out, '[');
    for (int i = 0; i < obj_count(array); i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (put_copied(copy, item, out, depth, err) < 0)
            return -1;
    }
    buf_puts(out, "] ");
    return 0;
}

static int write_stream(struct copy *copy, unsigned number, const char *dict, struct obj stream,
                        struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    if (!obj_stream_raw(stream, &data, &n))
        return err_set(err, ERR_INTERNAL, "the drawing cannot be read");
    struct iovec piece = { data, n };
    return pdf_writer_stream(&copy->album->writer, number, dict, &piece, 1, err);
}

/* Writes an indirect object into the album, once. */
static int write_indirect(struct copy *copy, struct obj object, int depth, unsigned *number,
                          struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    size_t id = (size_t) OBJ_NUMBER(obj_id(object));
    int put;

    if (id >= copy->n)
        return err_set(err, ERR_INTERNAL, "the drawing has an object too many");
    *number = copy->numbers[id];
    if (*number)
        return 0;
    *number = copy->numbers[id] = pdf_writer_number(&copy->album->writer, err);
    if (*number == 0)
        return -1;
    if (obj_is_stream(object)) {
        AUTO_OBJ struct obj dict = obj_dict(object);

        put = put_dict(copy, dict, &text, depth, err);
    } else if (obj_is_dict(object)) {
        buf_puts(&text, "<<");
        put = put_dict(copy, object, &text, depth, err);
        buf_puts(&text, ">>");
    } else if (obj_is_array(object)) {
        put = put_array(copy, object, &text, depth, err);
    } else {
        buf_puts(&text, obj_value_text(object));
        put = 0;
    }
    if (put < 0)
        return -1;
    if (text.failed)
        return pdf_doc_no_memory(err);
    return obj_is_stream(object)
               ? write_stream(copy, *number, buf_text(&text), object, err)
               : pdf_writer_object(&copy->album->writer, *number, buf_text(&text), err);
}

static int put_copied(struct copy *copy, struct obj value, struct buf *out, int depth,
                      struct err *err)
{
    if (depth > DEPTH_MAX)
        return pdf_doc_too_deep(err);
    if (obj_is_indirect(value)) {
        unsigned number = 0;

        if (write_indirect(copy, value, depth + 1, &number, err) < 0)
            return -1;
        buf_printf(out, "%u 0 R ", number);
        return 0;
    }
    if (obj_is_array(value))
        return put_array(copy, value, out, depth + 1, err);
    if (obj_is_dict(value)) {
        buf_puts(out, "<<");
        if (put_dict(copy, value, out, depth + 1, err) < 0)
            return -1;
        buf_puts(out, ">> ");
        return 0;
    }
    buf_printf(out, "%s ", obj_text(value));
    return 0;
}

static double side_of(struct obj box, int index)
{
    AUTO_OBJ struct obj item = obj_item(box, index);
    double side = 0;

    return obj_is_number(item, &side) && side > 0 ? side : 1;
}

/* The dictionary of the form: what the page's has, and the matrix to the unit square. */
static int put_form(struct copy *copy, struct obj page, struct buf *out, struct err *err)
{
    static const char *const kept[] = { "/Resources", "/Group" };
    AUTO_OBJ struct obj box = obj_key(page, "/MediaBox");
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj stream = obj_dict(contents);

    buf_printf(out, "/Type/XObject/Subtype/Form/BBox[0 0 %.4f %.4f]/Matrix[%.12f 0 0 %.12f 0 0]",
               side_of(box, 2), side_of(box, 3), 1 / side_of(box, 2), 1 / side_of(box, 3));
    for (size_t i = 0; i < COUNT(kept); i++) {
        AUTO_OBJ struct obj value = obj_key(page, kept[i]);

        if (obj_is_null(value))
            continue;
        buf_puts(out, kept[i]);
        buf_putc(out, ' ');
        if (put_copied(copy, value, out, 0, err) < 0)
            return -1;
    }
    return put_dict(copy, stream, out, 0, err);
}

unsigned album_drawing(struct album *album, struct buf *pdf, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf dict = BUF_EMPTY;
    struct copy copy = { .album = album };
    AUTO_FREE unsigned *numbers = NULL;
    unsigned form;

    if (pdf_doc_open_memory(&doc, pdf, NULL, err) < 0)
        return 0;
    copy.n = (size_t) pdf_doc_next_number(&doc);
    numbers = copy.numbers = calloc(copy.n, sizeof *numbers);
    AUTO_OBJ struct obj page = obj_page(doc.q, 0);
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    form = numbers ? pdf_writer_number(&album->writer, err) : 0;
    if (!numbers)
        pdf_doc_no_memory(err);
    if (form == 0 || put_form(&copy, page, &dict, err) < 0)
        return 0;
    if (dict.failed) {
        pdf_doc_no_memory(err);
        return 0;
    }
    return write_stream(&copy, form, buf_text(&dict), contents, err) < 0 ? 0 : form;
}
