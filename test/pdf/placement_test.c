#include "pdf/content/placement.h"

#include <math.h>

#include "tap.h"

static struct placement placement;

static bool make(const struct image *image, const struct placement_rules *rules)
{
    struct err err;

    return placement_make(image, rules, &placement, &err) == 0;
}

static bool is_page(double width, double height)
{
    return fabs(placement.width - width) < 0.01 && fabs(placement.height - height) < 0.01;
}

/* Where a corner of the picture comes to lie: (0, 1) is the first pixel of the first row. */
static bool lies(double u, double v, double x, double y)
{
    const double *m = placement.matrix;

    return fabs(m[0] * u + m[2] * v + m[4] - x) < 0.01 &&
           fabs(m[1] * u + m[3] * v + m[5] - y) < 0.01;
}

static bool has_size(double dpi_x, double dpi_y, double width, double height)
{
    struct image image = {
        .width = 960, .height = 480, .dpi_x = dpi_x, .dpi_y = dpi_y, .orientation = 1
    };
    struct placement_rules rules = { .paper = { .fit = true } };

    return make(&image, &rules) && is_page(width, height);
}

static void test_density(void)
{
    ok(has_size(300, 300, 230.4, 115.2), "a page is as large as its picture");
    ok(has_size(200, 100, 345.6, 345.6), "pixels need not be square");
    ok(has_size(299.9994, 299.9994, 230.4, 115.2), "a density in metres comes back whole");
    ok(has_size(0, 0, 720, 360), "a picture without a density has 96 pixels per inch");
    ok(has_size(1, 1, 720, 360), "a density of 1 is ignored");
    ok(has_size(65535, 65535, 720, 360), "a density of 65535 is ignored");
    ok(has_size(NAN, INFINITY, 720, 360), "a density that is not a number is ignored");
    ok(has_size(300, 11, 720, 360), "densities with a ratio far from 1 are ignored");
    ok(has_size(300, 0, 230.4, 115.2), "the density of one side is used for both");
}

static void test_limits(void)
{
    struct image image = {
        .width = 60000, .height = 600, .dpi_x = 72, .dpi_y = 72, .orientation = 1
    };
    struct placement_rules rules = { .paper = { .fit = true } };

    ok(make(&image, &rules) && is_page(14400, 144), "a page larger than a PDF has is scaled");
    rules.margin = 72;
    ok(make(&image, &rules) && is_page(14400, 144 + 142.56),
       "the margin of a page that is too large is added after scaling");
    image = (struct image){ .width = 1, .height = 1, .dpi_x = 300, .dpi_y = 300, .orientation = 1 };
    rules.margin = 0;
    ok(make(&image, &rules) && is_page(3, 3), "a page is at least 3 points wide and high");
    rules = (struct placement_rules){ .paper = { .width = 100, .height = 100 }, .margin = 50 };
    ok(!make(&image, &rules), "a margin that leaves nothing is refused");
}

static void test_orientation(void)
{
    /* Of each orientation: where the first pixel lies, and the last of the first row. */
    static const struct {
        double first[2], last[2];
    } want[] = { { { 0, 50 }, { 100, 50 } }, { { 100, 50 }, { 0, 50 } }, { { 100, 0 }, { 0, 0 } },
                 { { 0, 0 }, { 100, 0 } },   { { 0, 100 }, { 0, 0 } },   { { 50, 100 }, { 50, 0 } },
                 { { 50, 0 }, { 50, 100 } }, { { 0, 0 }, { 0, 100 } } };
    struct placement_rules rules = { .paper = { .fit = true } };

    for (int i = 1; i <= 8; i++) {
        struct image image = {
            .width = 100, .height = 50, .dpi_x = 72, .dpi_y = 72, .orientation = i
        };
        const double *first = want[i - 1].first, *last = want[i - 1].last;

        ok(make(&image, &rules) && is_page(i > 4 ? 50 : 100, i > 4 ? 100 : 50) &&
               lies(0, 1, first[0], first[1]) && lies(1, 1, last[0], last[1]),
           "orientation %d places the corners of the picture", i);
    }
}

static void test_paper(void)
{
    struct image wide = { .width = 200, .height = 100, .orientation = 1 };
    struct image turned = { .width = 200, .height = 100, .orientation = 6 };
    struct placement_rules rules = { .paper = { .named = true, .width = 300, .height = 400 } };

    ok(make(&wide, &rules) && is_page(400, 300), "paper with a name turns as its picture");
    ok(make(&turned, &rules) && is_page(300, 400),
       "paper with a name turns as the picture is seen");
    rules.paper.named = false;
    ok(make(&wide, &rules) && is_page(300, 400), "paper with a size does not turn");
    rules.turn = PLACEMENT_LANDSCAPE;
    ok(make(&wide, &rules) && is_page(400, 300),
       "paper with a size turns if it has to be landscape");
    ok(lies(0, 0, 0, 50) && lies(1, 1, 400, 250) && !placement.clip,
       "contain places the picture in the middle");
    rules.fit = PLACEMENT_COVER;
    ok(make(&wide, &rules) && lies(0, 0, -100, 0) && lies(1, 1, 500, 300) && placement.clip,
       "cover places the picture beyond the edges and clips it");
    rules.fit = PLACEMENT_STRETCH;
    ok(make(&wide, &rules) && lies(0, 0, 0, 0) && lies(1, 1, 400, 300) && !placement.clip,
       "stretch places the picture from edge to edge");
}

int main(void)
{
    test_density();
    test_limits();
    test_orientation();
    test_paper();
    return done_testing();
}
