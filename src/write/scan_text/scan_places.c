#include "write/scan_text/scan_places.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

#define POINTS 72.0 /* of an inch */

static double scale(const struct scan_text_page *page)
{
    return (page->dpi > 0 ? page->dpi : POINTS) / POINTS;
}

static long pixel(double value)
{
    return isfinite(value) ? lround(fmax(fmin(value, 1e6), 0)) : 0;
}

struct scan_box scan_places_page(const struct scan_text_page *page)
{
    return (struct scan_box){ 0, 0, pixel(page->width * scale(page)),
                              pixel(page->height * scale(page)) };
}

struct scan_box scan_places_word(const struct scan_text_page *page, const struct layer_word *word)
{
    double s = scale(page);

    return (struct scan_box){ pixel(word->left * s), pixel((page->height - word->top) * s),
                              pixel(word->right * s), pixel((page->height - word->bottom) * s) };
}

struct scan_box scan_places_lines(const struct scan_text_page *page, const struct layer_line *lines,
                                  size_t n)
{
    struct scan_box all = { 0 };
    bool any = false;

    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < lines[i].n; k++) {
            struct scan_box box = scan_places_word(page, &page->text->words[lines[i].word + k]);

            if (!any)
                all = box;
            all.left = box.left < all.left ? box.left : all.left;
            all.top = box.top < all.top ? box.top : all.top;
            all.right = box.right > all.right ? box.right : all.right;
            all.bottom = box.bottom > all.bottom ? box.bottom : all.bottom;
            any = true;
        }
    }
    return all;
}

bool scan_places_baseline(const struct scan_text_page *page, const struct layer_line *line,
                          double *slope, double *offset)
{
    const struct layer_word *words = page->text->words + line->word, *first = words, *last;
    struct scan_box box = scan_places_lines(page, line, 1);
    double dx, dy, s = scale(page);

    if (line->n == 0 || line->direction == LAYER_DOWNWARDS)
        return false;
    last = first + line->n - 1;
    if (line->direction == LAYER_LEFTWARDS) {
        first = last;
        last = words;
    }
    dx = (double) last->x1 - first->x0;
    dy = (double) last->y1 - first->y0;
    if (dx <= 0 || fabs(dy) > dx / 4)
        return false;
    *slope = -dy / dx;
    *offset = (page->height - first->y0) * s - (double) box.bottom;
    return true;
}

size_t scan_places_block(const struct layer_line *lines, size_t n)
{
    size_t count = 1;

    while (count < n && !lines[count].block)
        count++;
    return count;
}

size_t scan_places_paragraph(const struct layer_line *lines, size_t n)
{
    size_t count = 1;

    while (count < n && !lines[count].paragraph)
        count++;
    return count;
}

void scan_places_language(const struct scan_text_page *page, char out[static SCAN_PLACES_LANGUAGE])
{
    size_t n = strspn(page->languages, "abcdefghijklmnopqrstuvwxyz");

    if (n > 3)
        n = 0;
    memcpy(out, page->languages, n);
    out[n] = '\0';
}

static bool is_character(uint32_t c)
{
    return c >= ' ' && c != 0xfffe && c != 0xffff;
}

void scan_places_put(struct buf *out, const char *text, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t begin = at;

        if (!is_character(utf8_next(text, n, &at)))
            continue;
        for (; begin < at; begin++)
            buf_put_markup(out, text[begin]);
    }
}
