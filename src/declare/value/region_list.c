#include "declare/value/region_list.h"

#include <string.h>

#include "base/num.h"
#include "declare/value/page_list.h"

#define LEAST 0.1 /* least length of a side in points */

/* Reads four numbers with commas between them from n characters. */
static bool read_area(const char *text, size_t n, struct area_param *area)
{
    double *const into[] = { &area->x, &area->y, &area->width, &area->height };

    for (size_t i = 0; i < 4; i++) {
        const char *comma = memchr(text, ',', n);
        size_t length = comma ? (size_t) (comma - text) : n;

        if ((comma == NULL) != (i == 3))
            return false;
        while (length > 0 && *text == ' ')
            text++, length--, n--;
        for (n -= length + (comma != NULL); length > 0 && text[length - 1] == ' ';)
            length--;
        if (!num_parse_double(text, length, i < 2 ? 0 : LEAST, AREA_MOST, into[i]))
            return false;
        text = comma ? comma + 1 : text;
    }
    return true;
}

int region_list_next(const char *name, const char *text, size_t *at, struct region *region,
                     struct err *err)
{
    const char *item = text + *at + strspn(text + *at, " ;\r\n\t"), *colon;
    size_t n = strcspn(item, ";\r\n"), n_pages;

    *at = (size_t) (item - text) + n;
    if (n == 0)
        return 0;
    colon = memchr(item, ':', n);
    n_pages = colon ? (size_t) (colon - item) : 0;
    if (n_pages == 0 || n_pages >= sizeof region->pages ||
        !read_area(colon + 1, n - n_pages - 1, &region->area))
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be PAGES:x,y,width,height in points from the top left corner of "
                         "the page, divided by semicolons, as in 1:72,90,200,14;2-3:0,0,300,50",
                         name);
    memcpy(region->pages, item, n_pages);
    region->pages[n_pages] = '\0';
    if (page_list_check(region->pages, err) == 0)
        return 1;
    return err_field(err, ERR_INVALID_PARAMETER, name,
                     "%s names pages that are no page list: %.80s", name, region->pages);
}
