#include "declare/value/area.h"

#include <string.h>

#include "base/num.h"

/* The number before the next comma or, for the last one, before the end. */
static bool read_coordinate(const char **text, bool last, double least, double *value)
{
    size_t n = strcspn(*text, ",");
    const char *start = *text + strspn(*text, " ");

    if ((*text)[n] != (last ? '\0' : ',') || start > *text + n)
        return false;
    size_t digits = (size_t) (*text + n - start);
    while (digits > 0 && start[digits - 1] == ' ')
        digits--;
    *text += last ? n : n + 1;
    return num_parse_double(start, digits, least, AREA_MOST, value);
}

int area_parse(const char *name, const char *text, struct area_param *area, struct err *err)
{
    if (read_coordinate(&text, false, 0, &area->x) && read_coordinate(&text, false, 0, &area->y) &&
        read_coordinate(&text, false, AREA_LEAST, &area->width) &&
        read_coordinate(&text, true, AREA_LEAST, &area->height))
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, name,
                     "%s must be x,y,width,height in points from the top left corner of the page, "
                     "each side at least %.0f, as in 300,700,200,80",
                     name, AREA_LEAST);
}
