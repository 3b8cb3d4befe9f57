/*
 * filled: shapes filled by our own way to find what they cover, to the same bytes as by MuPDF's,
 * which looks at every edge four times a line and at every pixel from the shape's leftmost to its
 * rightmost. Only antialiased, and for contexts of engine_clone and engine_apart.
 *
 * The linker puts it in the place of the function that makes MuPDF's collector of edges
 * (meson.build, --wrap): that collects them as ever, and what is done with them is exchanged.
 */
#include <mupdf/fitz.h>
#include <stdatomic.h>
#include <string.h>

#include "image/coverage.h"
#include "image/tint.h"
#include "render/engine.h"
#include "render/guard.h"

/* What follows is not in MuPDF's headers, and is so in its versions 1.19 to 1.27. */
#define IS_KNOWN (FZ_VERSION_MAJOR == 1 && FZ_VERSION_MINOR >= 19 && FZ_VERSION_MINOR <= 27)

#define AHEAD      2
#define CACHE_LINE 64

/* Units of effort (base/effort.h): an edge on one line, of COVERAGE_DOWN a pixel, and a pixel. */
#define LINE  5.0
#define PIXEL 0.5
/* So much more MuPDF's own way takes. */
#define THEIRS 4

typedef struct fz_overprint fz_overprint;
struct gel;

typedef void convert_edges(fz_context *ctx, struct gel *gel, int even_odd, const fz_irect *clip,
                           fz_pixmap *to, uint8_t *color, fz_overprint *overprint);
typedef void paint_color(uint8_t *to, const uint8_t *covered, int n, int w, const uint8_t *color,
                         int alpha, const fz_overprint *overprint);
typedef void paint_mask(uint8_t *to, int to_alpha, const uint8_t *from, int from_alpha, int n,
                        int w, int alpha, const fz_overprint *overprint);

struct gel {
    struct {
        void (*others[6])(void);
        convert_edges *convert;
        void (*is_rect)(void);
        int reusable;
    } calls;
    fz_aa_context levels;
    fz_irect clip, bounds; /* in steps and lines */
    int cap, n_edges;
    struct coverage_edge *edges;
};

struct gel *__real_fz_new_gel(fz_context *ctx);
struct gel *__wrap_fz_new_gel(fz_context *ctx);
fz_irect fz_bound_rasterizer(fz_context *ctx, const struct gel *gel);
paint_color *fz_get_span_color_painter(int n, int alpha, const uint8_t *color,
                                       const fz_overprint *overprint);
paint_mask *fz_get_span_painter(int to_alpha, int from_alpha, int n, int alpha,
                                const fz_overprint *overprint);

static _Atomic(convert_edges *) theirs;

struct brush {
    fz_pixmap *to;
    const uint8_t *color; /* NULL: what is covered is painted itself, on a mask */
    struct tint tint;     /* the same, if it has channels */
    const fz_overprint *overprint;
    paint_color *paint_color;
    paint_mask *paint_mask;
};

/* The row AHEAD below is in another page of memory, which no processor fetches unasked. */
static void fetch(const fz_pixmap *to, const uint8_t *at, int y, int n)
{
    if (y + AHEAD < to->y + to->h)
        for (int i = 0; i < n * to->n; i += CACHE_LINE)
            __builtin_prefetch(at + AHEAD * to->stride + i, 1);
}

static void put(void *cls, int x, int y, const uint8_t *covered, int n)
{
    const struct brush *brush = cls;
    const fz_pixmap *to = brush->to;
    uint8_t *at = to->samples + (y - to->y) * to->stride + (ptrdiff_t) (x - to->x) * to->n;

    fetch(to, at, y, n);
    if (brush->tint.channels > 0)
        tint_pixels(at, covered, (size_t) n, &brush->tint);
    else if (brush->color)
        brush->paint_color(at, covered, to->n, n, brush->color, to->alpha, brush->overprint);
    else
        brush->paint_mask(at, to->alpha, covered, 1, 0, n, 255, brush->overprint);
}

static struct coverage_area area_of(fz_irect box)
{
    return (struct coverage_area){ box.x0, box.y0, box.x1, box.y1 };
}

static struct tint tint_of(const fz_pixmap *to, const uint8_t *color, const fz_overprint *overprint)
{
    struct tint tint = { .channels = 0 };
    int colors = to->n - to->alpha;

    if (!color || overprint || (colors != 1 && colors != 3))
        return tint;
    memcpy(tint.color, color, (size_t) colors);
    if (to->alpha)
        tint.color[colors] = 255;
    tint.channels = to->n;
    tint.part = tint_part(color[colors]);
    return tint;
}

/* What it takes to find what the edges cover, and to paint it. */
static double units_of(const struct coverage_shape *shape, const struct coverage_area *within)
{
    double lines = 0, wide = within->x1 - within->x0, high = within->y1 - within->y0;

    for (size_t i = 0; i < shape->n_edges; i++)
        lines += shape->edges[i].height;
    return lines * LINE + wide * high * PIXEL;
}

static void convert(fz_context *ctx, struct gel *gel, int even_odd, const fz_irect *clip,
                    fz_pixmap *to, uint8_t *color, fz_overprint *overprint)
{
    struct engine_own *own = engine_own(ctx);
    const struct coverage_area within = area_of(*clip);
    const struct coverage_shape shape = { .edges = gel->edges,
                                          .n_edges = (size_t) gel->n_edges,
                                          .bounds = area_of(fz_bound_rasterizer(ctx, gel)),
                                          .even_odd = even_odd };
    struct brush brush = {
        .to = to, .color = color, .tint = tint_of(to, color, overprint), .overprint = overprint
    };
    bool ours = own && gel->levels.hscale == COVERAGE_ACROSS && gel->levels.vscale == COVERAGE_DOWN;

    guard_paint(ctx, units_of(&shape, &within) * (ours ? 1 : THEIRS));
    if (!ours) {
        atomic_load (&theirs)(ctx, gel, even_odd, clip, to, color, overprint);
        return;
    }
    if (color)
        brush.paint_color = fz_get_span_color_painter(to->n, to->alpha, color, overprint);
    else
        brush.paint_mask = fz_get_span_painter(to->alpha, 1, 0, 255, overprint);
    if (!brush.paint_color && !brush.paint_mask)
        return;
    if (!coverage_find(own->coverage, &shape, &within, put, &brush))
        fz_throw(ctx, FZ_ERROR_MEMORY, "a shape");
}

struct gel *__wrap_fz_new_gel(fz_context *ctx)
{
    struct gel *gel = __real_fz_new_gel(ctx);

    if (IS_KNOWN) {
        atomic_store(&theirs, gel->calls.convert);
        gel->calls.convert = convert;
    }
    return gel;
}
