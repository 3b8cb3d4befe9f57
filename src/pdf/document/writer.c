#include "pdf/document/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "syntax/inflate/flate.h"

#define OUT_BYTES ((size_t) 64 << 10) /* written at once */

/* Where an object lies: at an offset, or as which one of an object stream. */
struct pdf_place {
    uint64_t where; /* offset, or the number of the object stream; 0: not written */
    uint16_t index;
    bool gathered;
};

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

int pdf_writer_open(struct pdf_writer *w, const char *path, struct err *err)
{
    *w = (struct pdf_writer){ .fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC) };
    if (w->fd < 0)
        return err_sys(err, "open the result");
    if (pdf_writer_number(w, err) == 0 && w->n == 0) /* object 0 is the head of the free ones */
        return -1;
    return put_string(w, "%PDF-1.5\n%\xe2\xe3\xcf\xd3\n", err);
}

unsigned pdf_writer_number(struct pdf_writer *w, struct err *err)
{
    if (w->n == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 64;
        struct pdf_place *more =
            cap < UINT32_MAX ? reallocarray(w->places, cap, sizeof *more) : NULL;

        if (!more) {
            pdf_doc_no_memory(err);
            return 0;
        }
        w->places = more;
        w->cap = cap;
    }
    w->places[w->n] = (struct pdf_place){ 0 };
    return (unsigned) w->n++;
}

int pdf_writer_stream(struct pdf_writer *w, unsigned number, const char *dict,
                      const struct iovec *pieces, size_t n_pieces, struct err *err)
{
    AUTO_BUF struct buf head = BUF_EMPTY;
    size_t bytes = 0;

    for (size_t i = 0; i < n_pieces; i++)
        bytes += pieces[i].iov_len;
    w->places[number] = (struct pdf_place){ .where = w->at };
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

/* A stream of the writer's own, compressed. */
static int put_packed(struct pdf_writer *w, unsigned number, const char *dict,
                      const struct buf *data, struct err *err)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    AUTO_BUF struct buf full = BUF_EMPTY;

    buf_printf(&full, "%s/Filter/FlateDecode", dict);
    if (data->failed || full.failed)
        return pdf_doc_no_memory(err);
    if (!flate_pack(data->data, data->len, FLATE_QUICK, &packed))
        return pdf_doc_no_memory(err);
    struct iovec piece = { packed.data, packed.len };
    return pdf_writer_stream(w, number, full.data, &piece, 1, err);
}

/* Writes the object stream that was gathered. The objects' places named it already. */
static int put_gathered(struct pdf_writer *w, struct err *err)
{
    size_t first = w->index.len, count = w->n_gathered;
    unsigned number;
    char dict[80];

    if (count == 0)
        return 0;
    number = pdf_writer_number(w, err);
    if (number == 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        w->places[w->waiting[i]].where = number;
    buf_put(&w->index, w->gathered.data, w->gathered.len);
    snprintf(dict, sizeof dict, "/Type/ObjStm/N %zu/First %zu", count, first);
    if (w->gathered.failed || put_packed(w, number, dict, &w->index, err) < 0)
        return pdf_doc_no_memory(err);
    buf_drop(&w->index, w->index.len);
    buf_drop(&w->gathered, w->gathered.len);
    w->n_gathered = 0;
    return 0;
}

int pdf_writer_object(struct pdf_writer *w, unsigned number, const char *text, struct err *err)
{
    w->places[number] = (struct pdf_place){ .index = (uint16_t) w->n_gathered, .gathered = true };
    w->waiting[w->n_gathered++] = number;
    buf_printf(&w->index, "%u %zu ", number, w->gathered.len);
    buf_puts(&w->gathered, text);
    buf_putc(&w->gathered, '\n');
    return w->n_gathered < PDF_WRITER_GATHER ? 0 : put_gathered(w, err);
}

/* One row: what it is, where, and its generation or its index. */
static void put_place(struct buf *out, const struct pdf_place *place, size_t number)
{
    unsigned kind = place->gathered ? 2 : place->where ? 1 : 0;
    unsigned last = number == 0 ? 65535 : place->index;

    buf_putc(out, (char) kind);
    for (int shift = 32; shift >= 0; shift -= 8)
        buf_putc(out, (char) (place->where >> shift));
    buf_putc(out, (char) (last >> 8));
    buf_putc(out, (char) last);
}

int pdf_writer_finish(struct pdf_writer *w, unsigned root, struct err *err)
{
    AUTO_BUF struct buf table = BUF_EMPTY;
    unsigned number;
    uint64_t start;
    char text[120];

    if (put_gathered(w, err) < 0)
        return -1;
    number = pdf_writer_number(w, err);
    if (number == 0)
        return -1;
    start = w->at;
    w->places[number] = (struct pdf_place){ .where = start };
    for (size_t i = 0; i < w->n; i++)
        put_place(&table, &w->places[i], i);
    snprintf(text, sizeof text, "/Type/XRef/W[1 5 2]/Size %zu/Root %u 0 R", w->n, root);
    if (put_packed(w, number, text, &table, err) < 0)
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
    buf_free(&w->gathered);
    buf_free(&w->index);
    *w = (struct pdf_writer){ .fd = -1 };
}
