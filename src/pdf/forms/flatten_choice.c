#include "pdf/forms/flatten_choice.h"

#include <stddef.h>

#include "base/scope.h"

#define HIDDEN  (1 << 1) /* annotation flags, ISO 32000-1, table 165 */
#define NO_VIEW (1 << 5)

/* Markup that is drawn: the rest plays, opens or holds something. */
static const char *const drawn[] = { "/Text",        "/FreeText",  "/Line",      "/Square",
                                     "/Circle",      "/Polygon",   "/PolyLine",  "/Highlight",
                                     "/Underline",   "/Squiggly",  "/StrikeOut", "/Caret",
                                     "/Stamp",       "/Ink",       "/Watermark", "/Redact",
                                     "/PrinterMark", "/Projection" };

bool flatten_is_widget(struct obj annot)
{
    return obj_key_is(annot, "/Subtype", "/Widget");
}

bool flatten_is_visible(struct obj annot)
{
    long long flags;

    return !obj_key_int(annot, "/F", &flags) || !(flags & (HIDDEN | NO_VIEW));
}

bool flatten_has_comment(struct obj annot)
{
    AUTO_OBJ struct obj text = obj_key(annot, "/Contents");
    size_t n = 0;

    return !obj_key_is(annot, "/Subtype", "/FreeText") && obj_is_string(text) &&
           obj_bytes(text, &n) && n > 0;
}

static bool has_look(struct obj annot)
{
    AUTO_OBJ struct obj looks = obj_key(annot, "/AP");
    AUTO_OBJ struct obj normal = obj_key(looks, "/N");

    return !obj_is_null(normal);
}

static enum flatten_choice choose_widget(const struct flatten_options *options, struct obj annot)
{
    int64_t unused;

    if (!options->fields ||
        (options->only && !key_map_find_id(options->only, obj_id(annot), &unused)))
        return FLATTEN_STAYS;
    return FLATTEN_GOES;
}

static enum flatten_choice choose_markup(const struct flatten_options *options, struct obj annot)
{
    AUTO_OBJ struct obj kind = obj_key(annot, "/Subtype");
    size_t i = 0;

    while (i < COUNT(drawn) && !obj_name_is(kind, drawn[i]))
        i++;
    if (!options->annotations || i == COUNT(drawn))
        return FLATTEN_STAYS;
    return flatten_is_visible(annot) && !has_look(annot) ? FLATTEN_UNDRAWN : FLATTEN_GOES;
}

enum flatten_choice flatten_choose(const struct flatten_options *options, struct obj annot)
{
    if (flatten_is_widget(annot))
        return choose_widget(options, annot);
    if (!obj_key_is(annot, "/Subtype", "/Popup"))
        return choose_markup(options, annot);
    AUTO_OBJ struct obj comment = obj_key(annot, "/Parent");

    return choose_markup(options, comment) == FLATTEN_GOES ? FLATTEN_BELONGS : FLATTEN_STAYS;
}
