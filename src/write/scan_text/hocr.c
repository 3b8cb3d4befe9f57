#include "write/scan_text/hocr.h"

#include "write/scan_text/scan_places.h"

void hocr_begin(struct buf *out)
{
    buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" "
                  "\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
                  "<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<title></title>\n"
                  "<meta http-equiv=\"Content-Type\" content=\"text/html;charset=utf-8\"/>\n"
                  "<meta name=\"ocr-system\" content=\"platen\"/>\n"
                  "<meta name=\"ocr-capabilities\" content=\"ocr_page ocr_carea ocr_par ocr_line "
                  "ocrx_word ocrp_wconf ocrp_lang ocrp_dir\"/>\n</head>\n<body>\n");
}

static void put_bbox(struct buf *out, const struct scan_box *box)
{
    buf_printf(out, "bbox %ld %ld %ld %ld", box->left, box->top, box->right, box->bottom);
}

static void put_hocr_word(struct buf *out, const struct scan_text_page *page,
                          const struct layer_word *word)
{
    struct scan_box box = scan_places_word(page, word);

    buf_puts(out, "<span class=\"ocrx_word\" title=\"");
    put_bbox(out, &box);
    buf_printf(out, "; x_wconf %u\">", word->confidence);
    scan_places_put(out, page->text->text + word->text, word->n);
    buf_puts(out, "</span>");
}

static void put_hocr_line(struct buf *out, const struct scan_text_page *page,
                          const struct layer_line *line)
{
    struct scan_box box = scan_places_lines(page, line, 1);
    double slope, offset, size = (double) line->ascent + line->descent;

    buf_puts(out, "<span class=\"ocr_line\"");
    if (line->direction == LAYER_LEFTWARDS)
        buf_puts(out, " dir=\"rtl\"");
    buf_puts(out, " title=\"");
    put_bbox(out, &box);
    if (scan_places_baseline(page, line, &slope, &offset))
        buf_printf(out, "; baseline %.4f %.1f", slope, offset);
    buf_printf(out, "; x_size %.1f\">", size * (page->dpi > 0 ? page->dpi : 72) / 72);
    for (uint32_t i = 0; i < line->n; i++) {
        const struct layer_word *word = &page->text->words[line->word + i];

        put_hocr_word(out, page, word);
        if (word->spaced && i + 1 < line->n)
            buf_putc(out, ' ');
    }
    buf_puts(out, "</span>\n");
}

static void put_area(struct buf *out, const struct scan_text_page *page,
                     const struct layer_line *lines, size_t n)
{
    struct scan_box box = scan_places_lines(page, lines, n);

    buf_puts(out, "<div class=\"ocr_carea\" title=\"");
    put_bbox(out, &box);
    buf_puts(out, "\">\n");
    for (size_t i = 0; i < n;) {
        size_t count = scan_places_paragraph(lines + i, n - i);

        box = scan_places_lines(page, lines + i, count);
        buf_puts(out, "<p class=\"ocr_par\" title=\"");
        put_bbox(out, &box);
        buf_puts(out, "\">\n");
        for (; count > 0; count--)
            put_hocr_line(out, page, &lines[i++]);
        buf_puts(out, "</p>\n");
    }
    buf_puts(out, "</div>\n");
}

void hocr_page(struct buf *out, const struct scan_text_page *page)
{
    struct scan_box box = scan_places_page(page);
    char language[SCAN_PLACES_LANGUAGE] = "";

    if (page->text)
        scan_places_language(page, language);
    buf_printf(out, "<div class=\"ocr_page\" id=\"page_%zu\"", page->number);
    if (*language)
        buf_printf(out, " lang=\"%s\" xml:lang=\"%s\"", language, language);
    buf_puts(out, " title=\"");
    put_bbox(out, &box);
    buf_printf(out, "; ppageno %zu", page->number - 1);
    if (page->dpi > 0)
        buf_printf(out, "; scan_res %.0f %.0f", page->dpi, page->dpi);
    buf_puts(out, "\">\n");
    for (size_t i = 0; page->text && i < page->text->n_lines;) {
        size_t n = scan_places_block(page->text->lines + i, page->text->n_lines - i);

        put_area(out, page, page->text->lines + i, n);
        i += n;
    }
    buf_puts(out, "</div>\n");
}

void hocr_end(struct buf *out)
{
    buf_puts(out, "</body>\n</html>\n");
}
