#include "stamp/form/painter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"
#include "stamp/draw/layout.h"

#define AUTO_SHARE 0.62 /* in field heights: automatic size of a line in any script */
#define MOST       12.0 /* points: automatic size of text in several lines begins here */
#define LEAST      4.0  /* points: and ends here */
#define STEP       1.0

/* Units of effort (base/effort.h). */
#define LAYOUT 100000.0
#define BYTE   6000.0 /* a byte of its text */
#define LONG   20000  /* bytes of a value above which a paragraph takes far longer */

struct painter {
    struct field_painter base; /* must be the first member */
    struct drawing *drawing;   /* of the current document; NULL before its first picture */
    struct overlay **overlays; /* of all documents; the last is the current one's */
    size_t n, cap;
};

/* A text with its layout. */
struct line {
    struct layout *layout;
    struct layout_size size;
};

static void line_free(struct line *line)
{
    layout_free(&line->layout);
}
#define AUTO_LINE __attribute__((cleanup(line_free)))

/* Lays out one paragraph. `width`: where its lines are broken; 0: not at all. False also if the
 * job's budget does not suffice. */
static bool lay_out_paragraph(struct painter *p, const struct field_text *text, const char *utf8,
                              size_t n, double size, double width, struct line *line)
{
    static const enum layout_align along[] = { LAYOUT_START, LAYOUT_CENTER, LAYOUT_END };
    AUTO_FREE char *copy = effort_spend(LAYOUT + BYTE * (double) n) ? strndup(utf8, n) : NULL;
    const char *like = text->font->name;
    bool bold = strstr(like, "Bold") != NULL;
    int across = text->across >= 0 && text->across <= 2 ? text->across : 0;
    struct layout_style style = {
        .font = *like == 'T'   ? bold ? "Noto Serif Bold" : "Noto Serif"
                : *like == 'C' ? bold ? "monospace Bold" : "monospace"
                               : NULL,
        .bold = bold,
        .size = size,
        .width = width,
        .align = along[field_text_begins_right(utf8, n) ? 2 - across : across],
    };
    struct err err = { 0 };

    line->layout = copy ? layout_new(p->drawing, copy, &style, &err) : NULL;
    if (line->layout)
        layout_measure(line->layout, &line->size);
    return line->layout != NULL;
}

/* The top of a line that is vertically centred in the field, with all its ink inside if there is
 * room. */
static double top_of(const struct field_text *text, const struct layout_size *line, double size)
{
    double top = text->height / 2 + size * 0.36 - line->baseline;
    double low = top + line->ink.y + line->ink.height - (text->height - text->edge);

    if (low > 0)
        top -= low;
    return fmax(top, text->edge - line->ink.y);
}

/* Begins the picture. */
static void begin_field(struct painter *p, const struct field_text *text)
{
    drawing_page(p->drawing, text->width, text->height);
}

static bool draw_line(struct painter *p, const struct field_text *text, const char *utf8, size_t n)
{
    double size = text->size > 0 ? field_text_line_size(text) : text->height * AUTO_SHARE;
    AUTO_LINE struct line line = { 0 };

    if (!lay_out_paragraph(p, text, utf8, n, size, 0, &line))
        return false;
    if (text->size <= 0 && line.size.width > field_text_room(text)) {
        size *= field_text_room(text) / line.size.width;
        line_free(&line);
        if (!lay_out_paragraph(p, text, utf8, n, size, 0, &line))
            return false;
    }
    begin_field(p, text);
    layout_draw(line.layout, field_text_start(text, line.size.width),
                top_of(text, &line.size, size), text->rgb);
    return true;
}

/* Lays out all paragraphs and draws them; if `measured` is not NULL, only measures their total
 * height. */
static bool put_paragraphs(struct painter *p, const struct field_text *text, const char *utf8,
                           size_t n, double size, double *measured)
{
    double y = text->edge + FIELD_TEXT_MARGIN;

    for (size_t at = 0; at <= n;) {
        size_t length = field_text_paragraph(utf8, n, at);
        AUTO_LINE struct line line = { 0 };

        if (!lay_out_paragraph(p, text, utf8 + at, length, size, field_text_room(text), &line))
            return false;
        if (!measured && y < text->height)
            layout_draw(line.layout, field_text_start(text, line.size.width), y, text->rgb);
        y += line.size.height;
        at += length + 1;
        if (!measured && y >= text->height)
            break;
    }
    if (measured)
        *measured = y + text->edge;
    return true;
}

static bool draw_lines(struct painter *p, const struct field_text *text, const char *utf8, size_t n)
{
    double size = text->size > 0 ? field_text_line_size(text) : MOST, height = 0;

    if (!put_paragraphs(p, text, utf8, n, size, &height))
        return false;
    while (text->size <= 0 && height > text->height && size > LEAST) {
        size -= STEP;
        if (!put_paragraphs(p, text, utf8, n, size, &height))
            return false;
    }
    begin_field(p, text);
    return put_paragraphs(p, text, utf8, n, size, NULL);
}

static bool draw_cells(struct painter *p, const struct field_text *text, const char *utf8, size_t n)
{
    double size = text->size > 0 ? field_text_line_size(text) : text->height * AUTO_SHARE;
    double cell = text->width / (double) text->cells;
    size_t count = 0, cells = (size_t) text->cells, first, i = 0;
    bool right = field_text_begins_right(utf8, n);
    AUTO_LINE struct line all = { 0 };

    for (size_t at = 0; at < n; at = field_text_cluster(utf8, n, at))
        count++;
    count = count < cells ? count : cells;
    first = field_text_first_cell(text, count);
    if (!lay_out_paragraph(p, text, utf8, n, size, 0,
                           &all)) /* layout may fail, so it comes before drawing */
        return false;
    begin_field(p, text);
    for (size_t at = 0, end; at < n && i < count; at = end, i++) {
        size_t place = first + (right ? count - 1 - i : i);
        AUTO_LINE struct line line = { 0 };

        end = field_text_cluster(utf8, n, at);
        if (lay_out_paragraph(p, text, utf8 + at, end - at, size, 0, &line))
            layout_draw(line.layout, cell * (double) place + (cell - line.size.width) / 2,
                        top_of(text, &line.size, size), text->rgb);
    }
    return true;
}

static bool draw_options(struct painter *p, const struct field_text *text, const char *utf8,
                         size_t n)
{
    double size = field_text_list_size(text), high = size * FIELD_TEXT_LEADING;
    double top = text->edge;
    size_t at = 0;
    AUTO_LINE struct line all = { 0 };

    if (!lay_out_paragraph(p, text, utf8, n, size, 0,
                           &all)) /* layout may fail, so it comes before drawing */
        return false;
    begin_field(p, text);
    for (size_t i = 0; i < text->n_options && at <= n && top < text->height; i++) {
        size_t length = field_text_paragraph(utf8, n, at);
        struct drawing_box box = { text->edge, top, fmax(text->width - 2 * text->edge, 0), high };
        AUTO_LINE struct line line = { 0 };

        if (text->selected[i])
            drawing_fill(p->drawing, &box, FIELD_TEXT_SELECTED);
        if (lay_out_paragraph(p, text, utf8 + at, length, size, 0, &line))
            layout_draw(line.layout, field_text_start(text, line.size.width),
                        top + size * 0.95 - line.size.baseline, text->rgb);
        at += length + 1;
        top += high;
    }
    return true;
}

static bool draw_field(struct field_painter *painter, const struct field_text *text,
                       const char *utf8, size_t n, size_t *number)
{
    struct painter *p = (struct painter *) painter;
    struct err err = { 0 };

    if (text->width < 1 || text->height < 1 || text->width > DRAWING_SIDE ||
        text->height > DRAWING_SIDE || n > LONG)
        return false;
    if (!p->drawing && !(p->drawing = drawing_new(&err)))
        return false;
    *number = drawing_n_pages(p->drawing);
    if (text->n_options)
        return draw_options(p, text, utf8, n);
    if (text->lines)
        return draw_lines(p, text, utf8, n);
    if (text->cells > 0 && text->cells <= FIELD_TEXT_CELLS)
        return draw_cells(p, text, utf8, n);
    return draw_line(p, text, utf8, n);
}

static int import(struct field_painter *painter, qpdf_data q, struct err *err)
{
    static const struct overlay_style style = { .copied = true, .name = "/FieldText" };
    struct painter *p = (struct painter *) painter;
    AUTO_BUF struct buf pdf = BUF_EMPTY;

    if (!LIST_ROOM(p->overlays, p->n, p->cap))
        return pdf_doc_no_memory(err);
    if (!(p->overlays[p->n] = overlay_new(q, &style, err)))
        return -1;
    p->n++;
    if (drawing_finish(p->drawing, &pdf, err) < 0 ||
        overlay_import(p->overlays[p->n - 1], &pdf, err) < 0)
        return -1;
    drawing_free(&p->drawing);
    return 0;
}

static struct obj picture(struct field_painter *painter, size_t number)
{
    struct painter *p = (struct painter *) painter;

    return overlay_form(p->overlays[p->n - 1], number);
}

struct field_painter *painter_new(struct err *err)
{
    struct painter *p = calloc(1, sizeof *p);

    if (!p) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    p->base = (struct field_painter){ .draw = draw_field, .import = import, .picture = picture };
    return &p->base;
}

void painter_free(struct field_painter **painter)
{
    struct painter *p = (struct painter *) *painter;

    *painter = NULL;
    if (!p)
        return;
    drawing_free(&p->drawing);
    for (size_t i = 0; i < p->n; i++)
        overlay_free(&p->overlays[i]);
    free(p->overlays);
    free(p);
}
