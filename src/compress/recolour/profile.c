/* profile: the profiles of colour spaces, and what replaces them. See part.h. */
#include "base/scope.h"
#include "compress/recolour/part.h"

size_t recolour_profile_of(const struct recolour *r, struct obj space)
{
    AUTO_OBJ struct obj first = obj_item(space, 0);
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    size_t i;

    if (!obj_name_is(first, "/ICCBased") || !obj_is_indirect(profile))
        return IDMAP_NONE;
    i = idmap_find(&r->by_id, obj_id(profile));
    return i == IDMAP_NONE || r->profiles[i].stays ? IDMAP_NONE : i;
}

const char *recolour_device_of(const struct recolour *r, size_t profile)
{
    return r->profiles[profile].channels == 1 ? "/DeviceGray" : "/DeviceRGB";
}
