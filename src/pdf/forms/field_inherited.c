#include "pdf/forms/field_inherited.h"

#define MAX_DEPTH 64 /* of the tree of fields */

struct obj field_inherited(struct obj widget, struct obj form, const char *key)
{
    struct obj at = obj_same(widget);

    for (int depth = 0; depth < MAX_DEPTH && obj_is_dict(at); depth++) {
        struct obj value = obj_key(at, key);

        if (!obj_is_null(value)) {
            obj_drop(&at);
            return value;
        }
        obj_drop(&value);
        struct obj above = obj_key(at, "/Parent");
        obj_drop(&at);
        at = above;
    }
    obj_drop(&at);
    return form.q ? obj_key(form, key) : (struct obj){ widget.q, qpdf_oh_new_null(widget.q) };
}

long long field_inherited_int(struct obj widget, struct obj form, const char *key)
{
    AUTO_OBJ struct obj value = field_inherited(widget, form, key);
    long long number = 0;

    return obj_is_int(value, &number) ? number : 0;
}
