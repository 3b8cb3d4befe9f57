/* Run with a path of libraries whose librsvg cannot be opened. */
#include <string.h>

#include "image/svg/svg.h"
#include "tap.h"

int main(void)
{
    struct svg_drawing drawing;
    struct err err = { 0 };

    ok(svg_draw("<svg/>", 6, &drawing, &err) < 0, "without librsvg no SVG is drawn");
    ok(err.code == ERR_UNSUPPORTED_CONTENT && strstr(err.msg, "librsvg2-2") &&
           strstr(err.msg, "html-to-pdf"),
       "what to do is said to operators and users");
    buf_free(&drawing.pdf);
    return done_testing();
}
