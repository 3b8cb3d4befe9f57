#include "pdf/document/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "syntax/inflate/flate.h"

#define OUT_BYTES ((size_t) 64 << 10) /* written at once */

static int flush_file(struct pdf_writer *w, struct err *err)
{
    if (w->out.failed)
        return pdf_doc_no_memory(err);
    if (w->out.len && fdio_write(w->fd, w->out.data, w->out.len, err) < 0) {
        if (errno == EFBIG)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the result is larger than a file may be");
        return err_wrap(err, "write the result");
    }
    buf_drop(&w->out, w->out.len);
    return 0;
}

static int put_data(struct pdf_writer *w, const void *data, size_t n, struct err *err)
{
    w->at += n;
    if (n < OUT_BYTES) {
        buf_put(&w->out, data, n);
        return w->out.len < OUT_BYTES ? 0 : flush_file(w, err);
    }
    if (flush_file(w, err) < 0)
        return -1;
    if (fdio_write(w->fd, data, n, err) == 0)
        return 0;
    if (errno == EFBIG)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result is larger than a file may be");
    return err_wrap(err, "write the result");
}

static int put_string(struct pdf_writer *w, const char *text, struct err *err)
{
    return put_data(w, text, strlen(text), err);
}

int pdf_writer_open(struct pdf_writer *w, const char *path, const char *version, struct err *err)
{
    char head[32];

    *w = (struct pdf_writer){ .fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) };
    if (w->fd < 0)
        return err_sys(err, "open the result");
    if (pdf_writer_number(w, err) == 0 && w->n == 0) /* object 0 is the head of the free ones */
        return -1;
    snprintf(head, sizeof head, "%%PDF-%.3s\n%%\xe2\xe3\xcf\xd3\n", version);
    return put_string(w, head, err);
}

unsigned pdf_writer_number(struct pdf_writer *w, struct err *err)
{
    if (w->n == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 64;
        struct object_place *more =
            cap < UINT32_MAX ? reallocarray(w->places, cap, sizeof *more) : NULL;

        if (!more) {
            pdf_doc_no_memory(err);
            return 0;
        }
        w->places = more;
        w->cap = cap;
    }
    w->places[w->n] = (struct object_place){ 0 };
    return (unsigned) w->n++;
}

int pdf_writer_alone(struct pdf_writer *w, unsigned number, const struct buf *text, struct err *err)
{
    char head[32];

    if (text->failed)
        return pdf_doc_no_memory(err);
    w->places[number] = (struct object_place){ .where = w->at, .kind = OBJECT_AT_OFFSET };
    snprintf(head, sizeof head, "%u 0 obj\n", number);
    if (put_string(w, head, err) < 0 || put_data(w, text->data, text->len, err) < 0)
        return -1;
    return put_string(w, "\nendobj\n", err);
}

int pdf_writer_stream(struct pdf_writer *w, unsigned number, const char *dict,
                      const struct iovec *pieces, size_t n_pieces, struct err *err)
{
    AUTO_BUF struct buf head = BUF_EMPTY;
    size_t bytes = 0;

    for (size_t i = 0; i < n_pieces; i++)
        bytes += pieces[i].iov_len;
    w->places[number] = (struct object_place){ .where = w->at, .kind = OBJECT_AT_OFFSET };
    buf_printf(&head, "%u 0 obj\n<<%s/Length %zu>>\nstream\n", number, dict, bytes);
    if (head.failed)
        return pdf_doc_no_memory(err);
    if (put_string(w, head.data, err) < 0)
        return -1;
    for (size_t i = 0; i < n_pieces; i++)
        if (put_data(w, pieces[i].iov_base, pieces[i].iov_len, err) < 0)
            return -1;
    return put_string(w, "\nendstream\nendobj\n", err);
}

static int put_packed(struct pdf_writer *w, unsigned number, const struct buf *dict,
                      const struct buf *data, struct err *err)
{
    struct iovec piece = { data->data, data->len };

    return dict->failed ? pdf_doc_no_memory(err)
                        : pdf_writer_stream(w, number, dict->data, &piece, 1, err);
}

/* Writes the object stream that was gathered. The objects' places named it already. */
static int put_gathered(struct pdf_writer *w, struct err *err)
{
    AUTO_BUF struct buf dict = BUF_EMPTY, data = BUF_EMPTY;
    unsigned number;

    if (w->gathered.n == 0)
        return 0;
    number = pdf_writer_number(w, err);
    if (number == 0)
        return -1;
    for (size_t i = 0; i < w->gathered.n; i++)
        w->places[w->waiting[i]].where = number;
    if (!object_stream_pack(&w->gathered, FLATE_QUICK, &dict, &data))
        return pdf_doc_no_memory(err);
    return put_packed(w, number, &dict, &data, err);
}

int pdf_writer_object(struct pdf_writer *w, unsigned number, const char *text, struct err *err)
{
    w->places[number] =
        (struct object_place){ .index = (uint16_t) w->gathered.n, .kind = OBJECT_IN_STREAM };
    w->waiting[w->gathered.n] = number;
    object_stream_add(&w->gathered, number);
    buf_puts(&w->gathered.texts, text);
    buf_putc(&w->gathered.texts, '\n');
    return w->gathered.n < PDF_WRITER_GATHER && w->gathered.texts.len < PDF_WRITER_BYTES
               ? 0
               : put_gathered(w, err);
}

static size_t bytes_for(uint64_t value)
{
    size_t n = 1;

    while (value >>= 8)
        n++;
    return n;
}

int pdf_writer_finish(struct pdf_writer *w, const char *keys, struct err *err)
{
    AUTO_BUF struct buf rows = BUF_EMPTY, dict = BUF_EMPTY, data = BUF_EMPTY;
    unsigned number;
    size_t width;
    uint64_t start;
    char text[60];

    if (put_gathered(w, err) < 0)
        return -1;
    number = pdf_writer_number(w, err);
    if (number == 0)
        return -1;
    start = w->at;
    width = bytes_for(start > w->n ? start : w->n);
    w->places[number] = (struct object_place){ .where = start, .kind = OBJECT_AT_OFFSET };
    w->places[0].index = 65535; /* the head of the free objects */
    object_stream_rows(w->places, w->n, width, 2, true, &rows);
    if (rows.failed || !flate_pack(rows.data, rows.len, FLATE_QUICK, &data))
        return pdf_doc_no_memory(err);
    buf_printf(&dict,
               "/Type/XRef/W[1 %zu 2]/Size %zu%s/Filter/FlateDecode/DecodeParms<</Predictor 12"
               "/Columns %zu>>",
               width, w->n, keys, width + 3);
    if (put_packed(w, number, &dict, &data, err) < 0)
        return -1;
    snprintf(text, sizeof text, "startxref\n%llu\n%%%%EOF\n", (unsigned long long) start);
    if (put_string(w, text, err) < 0)
        return -1;
    return flush_file(w, err);
}

void pdf_writer_close(struct pdf_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    free(w->places);
    buf_free(&w->out);
    object_stream_free(&w->gathered);
    *w = (struct pdf_writer){ .fd = -1 };
}
