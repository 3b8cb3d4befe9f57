#include "engine/page_image/ink.h"

#include <stdlib.h>

#include "base/scope.h"

/* Lengths in millimetres of a page whose shorter side is SHORT_SIDE; blank_page.h explains them. */
#define SHORT_SIDE   210.0
#define BLOCK        12.0
#define SPOT         1.0
#define SHADOW       8.0
#define SHADOW_BEGIN 1.0
#define HOLE_MIN     4.0
#define HOLE_MAX     9.0
#define HOLE_PLACE   22.0
#define STREAK       1.0

#define SPOTS_IN_BLOCK 6     /* as many are a mark */
#define SPOTS_OF_PAGE  0.001 /* of its area */
#define DARKEST_PAPER  128
#define UNEVEN         64 /* levels by which blocks may differ from the paper: light from a side */

struct scan {
    const uint8_t *samples;
    int width, height;
    double mm;              /* pixels */
    int block;              /* pixels on a side of a block */
    int across;             /* blocks in a row of them */
    size_t n;               /* blocks */
    uint8_t *paper, *spots; /* of each block: its median, and the number of its spots */
    uint8_t *inked;         /* of each pixel; emptied as its spot is measured */
    int *stack;             /* pixels of the spot that is measured */
    double area;            /* of all spots, in pixels */
};

/* The connected pixels of ink around one. */
struct spot {
    int left, top, right, bottom; /* the last pixels */
    int area;
    bool begins; /* it reaches the edge of the page */
    bool inner;  /* it is not wholly near the edges */
};

static void scan_free(struct scan *scan)
{
    free(scan->paper);
    free(scan->spots);
    free(scan->inked);
    free(scan->stack);
}
#define AUTO_SCAN __attribute__((cleanup(scan_free)))

static size_t block_at(const struct scan *scan, int x, int y)
{
    return (size_t) (y / scan->block) * (size_t) scan->across + (size_t) (x / scan->block);
}

static uint8_t median(const size_t counts[static 256])
{
    size_t all = 0, below = 0;
    int level = 0;

    for (int i = 0; i < 256; i++)
        all += counts[i];
    while (level < 255 && 2 * (below += counts[level]) < all)
        level++;
    return (uint8_t) level;
}

static uint8_t block_paper(const struct scan *scan, size_t block)
{
    int x0 = (int) (block % (size_t) scan->across) * scan->block;
    int y0 = (int) (block / (size_t) scan->across) * scan->block;
    size_t counts[256] = { 0 };

    for (int y = y0; y < y0 + scan->block && y < scan->height; y++)
        for (int x = x0; x < x0 + scan->block && x < scan->width; x++)
            counts[scan->samples[(size_t) y * (size_t) scan->width + (size_t) x]]++;
    return median(counts);
}

static int scan_begin(struct scan *scan, struct err *err)
{
    size_t pixels = (size_t) scan->width * (size_t) scan->height;
    int down;

    scan->mm = (scan->width < scan->height ? scan->width : scan->height) / SHORT_SIDE;
    scan->block = scan->mm * BLOCK < 1 ? 1 : (int) (scan->mm * BLOCK);
    scan->across = (scan->width - 1) / scan->block + 1;
    down = (scan->height - 1) / scan->block + 1;
    scan->n = (size_t) scan->across * (size_t) down;
    scan->paper = malloc(scan->n);
    scan->spots = calloc(scan->n, 1);
    scan->inked = malloc(pixels);
    scan->stack = malloc(pixels * sizeof *scan->stack);
    if (!scan->paper || !scan->spots || !scan->inked || !scan->stack)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to look at a page");
    return 0;
}

/* Of n blocks in a row, the one nearest to block i that is neither the first nor the last. */
static int inner(int i, int n)
{
    return n < 3 ? i : i < 1 ? 1 : i > n - 2 ? n - 2 : i;
}

/* The block next to this one on the inside of the page; a block that is inside is its own. */
static size_t inner_block(const struct scan *scan, size_t block)
{
    int across = scan->across, down = (int) (scan->n / (size_t) across);
    int x = inner((int) block % across, across), y = inner((int) block / across, down);

    return (size_t) y * (size_t) across + (size_t) x;
}

static int distance(uint8_t a, uint8_t b)
{
    return abs((int) a - (int) b);
}

/* Sets what is ink. False: the paper of the page is dark, or a block differs from it as a whole. */
static bool find_ink(struct scan *scan, struct ink *ink)
{
    size_t counts[256] = { 0 };
    bool even = true;

    for (size_t i = 0; i < scan->n; i++)
        counts[scan->paper[i] = block_paper(scan, i)]++;
    ink->paper = median(counts);
    for (size_t i = 0; i < scan->n; i++) /* a shadow may be most of a block at the edge */
        if (distance(scan->paper[i], ink->paper) >= UNEVEN)
            scan->paper[i] = scan->paper[inner_block(scan, i)];
    for (size_t i = 0; i < scan->n; i++)
        even = even && distance(scan->paper[i], ink->paper) < UNEVEN;
    for (int y = 0; y < scan->height; y++) {
        for (int x = 0; x < scan->width; x++) {
            size_t at = (size_t) y * (size_t) scan->width + (size_t) x;
            uint8_t level = scan->samples[at];

            scan->inked[at] = distance(level, scan->paper[block_at(scan, x, y)]) >= INK_CONTRAST;
            ink->any = ink->any || distance(level, ink->paper) >= INK_CONTRAST / 2;
        }
    }
    return even && ink->paper >= DARKEST_PAPER;
}

static int edge_distance(const struct scan *scan, int x, int y)
{
    int across = x < scan->width - 1 - x ? x : scan->width - 1 - x;
    int down = y < scan->height - 1 - y ? y : scan->height - 1 - y;

    return across < down ? across : down;
}

static void spot_add(const struct scan *scan, struct spot *spot, int x, int y)
{
    int edge = edge_distance(scan, x, y);

    spot->area++;
    spot->left = x < spot->left ? x : spot->left;
    spot->right = x > spot->right ? x : spot->right;
    spot->top = y < spot->top ? y : spot->top;
    spot->bottom = y > spot->bottom ? y : spot->bottom;
    spot->begins = spot->begins || edge < scan->mm * SHADOW_BEGIN;
    spot->inner = spot->inner || edge >= scan->mm * SHADOW;
}

/* Removes the spot of which (x, y) is a pixel from `inked`. */
static struct spot lift_spot(struct scan *scan, int x, int y)
{
    struct spot spot = { x, y, x, y, 0, false, false };
    size_t n = 0;

    scan->inked[(size_t) y * (size_t) scan->width + (size_t) x] = 0;
    scan->stack[n++] = y * scan->width + x;
    while (n > 0) {
        int at = scan->stack[--n], ax = at % scan->width, ay = at / scan->width;

        spot_add(scan, &spot, ax, ay);
        for (int dy = ay > 0 ? -1 : 0; dy <= 1 && ay + dy < scan->height; dy++) {
            for (int dx = ax > 0 ? -1 : 0; dx <= 1 && ax + dx < scan->width; dx++) {
                int next = at + dy * scan->width + dx;

                if (scan->inked[next]) {
                    scan->inked[next] = 0;
                    scan->stack[n++] = next;
                }
            }
        }
    }
    return spot;
}

/* A filled disc fills three quarters of its box. */
static bool is_hole(const struct scan *scan, const struct spot *spot)
{
    double w = (spot->right - spot->left + 1) / scan->mm;
    double h = (spot->bottom - spot->top + 1) / scan->mm;
    double x = spot->left / scan->mm + w / 2, y = spot->top / scan->mm + h / 2;
    double right = scan->width / scan->mm - x, bottom = scan->height / scan->mm - y;
    double filled = spot->area / (scan->mm * scan->mm) / (w * h);

    return w >= HOLE_MIN && w <= HOLE_MAX && h >= HOLE_MIN && h <= HOLE_MAX && w < 1.4 * h &&
           h < 1.4 * w && filled > 0.6 && filled < 0.95 &&
           (x < HOLE_PLACE || y < HOLE_PLACE || right < HOLE_PLACE || bottom < HOLE_PLACE);
}

static bool is_streak(const struct scan *scan, const struct spot *spot)
{
    int w = spot->right - spot->left + 1, h = spot->bottom - spot->top + 1;

    return (w <= STREAK * scan->mm && h >= 0.9 * scan->height) ||
           (h <= STREAK * scan->mm && w >= 0.9 * scan->width);
}

/* Whether the spot is more than what scanners add. */
static bool spot_is_mark(struct scan *scan, const struct spot *spot)
{
    int w = spot->right - spot->left + 1, h = spot->bottom - spot->top + 1;
    int most = scan->mm * SPOT < 1 ? 1 : (int) (scan->mm * SPOT + 0.5);

    if (spot->begins && !spot->inner)
        return false; /* a shadow along the edges */
    if (w > most || h > most)
        return !is_hole(scan, spot) && !is_streak(scan, spot);
    scan->area += spot->area;
    return ++scan->spots[block_at(scan, spot->left, spot->top)] >= SPOTS_IN_BLOCK ||
           scan->area > SPOTS_OF_PAGE * scan->width * scan->height;
}

int ink_find(const uint8_t *samples, int width, int height, struct ink *ink, struct err *err)
{
    AUTO_SCAN struct scan scan = { .samples = samples, .width = width, .height = height };

    *ink = (struct ink){ 0 };
    if (scan_begin(&scan, err) < 0)
        return -1;
    ink->marks = !find_ink(&scan, ink);
    for (int y = 0; y < height && !ink->marks; y++) {
        for (int x = 0; x < width && !ink->marks; x++) {
            if (scan.inked[(size_t) y * (size_t) width + (size_t) x]) {
                struct spot spot = lift_spot(&scan, x, y);

                ink->marks = spot_is_mark(&scan, &spot);
            }
        }
    }
    return 0;
}
