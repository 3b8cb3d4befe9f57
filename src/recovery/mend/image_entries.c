#include "recovery/mend/image_entries.h"

#include "base/scope.h"

unsigned image_number(const struct objects *objects, struct text dict, const char *key)
{
    uint64_t number;

    return text_number(objects_key(objects, dict, key), &number) && number < 65536
               ? (unsigned) number
               : 0;
}

struct list {
    struct text first, second, last;
    size_t n;
};

static bool note_value(void *arg, struct text value)
{
    struct list *list = arg;

    if (list->n == 0)
        list->first = value;
    if (list->n == 1)
        list->second = value;
    list->last = value;
    list->n++;
    return true;
}

static unsigned of_name(struct text space)
{
    static const struct {
        const char *name;
        unsigned n;
    } spaces[] = {
        { "/DeviceGray", 1 }, { "/G", 1 },   { "/CalGray", 1 },    { "/Indexed", 1 },
        { "/I", 1 },          { "/RGB", 3 }, { "/Separation", 1 }, { "/DeviceRGB", 3 },
        { "/CalRGB", 3 },     { "/Lab", 3 }, { "/DeviceCMYK", 4 }, { "/CMYK", 4 },
    };

    for (size_t i = 0; i < COUNT(spaces); i++)
        if (text_is(space, spaces[i].name))
            return spaces[i].n;
    return 0;
}

unsigned image_components(const struct objects *objects, struct text dict)
{
    struct text space = objects_key(objects, dict, "/ColorSpace");
    struct list list = { 0 }, names = { 0 };
    unsigned n;

    if (!text_is_array(space))
        return of_name(space);
    dict_walk_array(space, note_value, &list);
    n = of_name(list.first);
    if (text_is(list.first, "/DeviceN")) {
        dict_walk_array(objects_resolve(objects, list.second), note_value, &names);
        n = names.n < 32 ? (unsigned) names.n : 0;
    }
    return n ? n : image_number(objects, objects_resolve(objects, list.last), "/N");
}

struct text image_params(const struct objects *objects, struct text dict)
{
    struct text params = objects_key(objects, dict, "/DecodeParms");
    struct list list = { 0 };

    if (!text_is_array(params))
        return params;
    dict_walk_array(params, note_value, &list);
    return objects_resolve(objects, list.last);
}
