#include "recovery/salvage/file_hints.h"

#include "recovery/objects/revision.h"

#define FIRST 3 /* objects among which the linearization dictionary is */

size_t file_hints_pages(const struct objects *objects)
{
    for (size_t i = 0; i < objects->n && i < FIRST; i++) {
        struct text dict = objects_text(objects, &objects->list[i]);
        uint64_t length, pages;

        if (!objects->list[i].is_stream && dict_has(dict, "/Linearized") &&
            dict_number(dict, "/L", &length) && dict_number(dict, "/N", &pages) &&
            length >= objects->file_n && pages <= length)
            return (size_t) pages;
    }
    return 0;
}

/* Whether a trailer continues a cross-reference table in what precedes the other document. */
static bool is_update(const struct objects *objects)
{
    for (size_t i = 0; i < objects->n_trailers; i++) {
        uint64_t previous;

        if (objects->trailers[2 * i] >= objects->second_text &&
            dict_number(objects_trailer(objects, i), "/Prev", &previous) &&
            previous < objects->second &&
            revision_is_start((struct syntax){
                .data = objects->file, .n = objects->second, .at = (size_t) previous }))
            return true;
    }
    return false;
}

size_t file_hints_second(const struct objects *objects)
{
    return objects->second && !is_update(objects) ? objects->second : 0;
}
