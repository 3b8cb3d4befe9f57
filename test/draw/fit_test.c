/* Texts as large as the room they are given. */
#include "stamp/draw/fit.h"

#include <math.h>

#include "base/scope.h"
#include "leaks.h"
#include "tap.h"

/* Whether it lies within the room, turned. */
static bool is_within(const struct fit_room *room, const struct fitted *f)
{
    double c = fabs(cos(room->angle)), s = fabs(sin(room->angle));

    return f->width * c + f->height * s <= room->width + 1e-6 &&
           f->width * s + f->height * c <= room->height + 1e-6;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 0.01 * b;
}

static void test_short(struct drawing *drawing, const struct layout_style *style)
{
    struct fit_room room = { .width = 500, .height = 800, .most = 400, .readable = 20 };
    struct err err = { 0 };
    struct fitted flat, steep, again;
    AUTO_FIT struct fit *fit = fit_new(drawing, "Confidential", style, 0, &err);

    fit_into(fit, &room, &flat, &err);
    ok(is_near(flat.width, 500), "a text gets as wide as the room");
    room.angle = M_PI / 2;
    fit_into(fit, &room, &steep, &err);
    ok(is_near(steep.width, 800), "and as high if it stands");
    ok(steep.page == flat.page && drawing_n_pages(drawing) == 1, "but it is drawn once");
    room.most = 30;
    fit_into(fit, &room, &again, &err);
    ok(is_near(again.size, 30), "it does not get larger than asked for");
    room.size = 45;
    fit_into(fit, &room, &again, &err);
    ok(is_near(again.size, 45) && is_within(&room, &again), "a size that fits is kept");
    room.size = 1000;
    fit_into(fit, &room, &again, &err);
    ok(again.size < 1000 && is_within(&room, &again), "one that does not is made smaller");
}

static void test_long(struct drawing *drawing, const struct layout_style *style)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog again and again "
                               "until it is tired and the page is full";
    struct fit_room room = { 500, 500, 0, 0, 400, 20 };
    struct err err = { 0 };
    struct fitted f, g;
    AUTO_FIT struct fit *fit = fit_new(drawing, text, style, 0, &err);

    fit_into(fit, &room, &f, &err);
    ok(f.size > 40 && f.height > 3 * f.size && is_within(&room, &f), "a long line is broken");
    room.size = 30;
    fit_into(fit, &room, &g, &err);
    ok(is_near(g.size, 30) && g.height > 2 * g.size && is_within(&room, &g),
       "so it is to keep its size");
    room.angle = 0.7;
    fit_into(fit, &room, &g, &err);
    ok(is_near(g.size, 30) && is_within(&room, &g), "at any angle");
}

int main(void)
{
    static const struct layout_style style = { .align = LAYOUT_CENTER };
    struct err err = { 0 };
    AUTO_DRAWING struct drawing *drawing = drawing_new(&err);

    test_short(drawing, &style);
    test_long(drawing, &style);
    AUTO_FIT struct fit *blank = fit_new(drawing, " \n ", &style, 0, &err);
    ok(!blank && err.code == ERR_INVALID_PARAMETER, "a text of blanks is none");
    return done_testing();
}
