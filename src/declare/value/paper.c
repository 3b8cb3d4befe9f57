#include "declare/value/paper.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/scope.h"

#define MM_MIN 2.0
#define MM_MAX 5080.0 /* PAPER_POINT_MAX */

static const struct {
    const char *name;
    double width, height;
} named[] = {
    { "a4", 210 * PAPER_MM, 297 * PAPER_MM },
    { "letter", 612, 792 },
    { "legal", 612, 1008 },
};

/* "100x150mm", n bytes. */
static bool parse_mm(const char *text, size_t n, struct paper *paper)
{
    const char *by = memchr(text, 'x', n);

    if (!by)
        by = memchr(text, 'X', n);
    if (!by || n < 2 || strncasecmp(text + n - 2, "mm", 2) != 0)
        return false;
    size_t first = (size_t) (by - text);
    if (first + 3 > n || !num_parse_double(text, first, MM_MIN, MM_MAX, &paper->width) ||
        !num_parse_double(by + 1, n - first - 3, MM_MIN, MM_MAX, &paper->height))
        return false;
    paper->width *= PAPER_MM;
    paper->height *= PAPER_MM;
    return true;
}

bool paper_has_room(double width, double height, double margin)
{
    return width - 2 * margin >= 1 && height - 2 * margin >= 1;
}

int paper_parse(const char *text, struct paper *paper, struct err *err)
{
    size_t n;

    *paper = (struct paper){ 0 };
    while (isspace((unsigned char) *text))
        text++;
    n = strlen(text);
    while (n && isspace((unsigned char) text[n - 1]))
        n--;
    if (n == 3 && strncasecmp(text, "fit", 3) == 0) {
        paper->fit = true;
        return 0;
    }
    for (size_t i = 0; i < COUNT(named); i++)
        if (strlen(named[i].name) == n && strncasecmp(text, named[i].name, n) == 0) {
            *paper =
                (struct paper){ .named = true, .width = named[i].width, .height = named[i].height };
            return 0;
        }
    if (parse_mm(text, n, paper))
        return 0;
    return err_set(err, ERR_INVALID_PARAMETER,
                   "must be fit, a4, letter, legal or a width and height from %g to %g "
                   "millimetres such as 100x150mm",
                   MM_MIN, MM_MAX);
}
