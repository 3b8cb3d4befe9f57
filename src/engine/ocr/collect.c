#include "engine/ocr/collect.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "engine/ocr/letters.h"

#define SIZES 400 /* limit of the words that a line's font size is estimated by */

struct collector {
    const struct prepared *prepared;
    struct recognition *out;
    struct letters_sizes sizes; /* of the words of the current line */
    struct layer_line *line;    /* NULL: none was begun */
    bool paragraph, block;      /* the next line begins one */
    double sum;                 /* of confidences */
};

/* A word as Tesseract has it: pixels, y downwards. */
struct found {
    const char *text;
    size_t n;
    int left, top, right, bottom;
    int x1, y1, x2, y2; /* baseline */
    float confidence;
    enum layer_direction direction;
};

struct point {
    double x, y;
};

static struct point on_page(const struct collector *c, double x, double y)
{
    const double *m = c->prepared->to_page;

    return (struct point){ m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5] };
}

/* The box of a box's four corners on the page. */
static void put_box(const struct collector *c, const struct found *f, struct layer_word *word)
{
    const int xs[] = { f->left, f->right }, ys[] = { f->top, f->bottom };

    for (int i = 0; i < 4; i++) {
        struct point p = on_page(c, xs[i & 1], ys[i >> 1]);

        word->left = i == 0 ? (float) p.x : fminf(word->left, (float) p.x);
        word->right = i == 0 ? (float) p.x : fmaxf(word->right, (float) p.x);
        word->bottom = i == 0 ? (float) p.y : fminf(word->bottom, (float) p.y);
        word->top = i == 0 ? (float) p.y : fmaxf(word->top, (float) p.y);
    }
}

/* The part of the baseline that is below the word's ink. */
static void put_baseline(const struct collector *c, const struct found *f, struct layer_word *word)
{
    double dx = f->x2 - f->x1, dy = f->y2 - f->y1;
    struct point from, to;

    if (f->direction == LAYER_DOWNWARDS) {
        double x = f->right - 0.8 * (f->right - f->left);

        from = on_page(c, x, f->top);
        to = on_page(c, x, f->bottom);
    } else if (fabs(dx) >= fabs(dy)) {
        double slope = dx != 0 ? dy / dx : 0, begin = dx >= 0 ? f->left : f->right;
        double end = dx >= 0 ? f->right : f->left;

        from = on_page(c, begin, f->y1 + slope * (begin - f->x1));
        to = on_page(c, end, f->y1 + slope * (end - f->x1));
    } else {
        double slope = dx / dy, begin = dy >= 0 ? f->top : f->bottom;
        double end = dy >= 0 ? f->bottom : f->top;

        from = on_page(c, f->x1 + slope * (begin - f->y1), begin);
        to = on_page(c, f->x1 + slope * (end - f->y1), end);
    }
    word->x0 = (float) from.x;
    word->y0 = (float) from.y;
    word->x1 = (float) to.x;
    word->y1 = (float) to.y;
}

/* Height of the ink above and below the baseline, in pixels. */
static void measure(struct collector *c, const struct found *f)
{
    double dx = f->x2 - f->x1, dy = f->y2 - f->y1;
    double above, below;

    if (f->direction == LAYER_DOWNWARDS) {
        letters_note_width(&c->sizes, f->right - f->left);
        return;
    }
    if (fabs(dx) >= fabs(dy)) {
        double middle = (f->y1 + f->y2) / 2.0,
               slant = fabs(dx > 0 ? dy / dx : 0) * (f->right - f->left) / 2;

        above = (dx >= 0 ? middle - f->top : f->bottom - middle) - slant;
        below = (dx >= 0 ? f->bottom - middle : middle - f->top) - slant;
    } else {
        double middle = (f->x1 + f->x2) / 2.0;

        above = dy >= 0 ? f->right - middle : middle - f->left;
        below = dy >= 0 ? middle - f->left : f->right - middle;
    }
    letters_note(&c->sizes, f->text, f->n, above, below);
}

static void end_line(struct collector *c)
{
    double point = hypot(c->prepared->to_page[0], c->prepared->to_page[1]);
    double size = letters_size(&c->sizes) * point;

    if (!c->line)
        return;
    c->line->ascent = (float) (size * LETTERS_ASCENT);
    c->line->descent = (float) (size * LETTERS_DESCENT);
    c->line = NULL;
    c->sizes.n = 0;
}

static void begin_line(struct collector *c, enum layer_direction direction)
{
    struct recognition *out = c->out;

    end_line(c);
    if (out->page.n_lines == out->max_lines) {
        out->full = true;
        return;
    }
    c->line = &out->page.lines[out->page.n_lines++];
    *c->line = (struct layer_line){ .word = out->page.n_words,
                                    .direction = direction,
                                    .paragraph = c->paragraph,
                                    .block = c->block };
    c->paragraph = c->block = false;
}

static void store_word(struct collector *c, const struct found *f, bool spaced)
{
    struct recognition *out = c->out;
    struct layer_page *page = &out->page;
    struct layer_word *word;

    if (!c->line)
        return;
    if (page->n_words == out->max_words || f->n > out->max_text - page->n_text) {
        out->full = true;
        return;
    }
    word = &page->words[page->n_words++];
    *word = (struct layer_word){ .text = page->n_text,
                                 .n = (uint32_t) f->n,
                                 .spaced = spaced,
                                 .confidence = (uint8_t) fmaxf(fminf(f->confidence, 100), 0) };
    memcpy(page->text + page->n_text, f->text, f->n);
    page->n_text += (uint32_t) f->n;
    c->line->n++;
    c->sum += word->confidence;
    put_box(c, f, word);
    put_baseline(c, f, word);
    measure(c, f);
}

static enum layer_direction direction_of(const TessPageIterator *at)
{
    TessOrientation orientation;
    TessWritingDirection direction;
    TessTextlineOrder order;
    float angle;

    TessPageIteratorOrientation((TessPageIterator *) (uintptr_t) at, &orientation, &direction,
                                &order, &angle);
    return direction == WRITING_DIRECTION_TOP_TO_BOTTOM   ? LAYER_DOWNWARDS
           : direction == WRITING_DIRECTION_RIGHT_TO_LEFT ? LAYER_LEFTWARDS
                                                          : LAYER_RIGHTWARDS;
}

static void collect_word(struct collector *c, const TessResultIterator *words)
{
    const TessPageIterator *at = TessResultIteratorGetPageIteratorConst(words);
    char *text = TessResultIteratorGetUTF8Text(words, RIL_WORD);
    struct found f = { .text = text,
                       .n = text ? strlen(text) : 0,
                       .confidence = TessResultIteratorConfidence(words, RIL_WORD),
                       .direction = c->line ? c->line->direction : LAYER_RIGHTWARDS };

    if (f.n > 0 && utf8_is_valid(f.text, f.n) && *f.text != ' ' &&
        TessPageIteratorBoundingBox(at, RIL_WORD, &f.left, &f.top, &f.right, &f.bottom) &&
        TessPageIteratorBaseline(at, RIL_WORD, &f.x1, &f.y1, &f.x2, &f.y2))
        store_word(c, &f, !TessPageIteratorIsAtFinalElement(at, RIL_TEXTLINE, RIL_WORD));
    if (text)
        TessDeleteText(text);
}

void collect_words(TessResultIterator *words, const struct prepared *prepared,
                   struct recognition *out)
{
    struct collector c = { .prepared = prepared, .out = out };
    const TessPageIterator *at = TessResultIteratorGetPageIteratorConst(words);

    out->page.n_lines = out->page.n_words = out->page.n_text = 0;
    do {
        c.block = c.block || TessPageIteratorIsAtBeginningOf(at, RIL_BLOCK);
        c.paragraph = c.paragraph || TessPageIteratorIsAtBeginningOf(at, RIL_PARA);
        if (TessPageIteratorIsAtBeginningOf(at, RIL_TEXTLINE))
            begin_line(&c, direction_of(at));
        collect_word(&c, words);
    } while (TessResultIteratorNext(words, RIL_WORD));
    end_line(&c);
    out->confidence = out->page.n_words ? (int) (c.sum / out->page.n_words + 0.5) : 0;
    out->turned = prepared->turned;
    out->skew = (float) prepared->angle;
}
