/* pdfa_shading: shadings and functions of a document for PDF/A. */
#include "pdf/pdfa/pdfa_walk.h"

#define FUNCTIONS 8  /* functions within each other */
#define ITEMS     64 /* functions of an array */

static int check_functions(struct pdfa_walk *walk, struct obj list, int depth)
{
    int n = obj_count(list);

    if (n > ITEMS)
        return pdfa_walk_refuse(walk, "has a function of too many parts");
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);

        if (pdfa_walk_function(walk, item, depth + 1) < 0)
            return -1;
    }
    return 0;
}

int pdfa_walk_function(struct pdfa_walk *walk, struct obj function, int depth)
{
    AUTO_OBJ struct obj parts = obj_key(function, "/Functions");
    long long type;

    if (depth == FUNCTIONS)
        return pdfa_walk_refuse(walk, "has functions that are nested too deep");
    if (obj_is_array(function))
        return check_functions(walk, function, depth);
    if (!obj_key_int(function, "/FunctionType", &type))
        return pdfa_walk_refuse(walk, "has a function of no kind");
    if (type == 2 && obj_is_dict(function))
        return 0;
    if (type == 3 && obj_is_dict(function))
        return check_functions(walk, parts, depth);
    if ((type == 0 || type == 4) && obj_is_stream(function))
        return pdfa_walk_is_new(walk, function) ? pdfa_walk_stream(walk, function) : 0;
    return pdfa_walk_refuse(walk, "has a function of no kind");
}

int pdfa_walk_shading(struct pdfa_walk *walk, struct obj shading)
{
    AUTO_OBJ struct obj space = obj_key(shading, "/ColorSpace");
    AUTO_OBJ struct obj function = obj_key(shading, "/Function");
    long long type;

    if (!obj_key_int(shading, "/ShadingType", &type) || type < 1 || type > 7 ||
        obj_is_stream(shading) != (type >= 4))
        return pdfa_walk_refuse(walk, "has a shading of no kind");
    if (obj_is_stream(shading) && pdfa_walk_is_new(walk, shading) &&
        pdfa_walk_stream(walk, shading) < 0)
        return -1;
    if (pdfa_walk_space(walk, space, 0) < 0)
        return -1;
    return obj_is_null(function) ? 0 : pdfa_walk_function(walk, function, 0);
}
