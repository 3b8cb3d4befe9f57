#include "stamp/draw/fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/scope.h"

#define NOMINAL 100.0 /* font size in which texts are drawn if they fit a page then */
/* margin around the ink, in font sizes, because curves may extend a little beyond it */
#define PAD        0.02
#define MAX_LINES  24 /* limit of the lines that are tried for one line that is too long */
#define STEPS      4  /* lines are broken at widths of whole quarters of the font size */
#define NOT_DRAWN  SIZE_MAX
#define MAX_BROKEN 20000

/* The text with lines broken at one width. Lengths are in font sizes. */
struct variant {
    int steps; /* the width in steps; 0: not broken */
    struct layout *layout;
    double nominal;
    struct drawing_box ink;
    size_t page;
};

struct fit {
    struct drawing *drawing;
    const char *text;
    struct layout_style style;
    uint32_t color;
    struct variant *variants;
    size_t n;
};

/* Uses a smaller size if the layout would be larger than a drawing's page. */
static int lay_out_variant(struct fit *fit, struct variant *v, struct err *err)
{
    struct layout_size size;

    fit->style.size = v->nominal;
    fit->style.width = v->steps * v->nominal / STEPS;
    layout_free(&v->layout);
    v->layout = layout_new(fit->drawing, fit->text, &fit->style, err);
    if (!v->layout)
        return -1;
    layout_measure(v->layout, &size);
    v->ink = (struct drawing_box){ size.ink.x / v->nominal - PAD, size.ink.y / v->nominal - PAD,
                                   size.ink.width / v->nominal + 2 * PAD,
                                   size.ink.height / v->nominal + 2 * PAD };
    if (size.ink.width <= 0 || size.ink.height <= 0)
        return err_set(err, ERR_INVALID_PARAMETER, "the text has no visible character");
    return 0;
}

static int add_variant(struct fit *fit, int steps, struct err *err)
{
    struct variant v = { .steps = steps, .nominal = NOMINAL, .page = NOT_DRAWN };
    struct variant *more = reallocarray(fit->variants, fit->n + 1, sizeof *more);
    double longest;

    if (!more)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to draw");
    fit->variants = more;
    if (lay_out_variant(fit, &v, err) < 0) {
        layout_free(&v.layout);
        return -1;
    }
    longest = fmax(v.ink.width, v.ink.height) * v.nominal;
    if (longest > DRAWING_SIDE) {
        v.nominal *= 0.95 * DRAWING_SIDE / longest;
        if (lay_out_variant(fit, &v, err) < 0) {
            layout_free(&v.layout);
            return -1;
        }
    }
    fit->variants[fit->n++] = v;
    return 0;
}

/* Returns its index. */
static int find_variant(struct fit *fit, double width, size_t *index, struct err *err)
{
    int steps = width > 0 ? (int) ceil(fmin(width, MAX_BROKEN) * STEPS) : 0;

    for (*index = 0; *index < fit->n; ++*index)
        if (fit->variants[*index].steps == steps)
            return 0;
    return add_variant(fit, steps, err);
}

struct fit *fit_new(struct drawing *drawing, const char *text, const struct layout_style *style,
                    uint32_t color, struct err *err)
{
    AUTO_FIT struct fit *fit = calloc(1, sizeof *fit);

    if (!fit) {
        err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to draw");
        return NULL;
    }
    fit->drawing = drawing;
    fit->text = text;
    fit->style = *style;
    fit->color = color;
    if (add_variant(fit, 0, err) < 0)
        return NULL;
    return scope_take_ptr(&fit);
}

void fit_free(struct fit **fit)
{
    for (size_t i = 0; *fit && i < (*fit)->n; i++)
        layout_free(&(*fit)->variants[i].layout);
    if (*fit)
        free((*fit)->variants);
    free(*fit);
    *fit = NULL;
}

/* The largest font size with which the rotated text fits the space. */
static double size_in(const struct variant *v, const struct fit_room *room)
{
    double c = fabs(cos(room->angle)), s = fabs(sin(room->angle));

    return fmin(room->width / (v->ink.width * c + v->ink.height * s),
                room->height / (v->ink.width * s + v->ink.height * c));
}

/* Tries more and more lines until the text does not get larger any more. */
static int break_for_room(struct fit *fit, const struct fit_room *room, size_t *best,
                          struct err *err)
{
    double whole = fit->variants[0].ink.width, size = size_in(&fit->variants[*best], room);

    for (int lines = 2; lines <= MAX_LINES && size < room->most; lines++) {
        size_t index;

        if (find_variant(fit, fmax(1, whole / lines), &index, err) < 0)
            return -1;
        if (size_in(&fit->variants[index], room) > size) {
            *best = index;
            size = size_in(&fit->variants[index], room);
        }
    }
    return 0;
}

/* Breaks lines for the requested font size, as long as the space at that angle allows. */
static int break_for_size(struct fit *fit, const struct fit_room *room, size_t *best,
                          struct err *err)
{
    double c = fabs(cos(room->angle)), s = fabs(sin(room->angle));
    double longest =
        fmin(c > 1e-6 ? room->width / c : INFINITY, s > 1e-6 ? room->height / s : INFINITY);
    size_t index;

    for (int i = 0; i < 8 && size_in(&fit->variants[*best], room) < room->size; i++) {
        /* A block of several lines has less space at an angle: down to half of it. */
        if (find_variant(fit, fmax(1, longest * (1 - i / 14.0) / room->size), &index, err) < 0)
            return -1;
        if (size_in(&fit->variants[index], room) > size_in(&fit->variants[*best], room))
            *best = index;
    }
    return 0;
}

static void draw_variant(struct fit *fit, struct variant *v)
{
    v->page = drawing_n_pages(fit->drawing);
    drawing_page(fit->drawing, v->ink.width * v->nominal, v->ink.height * v->nominal);
    layout_draw(v->layout, -v->ink.x * v->nominal, -v->ink.y * v->nominal, fit->color);
}

int fit_into(struct fit *fit, const struct fit_room *room, struct fitted *fitted, struct err *err)
{
    size_t best = 0;
    double size = size_in(&fit->variants[0], room);
    struct variant *v;

    if (room->size > 0 ? size < room->size : size < room->readable)
        if ((room->size > 0 ? break_for_size : break_for_room)(fit, room, &best, err) < 0)
            return -1;
    v = &fit->variants[best];
    size = fmin(size_in(v, room), room->size > 0 ? room->size : room->most);
    if (v->page == NOT_DRAWN)
        draw_variant(fit, v);
    *fitted = (struct fitted){ v->page, size / v->nominal, v->ink.width * size,
                               v->ink.height * size, size };
    return 0;
}
