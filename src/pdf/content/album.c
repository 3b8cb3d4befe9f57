#include "pdf/content/album.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"

int album_open(struct album *a, const char *path, struct err *err)
{
    *a = (struct album){ .writer = { .fd = -1 } };
    if (pdf_writer_open(&a->writer, path, "1.5", err) < 0)
        return -1;
    a->root = pdf_writer_number(&a->writer, err);
    a->pages = pdf_writer_number(&a->writer, err);
    return a->root && a->pages ? 0 : -1;
}

unsigned album_picture(struct album *a, const struct image *image, struct err *err)
{
    return picture_write(&a->writer, &a->shared, image, err);
}

/* Writes at most four digits after the point, without trailing zeros. */
static void put_decimal(struct buf *out, double value)
{
    char text[40];
    int n = snprintf(text, sizeof text, "%.4f", value);

    while (n > 0 && text[n - 1] == '0')
        n--;
    if (n > 0 && text[n - 1] == '.')
        n--;
    text[n] = '\0';
    buf_puts(out, strcmp(text, "-0") == 0 ? "0" : text);
}

static void put_numbers(struct buf *out, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put_decimal(out, values[i]);
        buf_putc(out, ' ');
    }
}

/* The page's content stream: the last page's, if it has the same. */
static unsigned write_content(struct album *a, const struct placement *p, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_puts(&text, "q ");
    if (p->clip) {
        put_numbers(&text, p->box, 4);
        buf_puts(&text, "re W n ");
    }
    put_numbers(&text, p->matrix, 6);
    buf_puts(&text, "cm /I Do Q");
    if (text.failed) {
        pdf_doc_no_memory(err);
        return 0;
    }
    if (a->content_number && strcmp(text.data, a->content.data) == 0)
        return a->content_number;
    a->content_number = pdf_writer_number(&a->writer, err);
    struct iovec piece = { text.data, text.len };
    if (a->content_number == 0 ||
        pdf_writer_stream(&a->writer, a->content_number, "", &piece, 1, err) < 0)
        return 0;
    buf_free(&a->content);
    a->content = text;
    text = BUF_EMPTY;
    return a->content_number;
}

static int add_kid(struct album *a, unsigned page, struct err *err)
{
    if (a->n_pages == PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    if (a->n_pages == a->cap) {
        size_t cap = a->cap ? 2 * a->cap : 64;
        unsigned *more = reallocarray(a->kids, cap, sizeof *more);

        if (!more)
            return pdf_doc_no_memory(err);
        a->kids = more;
        a->cap = cap;
    }
    a->kids[a->n_pages++] = page;
    return 0;
}

int album_page(struct album *a, unsigned picture, const struct placement *p, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    unsigned content = write_content(a, p, err), page;

    if (content == 0)
        return -1;
    page = pdf_writer_number(&a->writer, err);
    if (page == 0 || add_kid(a, page, err) < 0)
        return -1;
    buf_printf(&text, "<</Type/Page/Parent %u 0 R/MediaBox[0 0 ", a->pages);
    put_decimal(&text, p->width);
    buf_putc(&text, ' ');
    put_decimal(&text, p->height);
    buf_printf(&text, "]/Resources<</XObject<</I %u 0 R>>>>/Contents %u 0 R>>", picture, content);
    if (text.failed)
        return pdf_doc_no_memory(err);
    return pdf_writer_object(&a->writer, page, text.data, err);
}

int album_finish(struct album *a, const char *path, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    char keys[40];

    snprintf(keys, sizeof keys, "/Root %u 0 R", a->root);
    buf_printf(&text, "<</Type/Pages/Count %zu/Kids[", a->n_pages);
    for (size_t i = 0; i < a->n_pages; i++)
        buf_printf(&text, "%s%u 0 R", i ? " " : "", a->kids[i]);
    buf_puts(&text, "]>>");
    if (text.failed)
        return pdf_doc_no_memory(err);
    if (pdf_writer_object(&a->writer, a->pages, text.data, err) < 0)
        return -1;
    buf_drop(&text, text.len);
    buf_printf(&text, "<</Type/Catalog/Pages %u 0 R>>", a->pages);
    if (pdf_writer_object(&a->writer, a->root, buf_text(&text), err) < 0 ||
        pdf_writer_finish(&a->writer, keys, err) < 0)
        return -1;
    return pdf_doc_verify(path, "", (int) a->n_pages, err);
}

void album_close(struct album *a)
{
    pdf_writer_close(&a->writer);
    buf_free(&a->content);
    free(a->kids);
    a->kids = NULL;
}
