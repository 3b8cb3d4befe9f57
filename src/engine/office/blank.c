#include "engine/office/blank.h"

#include <string.h>

#include "base/scope.h"
#include "pdf/content/operators.h"

/* The operators that paint (ISO 32000-2, annex A): paths, text, images and forms, shadings. */
static const char *const painting[] = { "S",  "s",  "f",  "F", "f*", "B",  "B*", "b",
                                        "b*", "Tj", "TJ", "'", "\"", "Do", "EI", "sh" };

/* False, which ends the reading, once something is painted. */
static bool paints_nothing(void *arg, const char *op, const struct operand *operands, size_t n)
{
    (void) arg;
    (void) operands;
    (void) n;
    for (size_t i = 0; i < COUNT(painting); i++)
        if (strcmp(op, painting[i]) == 0)
            return false;
    return true;
}

bool blank_page(struct obj page)
{
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    if (obj_is_array(annots) && obj_count(annots) > 0)
        return false;
    return obj_page_content(page, &data, &n) && operators_read(data, n, paints_nothing, NULL);
}
