#include "engine/ocr/prepare.h"

#include "engine/ocr/contrast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DARK       150 /* gray that counts as ink when lines are searched */
#define CERTAIN    3.0 /* least confidence of Leptonica in an angle */
#define LEAST_SKEW 0.2 /* degrees that are not worth a change of every pixel */
#define LEAST_SIDE 100 /* pixels of a picture that has lines */

static struct Pix *to_pix(const struct scan *scan)
{
    struct Pix *pix = pixCreateNoInit(scan->width, scan->height, 8);
    l_uint32 *data;
    l_int32 words;

    if (!pix)
        return NULL;
    data = pixGetData(pix);
    words = pixGetWpl(pix);
    for (int y = 0; y < scan->height; y++) {
        l_uint32 *line = data + (size_t) y * (size_t) words;
        const uint8_t *row = scan->pixels + (size_t) y * (size_t) scan->width;

        line[words - 1] = 0;
        for (int x = 0; x < scan->width; x++)
            SET_DATA_BYTE(line, x, row[x]);
    }
    return pix;
}

/* `out` = first `inner`, then `outer`. */
static void join(const double inner[6], const double outer[6], double out[6])
{
    const double m[6] = {
        outer[0] * inner[0] + outer[2] * inner[1],
        outer[1] * inner[0] + outer[3] * inner[1],
        outer[0] * inner[2] + outer[2] * inner[3],
        outer[1] * inner[2] + outer[3] * inner[3],
        outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
        outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
    };

    memcpy(out, m, sizeof m);
}

/* Replaces the picture, with a matrix from its pixels to those of the old one. */
static void replace(struct prepared *prepared, struct Pix *with, const double back[6])
{
    pixDestroy(&prepared->picture);
    prepared->picture = with;
    join(back, prepared->to_page, prepared->to_page);
}

static int turn_by(struct prepared *prepared, int turn)
{
    double w = pixGetWidth(prepared->picture), h = pixGetHeight(prepared->picture);
    const double back[4][6] = {
        { 1, 0, 0, 1, 0, 0 }, { 0, -1, 1, 0, 0, h }, { -1, 0, 0, -1, w, h }, { 0, 1, -1, 0, w, 0 }
    };
    int quads = turn / 90 % 4;
    struct Pix *turned = quads ? pixRotateOrth(prepared->picture, quads) : NULL;

    if (quads && !turned)
        return -1;
    if (turned)
        replace(prepared, turned, back[quads]);
    prepared->turned = turn;
    return 0;
}

/* The angle by which the picture must be turned clockwise so that its lines are level, in degrees;
 * 0 if that is not certain. */
static double find_skew(struct Pix *picture)
{
    struct Pix *binary = pixConvertTo1(picture, DARK);
    l_float32 angle = 0, confidence = 0;
    int failed = !binary || pixFindSkew(binary, &angle, &confidence);

    pixDestroy(&binary);
    return failed || confidence < CERTAIN || fabs((double) angle) < LEAST_SKEW ? 0 : (double) angle;
}

/* What fails leaves the picture as it is. */
static void level(struct prepared *prepared)
{
    int w = pixGetWidth(prepared->picture), h = pixGetHeight(prepared->picture);
    double angle = w < LEAST_SIDE || h < LEAST_SIDE ? 0 : find_skew(prepared->picture);
    double radians = angle * M_PI / 180, c = cos(radians), s = sin(radians), x, y;
    struct Pix *turned;

    if (angle == 0)
        return;
    turned = pixRotate(prepared->picture, (l_float32) radians, L_ROTATE_AREA_MAP, L_BRING_IN_WHITE,
                       w, h);
    if (!turned)
        return;
    /* Centres stay centres. */
    x = pixGetWidth(turned) / 2.0;
    y = pixGetHeight(turned) / 2.0;
    const double back[6] = { c, -s, s, c, w / 2.0 - c * x - s * y, h / 2.0 + s * x - c * y };
    replace(prepared, turned, back);
    prepared->angle = angle;
}

/* The same, with places as they are when the page is level: its centre stays where it is. */
static void level_page(struct prepared *prepared)
{
    double w = pixGetWidth(prepared->picture), h = pixGetHeight(prepared->picture);
    double before_it[6];
    struct Pix *before;

    memcpy(before_it, prepared->to_page, sizeof before_it);
    level(prepared);
    if (prepared->before && prepared->angle != 0) {
        before = pixRotate(prepared->before, (l_float32) (prepared->angle * M_PI / 180),
                           L_ROTATE_SAMPLING, L_BRING_IN_WHITE, (int) w, (int) h);
        pixDestroy(&prepared->before);
        prepared->before = before;
    }
    const double shift[6] = { 1,
                              0,
                              0,
                              1,
                              (w - pixGetWidth(prepared->picture)) / 2,
                              (h - pixGetHeight(prepared->picture)) / 2 };
    join(shift, before_it, prepared->to_page);
}

/* Places are those of the picture as it is now, as a page. */
static void begin_places(struct prepared *prepared)
{
    double point = 72 / prepared->dpi;
    const double to_page[6] = {
        point, 0, 0, -point, 0, pixGetHeight(prepared->picture) * point,
    };

    memcpy(prepared->to_page, to_page, sizeof to_page);
}

int prepare_scan(struct scan *scan, int turn, struct prepared *out, struct err *err)
{
    *out = (struct prepared){ 0 };
    if (!scan->pixels && scan->draw(scan, scan->arg, err) < 0)
        return -1;
    *out = (struct prepared){ .picture = to_pix(scan), .dpi = scan->dpi };
    free(scan->pixels);
    scan->pixels = NULL;
    if (out->picture)
        begin_places(out);
    if (!out->picture || turn_by(out, turn) < 0) {
        prepare_free(out);
        return err_set(err, ERR_LIMIT_EXCEEDED, "there is no memory for the page");
    }
    if (scan->upright)
        begin_places(out);
    if (scan->shapes)
        out->before = pixCopy(NULL, out->picture);
    contrast_normalise(&out->picture);
    if (scan->level)
        level_page(out);
    else
        level(out);
    return 0;
}

void prepare_free(struct prepared *prepared)
{
    pixDestroy(&prepared->picture);
    pixDestroy(&prepared->before);
}
