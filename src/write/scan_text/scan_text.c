#include "write/scan_text/scan_text.h"

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "write/scan_text/alto.h"
#include "write/scan_text/hocr.h"

static void put_plain_line(struct buf *out, const struct layer_page *text,
                           const struct layer_line *line)
{
    for (uint32_t i = 0; i < line->n; i++) {
        const struct layer_word *word = &text->words[line->word + i];

        buf_put(out, text->text + word->text, word->n);
        if (word->spaced && i + 1 < line->n)
            buf_putc(out, ' ');
    }
    buf_putc(out, '\n');
}

static void plain_page(struct buf *out, const struct scan_text_page *page)
{
    if (page->number > 1)
        buf_putc(out, '\f');
    if (!page->text || page->text->n_lines == 0)
        buf_putc(out, '\n'); /* a text that is empty is not a result */
    for (uint32_t i = 0; page->text && i < page->text->n_lines; i++) {
        if (i > 0 && (page->text->lines[i].paragraph || page->text->lines[i].block))
            buf_putc(out, '\n');
        put_plain_line(out, page->text, &page->text->lines[i]);
    }
}

static int flush(int fd, const struct buf *out, struct err *err)
{
    if (out->failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the text needs more memory than a job has");
    return out->len ? fdio_write(fd, out->data, out->len, err) : 0;
}

int scan_text_begin(int fd, enum scan_text_format format, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (format == SCAN_TEXT_HOCR)
        hocr_begin(&out);
    else if (format == SCAN_TEXT_ALTO)
        alto_begin(&out);
    return flush(fd, &out, err);
}

int scan_text_add(int fd, enum scan_text_format format, const struct scan_text_page *page,
                  struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (format == SCAN_TEXT_HOCR)
        hocr_page(&out, page);
    else if (format == SCAN_TEXT_ALTO)
        alto_page(&out, page);
    else
        plain_page(&out, page);
    return flush(fd, &out, err);
}

int scan_text_end(int fd, enum scan_text_format format, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (format == SCAN_TEXT_HOCR)
        hocr_end(&out);
    else if (format == SCAN_TEXT_ALTO)
        alto_end(&out);
    return flush(fd, &out, err);
}
