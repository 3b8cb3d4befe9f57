#include "recovery/mend/image_rows.h"

#include "base/scope.h"
#include "recovery/image_repair/rows_gap.h"
#include "recovery/image_repair/rows_mend.h"
#include "recovery/mend/image_entries.h"

#define COLORS_MAX 32U
#define PNG        10U /* predictors from here on (ISO 32000-1, 7.4.4.4) */
#define TIFF       2U
#define QUICK      (4U << 20)  /* bytes of an image for which PLACES are tried, */
#define SLOW       (16U << 20) /* and more than one */
#define PLACES     14U
#define FAR        32U /* rows from where a gap seems to be to where it is */
#define FEW        5   /* one row in FEW may have no type of a filter */

struct samples {
    size_t columns, colors, bits, predictor;
};

/* By the parameters of a predictor, which differ from the image where that is wrong, else by the
 * image. */
static struct samples samples_of(const struct objects *objects, struct text dict)
{
    struct text params = image_params(objects, dict);
    struct samples s = { .predictor = image_number(objects, params, "/Predictor") };

    if (s.predictor >= TIFF) {
        s.columns = image_number(objects, params, "/Columns");
        s.colors = image_number(objects, params, "/Colors");
        s.bits = image_number(objects, params, "/BitsPerComponent");
        s.colors = s.colors ? s.colors : 1;
        s.bits = s.bits ? s.bits : 8;
        return s;
    }
    s.columns = image_number(objects, dict, "/Width");
    s.colors = image_components(objects, dict);
    s.bits = image_number(objects, dict, "/BitsPerComponent");
    if (text_is(objects_key(objects, dict, "/ImageMask"), "true"))
        s.colors = s.bits = 1;
    return s;
}

/* False: it is not an image, or one whose rows are not known. */
static bool describe_rows(const struct objects *objects, struct text dict, struct rows_image *image)
{
    struct samples s = samples_of(objects, dict);

    if (!dict_name_is(dict, "/Subtype", "/Image") || s.columns == 0 || s.colors == 0 ||
        s.colors > COLORS_MAX || s.bits == 0 || s.bits > 16 || (s.predictor == TIFF && s.bits != 8))
        return false;
    image->kind = s.predictor >= PNG ? ROWS_PNG : s.predictor == TIFF ? ROWS_TIFF : ROWS_RAW;
    image->bytes = (s.columns * s.colors * s.bits + 7) / 8 + (s.predictor >= PNG);
    image->n = image_number(objects, dict, "/Height");
    image->step = s.colors * s.bits / 8;
    image->is_bytes = s.bits == 8;
    return image->n > 0;
}

bool image_rows_may_be(const struct objects *objects, struct text dict, size_t size)
{
    struct rows_image image;

    return !describe_rows(objects, dict, &image) || size == image.bytes * image.n;
}

static void replace_rows(struct buf *plain, struct buf *with)
{
    buf_free(plain);
    *plain = *with;
    *with = BUF_EMPTY;
}

/* A stream, and the best that was recovered of it with its gap closed. */
struct closing {
    const unsigned char *data;
    size_t n, max;
    const struct rows_image *image;
    struct rows_gap gap;
    struct buf rows, doubts;
    double cost;
};

static void closing_free(struct closing *c)
{
    buf_free(&c->rows);
    buf_free(&c->doubts);
}

/* Tries the gap before a row. False when out of memory. */
static bool try_row(struct closing *c, size_t row)
{
    AUTO_BUF struct buf rows = BUF_EMPTY;
    AUTO_BUF struct buf doubts = BUF_EMPTY;
    size_t size = c->image->bytes * c->image->n;
    struct zstream_gap gap = { row * c->image->bytes, c->gap.lost,     c->gap.added,
                               c->image->bytes,       c->image->bytes, &doubts };
    double cost;

    if (row >= c->image->n || gap.at + gap.lost > size)
        return true;
    zstream_recover(c->data, c->n, c->max, &gap, &rows);
    if (rows.failed || doubts.failed)
        return false;
    if (rows.len != size || doubts.len != size)
        return true;
    cost = rows_gap_cost((unsigned char *) rows.data, c->image);
    if (c->rows.len > 0 && cost >= c->cost)
        return cost >= 0;
    c->gap.at = gap.at;
    c->cost = cost;
    replace_rows(&c->rows, &rows);
    replace_rows(&c->doubts, &doubts);
    return cost >= 0;
}

/*
 * Repetitions of what lies before the gap are wrong as long as it is open, which hides its place:
 * the search goes from the best of some places, and the one where it seems to be, to where most is
 * right once it is closed. False when out of memory.
 */
static bool close_gap(struct closing *c)
{
    size_t bytes = c->image->bytes, size = bytes * c->image->n, n = c->image->n;
    /* Types of filters alone say less than samples. */
    size_t places = size <= QUICK && c->image->kind == ROWS_PNG ? PLACES : 1;
    size_t step = size <= SLOW ? n / (2 * places) : 0;

    if (!try_row(c, c->gap.at / bytes))
        return false;
    for (size_t i = 1; i < places; i++)
        if (!try_row(c, i * n / places))
            return false;
    for (step = step < FAR ? step : FAR; step > 0 && c->rows.len > 0; step /= 2) {
        size_t row = c->gap.at / bytes;

        if ((row >= step && !try_row(c, row - step)) || !try_row(c, row + step))
            return false;
    }
    return true;
}

static size_t fill_rows(const struct closing *c, struct buf *rows, const struct buf *doubts)
{
    return rows_gap_fill((unsigned char *) rows->data, (const unsigned char *) doubts->data,
                         c->image);
}

/* Keeps the rows if they make a smoother image. *smooth: the least so far. */
static bool keep_smoother(struct closing *c, struct buf *rows, double *smooth)
{
    double rough = rows_gap_roughness((unsigned char *) rows->data, c->image);

    if (rough >= 0 && rough < *smooth) {
        *smooth = rough;
        c->rows.len = 0;
        buf_put(&c->rows, rows->data, rows->len);
    }
    return rough >= 0 && !c->rows.failed;
}

/* With that many rows in doubt. */
static bool try_doubts(struct closing *c, size_t in_doubt, double *smooth)
{
    AUTO_BUF struct buf rows = BUF_EMPTY;
    AUTO_BUF struct buf doubts = BUF_EMPTY;
    size_t bytes = c->image->bytes;
    struct zstream_gap gap = { c->gap.at, c->gap.lost,      c->gap.added,
                               bytes,     in_doubt * bytes, &doubts };

    zstream_recover(c->data, c->n, c->max, &gap, &rows);
    if (rows.failed || doubts.failed)
        return false;
    if (rows.len != c->rows.len || doubts.len != rows.len)
        return true;
    fill_rows(c, &rows, &doubts);
    if (!keep_smoother(c, &rows, smooth))
        return false;
    rows_gap_limit((unsigned char *) rows.data, (unsigned char *) doubts.data, c->image);
    return keep_smoother(c, &rows, smooth);
}

/* The damage may be of several rows, in which no type of a filter has to be wrong. */
static bool choose_doubts(struct closing *c)
{
    static const size_t counts[] = { 1, 3, 10, 30 };
    double smooth = rows_gap_roughness((unsigned char *) c->rows.data, c->image);

    if (smooth < 0)
        return false;
    for (size_t i = 0; i < COUNT(counts) && c->rows.len <= QUICK; i++)
        if (!try_doubts(c, counts[i], &smooth))
            return false;
    return true;
}

/* 1: it is done. 0: there is no gap, or more than one. */
static int mend_gap(struct closing *c, const struct zstream_scars *scars, struct buf *plain)
{
    struct rows_damage damage = { scars->n > 0, scars->first, scars->last };

    if (!rows_gap_find((unsigned char *) plain->data, plain->len, c->image, &damage, &c->gap))
        return 0;
    if (!close_gap(c))
        return -1;
    if (c->rows.len == 0 || fill_rows(c, &c->rows, &c->doubts) > c->image->n / FEW)
        return 0;
    if (c->image->kind == ROWS_PNG && !choose_doubts(c))
        return -1;
    replace_rows(plain, &c->rows);
    return 1;
}

bool image_rows_mend(const struct objects *objects, struct text dict, const unsigned char *data,
                     size_t n, size_t max, const struct zstream_scars *scars, struct buf *plain)
{
    AUTO_BUF struct buf mended = BUF_EMPTY;
    struct rows_image image;
    __attribute__((cleanup(closing_free))) struct closing closing = { data, n, max, &image };
    struct rows rows;
    int done;

    if (!describe_rows(objects, dict, &image))
        return true;
    done = mend_gap(&closing, scars, plain);
    if (done != 0 || image.kind != ROWS_PNG)
        return done >= 0;
    rows = (struct rows){ image.bytes - 1, image.n };
    if (!rows_mend((unsigned char *) plain->data, plain->len, &rows, &mended))
        return !mended.failed;
    replace_rows(plain, &mended);
    return true;
}
