/* shading: converts shadings (ISO 32000-2, 8.7.4.5), and the alternate spaces of spot colours. See
 * part.h. */
#include "base/scope.h"
#include "compress/recolour/function.h"
#include "compress/recolour/part.h"

/* To sRGB. */
static bool can_convert(struct recolour *c, struct obj function, const struct space *space,
                        size_t inputs)
{
    AUTO_FUNCTION struct function *f = function_open(function);

    if (!f || function_inputs(f) > inputs || function_outputs(f) != space->n ||
        function_count(f) > RECOLOUR_FUNCTIONS)
        return false;
    c->profiles[space->profile].used = true;
    c->mapped = true;
    return true;
}

static void convert_background(struct obj shading, const struct space *space)
{
    AUTO_OBJ struct obj colour = obj_key(shading, "/Background");
    double values[SPACE_COMPONENTS] = { 0 };

    if (!obj_is_array(colour))
        return;
    space_read_colour(colour, values);
    recolour_set_level(shading, "/Background", space_gray(space, values));
}

/* Converts the function, which may be null, and the vertices. */
static bool convert(struct recolour *c, struct obj shading, long long type, struct obj function,
                    const struct space *space)
{
    AUTO_OBJ struct obj made = OBJ_NONE;
    bool by_function = !obj_is_null(function);

    if (by_function && !(made = recolour_function(c, function, space)).q)
        return false;
    if (type >= 4 && !recolour_mesh(shading, type, space, by_function))
        return false;
    if (by_function)
        obj_set(shading, "/Function", made);
    return true;
}

bool recolour_shading(struct recolour *c, struct obj shading, bool apply)
{
    AUTO_OBJ struct obj name = obj_key(shading, "/ColorSpace");
    AUTO_OBJ struct obj function = obj_key(shading, "/Function");
    AUTO_SPACE struct space *space = NULL;
    long long type = 0;

    if (!obj_key_int(shading, "/ShadingType", &type))
        return false;
    space = recolour_space(c, name, OBJ_NONE);
    if (!space || space->kind != SPACE_IS_COLOUR ||
        (c->target == RECOLOUR_SRGB && (type < 1 || type > 3 || obj_has(shading, "/Background") ||
                                        !can_convert(c, function, space, 1))))
        return false;
    if (!apply)
        return true;
    if (!convert(c, shading, type, function, space)) {
        c->failures += c->target == RECOLOUR_GRAY;
        return true;
    }
    convert_background(shading, space);
    obj_set_name(shading, "/ColorSpace", recolour_device(space));
    c->changes++;
    return true;
}

bool recolour_spot(struct recolour *c, struct obj space, bool apply)
{
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj base = obj_item(space, 2);
    AUTO_OBJ struct obj tint = obj_item(space, 3);
    AUTO_OBJ struct obj made = OBJ_NONE, device = OBJ_NONE;
    AUTO_SPACE struct space *alternate = NULL;

    if (c->target != RECOLOUR_SRGB ||
        (!obj_name_is(kind, "/Separation") && !obj_name_is(kind, "/DeviceN")))
        return false;
    alternate = recolour_space(c, base, OBJ_NONE);
    if (!alternate || alternate->kind != SPACE_IS_COLOUR ||
        !can_convert(c, tint, alternate, RECOLOUR_FUNCTION_INPUTS))
        return false;
    if (!apply || !(made = recolour_function(c, tint, alternate)).q)
        return true;
    device = obj_new_name(c->q, recolour_device(alternate));
    obj_set_item(space, 2, device);
    obj_set_item(space, 3, made);
    return true;
}
