/* mapped: spot colours and shadings whose colours functions say. See part.h. */
#include "base/effort.h"
#include "base/scope.h"
#include "compress/gray/function.h"
#include "compress/gray/function_map.h"
#include "compress/recolour/part.h"

/* Samples of each input of functions with one, two and three inputs. */
#define LINE  256
#define PLANE 33
#define CUBE  17

#define MAX_FUNCTIONS 1000
#define COLOUR        2000.0 /* units of effort (base/effort.h) */

struct mapped {
    struct recolour *r;
    const struct recolour_profile *profile;
};

/* By the intent that is usual: recolour_read_content fails if there is another one. */
static void map(void *cls, const double *colour, double *mapped)
{
    const struct mapped *m = cls;
    double rgb[3] = { 0 };

    if (!effort_spend(COLOUR) ||
        !icc_convert_colour(m->profile->convert, ICC_RELATIVE, colour, rgb))
        m->r->fails = true;
    for (size_t i = 0; i < (m->profile->channels == 1 ? 1 : 3); i++)
        mapped[i] = rgb[i];
}

static bool can_map(struct obj function, const struct recolour_profile *profile, size_t most)
{
    AUTO_FUNCTION struct function *f = function_open(function);

    return f && function_inputs(f) <= most && function_outputs(f) == profile->channels;
}

/* Null: it stays as it is, and so must its space. */
static struct obj map_function(struct recolour *r, struct obj function, size_t profile)
{
    struct mapped mapped = { r, &r->profiles[profile] };
    struct function_mapping mapping = {
        .map = map,
        .cls = &mapped,
        .n_values = mapped.profile->channels,
        .n_mapped = mapped.profile->channels == 1 ? 1 : 3,
        .bits = 8,
        .samples = { LINE, PLANE, CUBE },
        .left = MAX_FUNCTIONS,
    };
    AUTO_OBJ struct obj made = function_map(r->q, function, &mapping);

    r->no_memory |= mapping.no_memory;
    return r->fails ? OBJ_NONE : obj_same(made);
}

size_t recolour_spot(struct recolour *r, struct obj space, bool apply)
{
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj base = obj_item(space, 2);
    AUTO_OBJ struct obj tint = obj_item(space, 3);
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_OBJ struct obj device = OBJ_NONE;
    size_t profile;

    if (!obj_name_is(kind, "/Separation") && !obj_name_is(kind, "/DeviceN"))
        return IDMAP_NONE;
    profile = recolour_profile_of(r, base);
    if (profile == IDMAP_NONE || !can_map(tint, &r->profiles[profile], FUNCTION_MAP_INPUTS))
        return IDMAP_NONE;
    if (!apply || !(made = map_function(r, tint, profile)).q)
        return profile;
    device = obj_parse(r->q, recolour_device_of(r, profile));
    obj_set_item(space, 2, device);
    obj_set_item(space, 3, made);
    return profile;
}

/* Shadings of types 1 to 3; those of meshes have colours in their data. */
static bool is_simple(struct obj shading)
{
    AUTO_OBJ struct obj background = obj_key(shading, "/Background");
    long long type = 0;

    return obj_key_int(shading, "/ShadingType", &type) && type >= 1 && type <= 3 &&
           obj_is_null(background);
}

size_t recolour_shading(struct recolour *r, struct obj shading, bool apply)
{
    AUTO_OBJ struct obj space = obj_key(shading, "/ColorSpace");
    AUTO_OBJ struct obj function = obj_key(shading, "/Function");
    AUTO_OBJ struct obj made = OBJ_NONE;
    size_t profile;

    if (!is_simple(shading))
        return IDMAP_NONE;
    profile = recolour_profile_of(r, space);
    if (profile == IDMAP_NONE || !can_map(function, &r->profiles[profile], 1))
        return IDMAP_NONE;
    if (!apply || !(made = map_function(r, function, profile)).q)
        return profile;
    obj_set_name(shading, "/ColorSpace", recolour_device_of(r, profile));
    obj_set(shading, "/Function", made);
    return profile;
}
