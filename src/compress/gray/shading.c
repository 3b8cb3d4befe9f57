/* shading: converts shadings (ISO 32000-2, 8.7.4.5) to gray. See part.h. */
#include <stdlib.h>

#include "base/scope.h"
#include "compress/gray/function_map.h"
#include "compress/gray/part.h"

#define SAMPLES       512    /* of a function with one input: more than there are gray levels */
#define SIDE          96     /* of each input of a function with two */
#define MAX_FUNCTIONS 100000 /* limit of all shadings' functions: one may be part of many */

static void map(void *cls, const double *colour, double *level)
{
    *level = space_gray(cls, colour);
}

/* Makes a function with one gray level; null if this one cannot be read. */
static struct obj convert(struct gray *gray, struct obj function, struct space *space)
{
    struct function_mapping mapping = {
        .map = map,
        .cls = space,
        .n_values = space->n,
        .n_mapped = 1,
        .bits = 16,
        .samples = { SAMPLES, SIDE },
        .linear = space->by == SPACE_BY_RGB,
        .left = gray->functions < MAX_FUNCTIONS ? MAX_FUNCTIONS - gray->functions : 0,
    };
    struct obj made = function_map(gray->q, function, &mapping);

    gray->functions = MAX_FUNCTIONS - mapping.left;
    gray->no_memory |= mapping.no_memory;
    return made;
}

static void convert_background(struct gray *gray, struct obj shading, const struct space *space)
{
    AUTO_OBJ struct obj colour = obj_key(shading, "/Background");
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_FREE char *text = NULL;
    double values[SPACE_COMPONENTS] = { 0 };

    if (!obj_is_array(colour))
        return;
    for (int i = 0; i < SPACE_COMPONENTS && i < obj_count(colour); i++) {
        AUTO_OBJ struct obj item = obj_item(colour, i);

        obj_is_number(item, &values[i]);
    }
    if (asprintf(&text, "[%.4f]", space_gray(space, values)) < 0) {
        text = NULL;
        gray->no_memory = true;
        return;
    }
    made = obj_parse(gray->q, text);
    obj_set(shading, "/Background", made);
}

void gray_shading(struct gray *gray, struct obj shading)
{
    AUTO_OBJ struct obj name = obj_key(shading, "/ColorSpace");
    AUTO_OBJ struct obj function = obj_key(shading, "/Function");
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_SPACE struct space *space = space_open(name, OBJ_NONE);
    long long type = 0;
    bool by_function = !obj_is_null(function), whole = true;

    gray->no_memory |= !space;
    if (!space || space->kind != SPACE_IS_COLOUR || !obj_key_int(shading, "/ShadingType", &type))
        return;
    if (by_function) {
        made = convert(gray, function, space);
        whole = made.q != NULL;
    }
    if (whole && type >= 4)
        whole = gray_mesh(shading, type, space, by_function);
    if (!whole) {
        gray->failures++;
        return;
    }
    if (by_function)
        obj_set(shading, "/Function", made);
    convert_background(gray, shading, space);
    obj_set_name(shading, "/ColorSpace", "/DeviceGray");
    gray->changes++;
}
