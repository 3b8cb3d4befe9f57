/* target: what colours become, by the target of the conversion. See part.h. */
#include <stdio.h>
#include <stdlib.h>

#include "base/effort.h"
#include "base/scope.h"
#include "compress/recolour/part.h"

#define COLOUR 2000.0 /* units of effort */

bool recolour_ends(const struct recolour *c)
{
    return c->no_memory || (c->target == RECOLOUR_SRGB && c->failures > 0);
}

bool recolour_spend(struct recolour *c, double units)
{
    if (c->target == RECOLOUR_GRAY || effort_spend(units))
        return true;
    c->failures++;
    return false;
}

struct space *recolour_space(struct recolour *c, struct obj obj, struct obj resources)
{
    size_t profile;
    struct space *space;

    if (c->target == RECOLOUR_GRAY) {
        space = space_open(obj, resources);
    } else if ((space = calloc(1, sizeof *space))) {
        profile = recolour_profile_of(c, obj);
        if (profile != IDMAP_NONE)
            *space = (struct space){ .kind = SPACE_IS_COLOUR,
                                     .n = c->profiles[profile].channels,
                                     .by = SPACE_BY_PROFILE,
                                     .profile = profile };
    }
    c->no_memory |= !space;
    return space;
}

size_t recolour_convert(struct recolour *c, const struct space *space, enum icc_intent intent,
                        const double *colour, double levels[static 3])
{
    if (space->by != SPACE_BY_PROFILE) {
        levels[0] = space_gray(space, colour);
        return 1;
    }
    if (!recolour_spend(c, COLOUR))
        return 0;
    if (!icc_convert_colour(c->profiles[space->profile].convert, intent, colour, levels)) {
        c->failures++;
        return 0;
    }
    if (space->n == 1)
        levels[0] = levels[1];
    return recolour_levels(space);
}

size_t recolour_levels(const struct space *space)
{
    return space->by == SPACE_BY_PROFILE && space->n > 1 ? 3 : 1;
}

const char *recolour_device(const struct space *space)
{
    return recolour_levels(space) == 3 ? "/DeviceRGB" : "/DeviceGray";
}

void recolour_set_level(struct obj dict, const char *key, double level)
{
    AUTO_OBJ struct obj made = OBJ_NONE;
    char text[32];

    snprintf(text, sizeof text, "[%.4f]", level);
    made = obj_parse(dict.q, text);
    obj_set(dict, key, made);
}
