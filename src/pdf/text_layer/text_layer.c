#include "pdf/text_layer/text_layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/content/page_resources.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"
#include "pdf/text_layer/glyphless.h"

#define EM            1000.0
#define WORD_CLUSTERS 400  /* limit of a word's; the rest of a longer one is left out */
#define LEVEL         0.06 /* of the font size: a word that is lower or higher lies on the line */
#define SKEWED        0.2  /* sine of the angle from which a line is written as it lies */
#define SCALE_MAX     9999.0

struct text_layer {
    qpdf_data q;
    struct page_resources resources;
    struct glyphless font; /* that is being filled */
    int64_t font_id;       /* its object; 0: none yet */
    const char *font_name;
    bool shown;
};

struct text_layer *text_layer_new(qpdf_data q, struct err *err)
{
    struct text_layer *layer = calloc(1, sizeof *layer);

    if (!layer)
        pdf_doc_no_memory(err);
    else
        *layer = (struct text_layer){ .q = q, .font_name = GLYPHLESS_NAME };
    return layer;
}

struct text_layer *text_layer_new_shown(qpdf_data q, const char *font, struct err *err)
{
    struct text_layer *layer = text_layer_new(q, err);

    if (layer) {
        layer->font_name = font;
        layer->shown = true;
    }
    return layer;
}

void text_layer_free(struct text_layer **layer)
{
    if (!*layer)
        return;
    page_resources_free(&(*layer)->resources);
    glyphless_free(&(*layer)->font);
    free(*layer);
    *layer = NULL;
}

/* A piece of a word that is selected as one: a character with its marks. */
struct cluster {
    size_t begin, n;
    bool leftwards;
};

static bool is_leftwards(uint32_t c)
{
    const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t) c);

    return p->bidi_class == UTF8PROC_BIDI_CLASS_R || p->bidi_class == UTF8PROC_BIDI_CLASS_AL;
}

static bool is_digit_or_letter(uint32_t c)
{
    const utf8proc_property_t *p = utf8proc_get_property((utf8proc_int32_t) c);

    return p->bidi_class == UTF8PROC_BIDI_CLASS_L || p->bidi_class == UTF8PROC_BIDI_CLASS_EN ||
           p->bidi_class == UTF8PROC_BIDI_CLASS_AN;
}

static void turn(struct cluster *clusters, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct cluster kept = clusters[i];

        clusters[i] = clusters[n - 1 - i];
        clusters[n - 1 - i] = kept;
    }
}

/* The order from left to right of a word that has letters of right-to-left scripts, which are
 * written in the order in which they are seen, as in other PDF files: numbers and words of other
 * scripts within it keep theirs. */
static void order_as_seen(const char *text, struct cluster *clusters, size_t n)
{
    bool leftwards = false;

    for (size_t i = 0; i < n; i++)
        leftwards = leftwards || clusters[i].leftwards;
    if (!leftwards)
        return;
    turn(clusters, n);
    for (size_t i = 0; i < n;) {
        size_t end = i, at = clusters[i].begin;

        while (end < n && is_digit_or_letter(utf8_next(text, at + clusters[end].n, &at)))
            if (++end < n)
                at = clusters[end].begin;
        turn(clusters + i, end - i);
        i = end > i ? end : i + 1;
    }
}

static size_t split_word(const char *text, size_t n, struct cluster clusters[static WORD_CLUSTERS])
{
    utf8proc_int32_t state = 0;
    uint32_t before = 0;
    size_t at = 0, count = 0;

    while (at < n) {
        size_t begin = at;
        uint32_t c = utf8_next(text, n, &at);
        bool joins = count > 0 && !utf8proc_grapheme_break_stateful((utf8proc_int32_t) before,
                                                                    (utf8proc_int32_t) c, &state);

        before = c;
        if (joins && at - clusters[count - 1].begin <= GLYPHLESS_BYTES) {
            clusters[count - 1].n = at - clusters[count - 1].begin;
            continue;
        }
        if (count == WORD_CLUSTERS)
            break;
        clusters[count++] = (struct cluster){ begin, at - begin, is_leftwards(c) };
    }
    order_as_seen(text, clusters, count);
    return count;
}

static void put_number(struct buf *out, double value, int digits)
{
    char text[64];
    int n;

    value = isfinite(value) ? fmax(fmin(value, 1e7), -1e7) : 0;
    n = snprintf(text, sizeof text, "%.*f", digits, value);
    while (digits > 0 && text[n - 1] == '0')
        n--;
    if (digits > 0 && text[n - 1] == '.')
        n--;
    if (n == 2 && memcmp(text, "-0", 2) == 0)
        buf_putc(out, '0');
    else
        buf_put(out, text, (size_t) n);
    buf_putc(out, ' ');
}

/* A line while it is written: along and across are coordinates in its own direction. */
struct writing {
    struct buf *out;
    double x, y, cos, sin, size; /* where it begins */
    double along, across;        /* of the last word */
    double scale;                /* of the last text, in percent */
};

/* Shows text as wide as `width` points. */
static void show_codes(struct writing *w, const char *codes, size_t n, double width)
{
    double natural = (double) n * GLYPHLESS_WIDTH / EM * w->size;
    double scale = fmax(fmin(100 * width / natural, SCALE_MAX), 0.1);

    if (fabs(scale - w->scale) > 0.004) {
        put_number(w->out, scale, 2);
        buf_puts(w->out, "Tz");
        w->scale = scale;
    }
    buf_printf(w->out, "<%s>Tj\n", codes);
}

static size_t put_codes(struct text_layer *layer, const char *text, size_t n,
                        char codes[static 4 * WORD_CLUSTERS + 1])
{
    struct cluster clusters[WORD_CLUSTERS];
    size_t count = split_word(text, n, clusters), used = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned code = glyphless_code(&layer->font, text + clusters[i].begin, clusters[i].n);

        if (code)
            snprintf(codes + 4 * used++, 5, "%04X", code);
    }
    return used;
}

static void put_space(struct text_layer *layer, struct writing *w, double width)
{
    char code[5];

    snprintf(code, sizeof code, "%04X", glyphless_code(&layer->font, " ", 1));
    show_codes(w, code, 1, width);
}

static void put_word(struct text_layer *layer, struct writing *w, const struct layer_page *page,
                     const struct layer_word *word)
{
    double dx = (double) word->x1 - word->x0, dy = (double) word->y1 - word->y0;
    double width = dx * w->cos + dy * w->sin; /* along the line */
    double x = word->x0 + dx / 2 - w->x, y = word->y0 + dy / 2 - w->y;
    double along = x * w->cos + y * w->sin - width / 2, across = y * w->cos - x * w->sin;
    char codes[4 * WORD_CLUSTERS + 1];
    size_t n = put_codes(layer, page->text + word->text, word->n, codes);

    if (n == 0)
        return;
    if (fabs(across) < LEVEL * w->size)
        across = 0;
    put_number(w->out, along - w->along, 2);
    put_number(w->out, across - w->across, 2);
    buf_puts(w->out, "Td ");
    w->along = along;
    w->across = across;
    if (layer->shown)
        buf_printf(w->out, "/Span<<" TEXT_LAYER_SURE " %u>>BDC ", word->confidence);
    show_codes(w, codes, n, fmax(width, 0.1));
    if (layer->shown)
        buf_puts(w->out, "EMC ");
}

/* The words of a line that is a little skewed are upright, each at its own height: programs that
 * take text out of pages cut words whose letters do not share a baseline. */
static void straighten(struct writing *w)
{
    if (fabs(w->sin) < SKEWED) {
        w->cos = w->cos < 0 ? -1 : 1;
        w->sin = 0;
    } else if (fabs(w->cos) < SKEWED) {
        w->sin = w->sin < 0 ? -1 : 1;
        w->cos = 0;
    }
}

static void begin_line(struct writing *w, const struct layer_page *page,
                       const struct layer_line *line)
{
    const struct layer_word *first = &page->words[line->word], *last = first + line->n - 1;
    const struct layer_word *from = line->direction == LAYER_LEFTWARDS ? last : first;
    const struct layer_word *to = line->direction == LAYER_LEFTWARDS ? first : last;
    double dx = (double) to->x1 - from->x0, dy = (double) to->y1 - from->y0, n = hypot(dx, dy);

    w->size = fmax((double) line->ascent * EM / GLYPHLESS_ASCENT, 1);
    w->cos = n > 0 ? dx / n : 1;
    w->sin = n > 0 ? dy / n : 0;
    straighten(w);
    w->x = from->x0;
    w->y = from->y0;
    w->along = w->across = 0;
    buf_puts(w->out, "/F ");
    put_number(w->out, w->size, 2);
    buf_puts(w->out, "Tf ");
    put_number(w->out, w->cos, 6);
    put_number(w->out, w->sin, 6);
    put_number(w->out, -w->sin, 6);
    put_number(w->out, w->cos, 6);
    put_number(w->out, w->x, 2);
    put_number(w->out, w->y, 2);
    buf_puts(w->out, "Tm\n");
}

static void put_line(struct text_layer *layer, struct buf *out, const struct layer_page *page,
                     const struct layer_line *line, double *scale)
{
    struct writing w = { .out = out, .scale = *scale };
    bool leftwards = line->direction == LAYER_LEFTWARDS;

    begin_line(&w, page, line);
    for (uint32_t i = 0; i < line->n; i++) {
        const struct layer_word *word = &page->words[line->word + i];

        const struct layer_word *right = leftwards ? word - 1 : word + 1;
        bool last = leftwards ? i == 0 : i + 1 == line->n;

        put_word(layer, &w, page, word);
        if (!last && (leftwards ? right->spaced : word->spaced))
            put_space(layer, &w,
                      hypot((double) right->x0 - word->x1, (double) right->y0 - word->y1));
    }
    *scale = w.scale;
}

/* A new font, whose dictionary is filled when it is complete. */
static void begin_font(struct text_layer *layer)
{
    AUTO_OBJ struct obj empty = obj_new_dict(layer->q);
    AUTO_OBJ struct obj font = obj_indirect(empty);

    layer->font_id = obj_id(font);
}

int text_layer_finish(struct text_layer *layer, struct err *err)
{
    if (layer->font_id == 0)
        return 0;
    AUTO_OBJ struct obj font =
        obj_by_id(layer->q, OBJ_NUMBER(layer->font_id), OBJ_GEN(layer->font_id));
    layer->font_id = 0;
    if (glyphless_write(&layer->font, font, layer->font_name, err) < 0)
        return -1;
    glyphless_free(&layer->font);
    layer->font = (struct glyphless){ 0 };
    return 0;
}

/* Finishes the font if it may have too few codes left for the page. */
static int prepare_font(struct text_layer *layer, const struct layer_page *page, struct err *err)
{
    if (layer->font_id && layer->font.n + page->n_text >= GLYPHLESS_CODES &&
        layer->font.n > GLYPHLESS_CODES / 2 && text_layer_finish(layer, err) < 0)
        return -1;
    if (layer->font_id == 0)
        begin_font(layer);
    return 0;
}

static struct obj make_form(struct text_layer *layer, const struct page_view *view,
                            const struct buf *content)
{
    AUTO_BUF struct buf dict = BUF_EMPTY;
    AUTO_OBJ struct obj font =
        obj_by_id(layer->q, OBJ_NUMBER(layer->font_id), OBJ_GEN(layer->font_id));
    AUTO_OBJ struct obj fonts = obj_new_dict(layer->q);
    AUTO_OBJ struct obj resources = obj_new_dict(layer->q);
    AUTO_OBJ struct obj box = obj_new_array(layer->q);
    struct obj form = obj_new_stream(layer->q, buf_text(content), content->len);

    obj_set(fonts, "/F", font);
    obj_set(resources, "/Font", fonts);
    buf_puts(&dict, "[0 0 ");
    put_number(&dict, view->width, 3);
    put_number(&dict, view->height, 3);
    buf_puts(&dict, "]");
    AUTO_OBJ struct obj bounds = obj_parse(layer->q, buf_text(&dict));
    dict.len = 0;
    buf_puts(&dict, "[");
    for (int i = 0; i < 6; i++)
        put_number(&dict, view->matrix[i], 6);
    buf_puts(&dict, "]");
    AUTO_OBJ struct obj matrix = obj_parse(layer->q, buf_text(&dict));
    obj_set_name(form, "/Type", "/XObject");
    obj_set_name(form, "/Subtype", "/Form");
    obj_set(form, "/BBox", bounds);
    obj_set(form, "/Matrix", matrix);
    obj_set(form, "/Resources", resources);
    obj_set_name(form, TEXT_LAYER_MARK, "/Recognised");
    return form;
}

/* Puts `first` before the content of a page. */
static void prepend(struct obj page, struct obj first)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Contents");
    AUTO_OBJ struct obj contents = obj_new_array(page.q);
    int n = obj_count(old);

    obj_append(contents, first);
    if (obj_is_stream(old))
        obj_append(contents, old);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        if (obj_is_stream(item))
            obj_append(contents, item);
    }
    obj_set(page, "/Contents", contents);
}

int text_layer_add(struct text_layer *layer, struct obj page, const struct layer_page *text,
                   struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_BUF struct buf shown = BUF_EMPTY;
    char name[PAGE_RESOURCES_NAME];
    struct page_view view;
    double scale = 100;

    if (text->n_words == 0)
        return 0;
    if (prepare_font(layer, text, err) < 0)
        return -1;
    page_view_read(page, &view);
    if (layer->shown && text->language)
        buf_printf(&content, "/Span<</Lang(%s)>>BDC\n", text->language);
    buf_printf(&content, "BT %d Tr\n", layer->shown ? 0 : 3);
    for (uint32_t i = 0; i < text->n_lines; i++)
        put_line(layer, &content, text, &text->lines[i], &scale);
    buf_puts(&content, layer->shown && text->language ? "ET\nEMC\n" : "ET\n");
    if (content.failed || layer->font.codes.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj form = make_form(layer, &view, &content);
    if (page_resources_add(&layer->resources, page, "/XObject", "/OcrText", form, name, err) < 0)
        return -1;
    buf_printf(&shown, "%s Do\n", name);
    if (shown.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj first = obj_new_stream(layer->q, buf_text(&shown), shown.len);
    prepend(page, first);
    return 0;
}
