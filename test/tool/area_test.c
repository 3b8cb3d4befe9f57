#include "declare/value/area.h"

#include "tap.h"

static bool refused(const char *text)
{
    struct area_param area;
    struct err err;

    return area_parse("box", text, &area, &err) < 0 && err.code == ERR_INVALID_PARAMETER &&
           strcmp(err.field, "box") == 0;
}

int main(void)
{
    static const char *const bad[] = { "",           "1",          "1,2,30",      "1,2,30,40,5",
                                       "1,2,30,",    ",2,30,40",   "1,2,30 4,5",  "1,2,30,9.9",
                                       "1,2,9.9,40", "-1,2,30,40", "1,-2,3,40",   "1,2,nan,40",
                                       "1,2,inf,40", "a,2,30,40",  "1,2,30,40 x", "1,2,30,1e9",
                                       "1;2;30;40" };
    struct area_param area;
    struct err err;

    ok(area_parse("box", "1,2.5,30,40", &area, &err) == 0 && area.x == 1 && area.y == 2.5 &&
           area.width == 30 && area.height == 40,
       "four numbers are a place and a size");
    ok(area_parse("box", " 1, 2 ,30 , 40 ", &area, &err) == 0 && area.y == 2 && area.height == 40,
       "blanks around them do not matter");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(refused(bad[i]), "\"%s\" is refused", bad[i]);
    return done_testing();
}
