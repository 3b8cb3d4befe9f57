#include "write/scan_text/alto.h"

#include "write/scan_text/scan_places.h"

void alto_begin(struct buf *out)
{
    buf_puts(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\" "
             "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
             "xsi:schemaLocation=\"http://www.loc.gov/standards/alto/ns-v4# "
             "http://www.loc.gov/standards/alto/v4/alto-4-4.xsd\" SCHEMAVERSION=\"4.4\">\n"
             "<Description>\n<MeasurementUnit>pixel</MeasurementUnit>\n"
             "<Processing ID=\"ocr\"><processingCategory>contentGeneration</processingCategory>"
             "<processingSoftware><softwareName>platen</softwareName></processingSoftware>"
             "</Processing>\n</Description>\n<Layout>\n");
}

static void put_position(struct buf *out, const struct scan_box *box)
{
    buf_printf(out, " HPOS=\"%ld\" VPOS=\"%ld\" WIDTH=\"%ld\" HEIGHT=\"%ld\"", box->left, box->top,
               box->right - box->left, box->bottom - box->top);
}

static void put_space(struct buf *out, const struct scan_text_page *page,
                      const struct layer_word *word)
{
    struct scan_box a = scan_places_word(page, word), b = scan_places_word(page, word + 1);
    struct scan_box gap = { a.right, a.top, b.left, a.bottom };

    if (b.right <= a.left) {
        gap.left = b.right;
        gap.right = a.left;
    } else if (b.left < a.right) {
        gap.right = gap.left;
    }

    buf_puts(out, "<SP");
    put_position(out, &gap);
    buf_puts(out, "/>");
}

static void put_text_line(struct buf *out, const struct scan_text_page *page,
                          const struct layer_line *line, size_t number)
{
    struct scan_box box = scan_places_lines(page, line, 1);

    buf_printf(out, "<TextLine ID=\"p%zu_l%zu\"", page->number, number);
    put_position(out, &box);
    buf_puts(out, ">");
    for (uint32_t i = 0; i < line->n; i++) {
        const struct layer_word *word = &page->text->words[line->word + i];

        box = scan_places_word(page, word);
        buf_puts(out, "<String");
        put_position(out, &box);
        buf_printf(out, " WC=\"%.2f\" CONTENT=\"", word->confidence / 100.0);
        scan_places_put(out, page->text->text + word->text, word->n);
        buf_puts(out, "\"/>");
        if (word->spaced && i + 1 < line->n)
            put_space(out, page, word);
    }
    buf_puts(out, "</TextLine>\n");
}

/* Paragraphs are blocks of their own: ALTO has no other element for them. */
static void put_blocks(struct buf *out, const struct scan_text_page *page, const char *language)
{
    const struct layer_line *lines = page->text->lines;
    size_t n = page->text->n_lines;

    for (size_t i = 0, number = 1; i < n; number++) {
        size_t block = scan_places_block(lines + i, n - i);
        size_t count = scan_places_paragraph(lines + i, block);
        struct scan_box box = scan_places_lines(page, lines + i, count);

        buf_printf(out, "<TextBlock ID=\"p%zu_b%zu\"", page->number, number);
        put_position(out, &box);
        if (*language)
            buf_printf(out, " LANG=\"%s\"", language);
        buf_puts(out, ">\n");
        for (; count > 0; count--, i++)
            put_text_line(out, page, &lines[i], i + 1);
        buf_puts(out, "</TextBlock>\n");
    }
}

void alto_page(struct buf *out, const struct scan_text_page *page)
{
    struct scan_box box = scan_places_page(page);
    char language[SCAN_PLACES_LANGUAGE] = "";

    buf_printf(out, "<Page ID=\"p%zu\" PHYSICAL_IMG_NR=\"%zu\" WIDTH=\"%ld\" HEIGHT=\"%ld\"",
               page->number, page->number, box.right, box.bottom);
    if (page->text && page->text->n_words > 0)
        buf_printf(out, " PC=\"%.2f\"", page->confidence / 100.0);
    buf_puts(out, ">\n<PrintSpace");
    put_position(out, &box);
    buf_puts(out, ">\n");
    if (page->text) {
        scan_places_language(page, language);
        put_blocks(out, page, language);
    }
    buf_puts(out, "</PrintSpace>\n</Page>\n");
}

void alto_end(struct buf *out)
{
    buf_puts(out, "</Layout>\n</alto>\n");
}
