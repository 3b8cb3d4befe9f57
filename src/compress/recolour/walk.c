/* walk: visits all that the document's catalog leads to. See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "compress/recolour/part.h"

#define MAX_NESTING 32 /* limit of nested direct objects */

/* What an object is for whatever refers to it. */
enum context {
    CONTEXT_OTHER,
    CONTEXT_SPACES, /* the colour spaces of resources */
    CONTEXT_NAMED,  /* one of these, for the colours of content */
    CONTEXT_IMAGE,  /* the colour space of an image */
    CONTEXT_PALETTE /* the base of such */
};

struct reached {
    int64_t id;
    enum context context;
};

enum pass { FIND, READ, CLEAN };

struct walk {
    struct recolour *c;
    enum pass pass;
    struct reached *waiting;
    size_t n, cap;
    struct idmap seen; /* ids with contexts */
};

static void visit_value(struct walk *w, struct obj value, enum context context, int depth);

static void visit(struct walk *w, struct obj value, enum context context, int depth)
{
    int64_t key;

    if (!obj_is_indirect(value)) {
        visit_value(w, value, context, depth - 1);
        return;
    }
    key = obj_id(value) * 8 + (int64_t) context + 1;
    if (idmap_find(&w->seen, key) != IDMAP_NONE)
        return;
    if (!idmap_add(&w->seen, key, 0) || !LIST_ROOM(w->waiting, w->n, w->cap))
        w->c->no_memory = true;
    else
        w->waiting[w->n++] = (struct reached){ obj_id(value), context };
}

static void visit_array(struct walk *w, struct obj array, enum context context, int depth)
{
    AUTO_OBJ struct obj kind = obj_item(array, 0);
    bool spot = w->pass != READ && recolour_spot(w->c, array, w->pass == CLEAN);
    bool indexed =
        context == CONTEXT_IMAGE && (obj_name_is(kind, "/Indexed") || obj_name_is(kind, "/I"));

    if (context == CONTEXT_NAMED || context == CONTEXT_IMAGE || context == CONTEXT_PALETTE) {
        size_t profile = recolour_profile_of(w->c, array);

        if (profile != IDMAP_NONE) {
            w->c->profiles[profile].used = true;
            return;
        }
    }
    for (int i = 0, n = obj_count(array); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!spot || i != 2) /* 2: the alternate space */
            visit(w, item, indexed && i == 1 ? CONTEXT_PALETTE : CONTEXT_OTHER, depth);
    }
}

/* Blending in CMYK gives other colours than blending in RGB. */
static void check_group(struct recolour *c, struct obj dict)
{
    AUTO_OBJ struct obj group = obj_key(dict, "/Group");
    AUTO_OBJ struct obj space = obj_key(group, "/CS");
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    long long n = 0;

    c->failures += obj_name_is(space, "/DeviceCMYK") || (obj_key_int(profile, "/N", &n) && n == 4);
}

static void convert_group(struct obj dict)
{
    AUTO_OBJ struct obj group = obj_key(dict, "/Group");
    AUTO_OBJ struct obj space = obj_key(group, "/CS");

    if (!obj_is_null(space) && !obj_name_is(space, "/DeviceGray"))
        obj_set_name(group, "/CS", "/DeviceGray");
}

static enum context context_of(struct obj dict, const char *key, struct obj value,
                               enum context context)
{
    if (context == CONTEXT_SPACES)
        return CONTEXT_NAMED;
    if (strcmp(key, "/ColorSpace") != 0)
        return CONTEXT_OTHER;
    if (obj_is_dict(value))
        return CONTEXT_SPACES;
    return obj_is_stream(dict) && obj_key_is(dict, "/Subtype", "/Image") ? CONTEXT_IMAGE
                                                                         : CONTEXT_OTHER;
}

/* Replaces a colour space that no content names any more; patterns still name theirs. Returns
 * whether it did. */
static bool replace_space(struct recolour *c, struct obj spaces, const char *key, struct obj value)
{
    AUTO_SPACE struct space *space = recolour_space(c, value, OBJ_NONE);
    AUTO_OBJ struct obj made = OBJ_NONE;

    if (!space || strncmp(key, "/Default", 8) == 0)
        return false;
    if (space->kind == SPACE_IS_PATTERN && space->base)
        made = obj_parse(c->q, "[/Pattern/DeviceGray]");
    else if (space->kind == SPACE_IS_COLOUR)
        made = obj_new_name(c->q, recolour_device(space));
    else
        return false;
    obj_set(spaces, key, made);
    return true;
}

/* Forms, patterns and glyphs. */
static void read_dict(struct recolour *c, struct obj dict)
{
    long long kind = 0;

    if (obj_is_stream(dict) && (obj_key_is(dict, "/Subtype", "/Form") ||
                                (obj_key_int(dict, "/PatternType", &kind) && kind == 1)))
        recolour_stream(c, dict, OBJ_NONE);
    if (obj_key_is(dict, "/Subtype", "/Type3"))
        recolour_glyphs(c, dict, OBJ_NONE);
    if (c->target == RECOLOUR_GRAY)
        recolour_dict_to_gray(c, dict);
}

static void visit_keys(struct walk *w, struct obj dict, enum context context, int depth)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    bool shading = w->pass != READ && recolour_shading(w->c, dict, w->pass == CLEAN);

    w->c->no_memory |= !keys;
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        if (shading && strcmp(keys[i], "/ColorSpace") == 0)
            continue;
        /* Colours of the device have another meaning then. */
        if (context == CONTEXT_SPACES && w->pass == FIND && strncmp(keys[i], "/Default", 8) == 0)
            w->c->failures++;
        if (context != CONTEXT_SPACES || w->pass != CLEAN ||
            !replace_space(w->c, dict, keys[i], value))
            visit(w, value, context_of(dict, keys[i], value, context), depth);
    }
}

static void visit_dict(struct walk *w, struct obj dict, enum context context, int depth)
{
    visit_keys(w, dict, context, depth);
    if (w->pass == FIND)
        check_group(w->c, dict);
    else if (w->pass == READ)
        read_dict(w->c, dict);
    else if (w->c->target == RECOLOUR_GRAY)
        convert_group(dict);
}

static void visit_value(struct walk *w, struct obj value, enum context context, int depth)
{
    if (depth == 0)
        w->c->failures++;
    else if (obj_is_array(value))
        visit_array(w, value, context, depth);
    else if (obj_is_dict(value) || obj_is_stream(value))
        visit_dict(w, value, context, depth);
}

static void note_image(struct recolour *c, struct obj image)
{
    AUTO_OBJ struct obj space = obj_key(image, "/ColorSpace");
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj base = obj_item(space, 1);
    bool indexed = obj_name_is(kind, "/Indexed") || obj_name_is(kind, "/I");
    size_t profile = recolour_profile_of(c, indexed ? base : space);

    if (profile == IDMAP_NONE)
        return;
    if (!LIST_ROOM(c->images, c->n_images, c->cap_images))
        c->no_memory = true;
    else
        c->images[c->n_images++] = (struct recolour_image){ obj_id(image), profile };
}

/* An indirect object that something else than a colour space refers to. */
static void note(struct recolour *c, struct obj obj)
{
    size_t profile = idmap_find(&c->by_id, obj_id(obj));

    if (profile != IDMAP_NONE)
        c->profiles[profile].stays = true;
    if (obj_is_stream(obj) && obj_key_is(obj, "/Subtype", "/Image"))
        note_image(c, obj);
}

static void walk(struct recolour *c, enum pass pass)
{
    struct walk w = { .c = c, .pass = pass };
    AUTO_OBJ struct obj trailer = obj_trailer(c->q);
    AUTO_OBJ struct obj root = obj_key(trailer, "/Root");

    visit(&w, root, CONTEXT_OTHER, MAX_NESTING);
    while (w.n > 0 && !recolour_ends(c)) {
        struct reached next = w.waiting[--w.n];
        AUTO_OBJ struct obj obj = obj_by_id(c->q, OBJ_NUMBER(next.id), OBJ_GEN(next.id));

        if (pass == FIND && next.context == CONTEXT_OTHER)
            note(c, obj);
        visit_value(&w, obj, next.context, MAX_NESTING);
    }
    free(w.waiting);
    idmap_free(&w.seen);
}

void recolour_find(struct recolour *c)
{
    walk(c, FIND);
    /* After all is known that keeps profiles. */
    for (size_t i = 0; i < c->n_images; i++) {
        struct recolour_profile *profile = &c->profiles[c->images[i].profile];
        AUTO_OBJ struct obj image =
            obj_by_id(c->q, OBJ_NUMBER(c->images[i].id), OBJ_GEN(c->images[i].id));

        profile->stays |= !profile->stays && !recolour_image_fits(image, profile);
    }
}

void recolour_read(struct recolour *c)
{
    for (size_t i = 0; i < c->doc->n_pages && !recolour_ends(c); i++) {
        AUTO_OBJ struct obj page = obj_page(c->q, i);

        recolour_page(c, page);
    }
    walk(c, READ);
    /* Which intent content has that is drawn by other content is not known. */
    c->failures += c->target == RECOLOUR_SRGB && c->other_intent && (c->inherited || c->mapped);
}

void recolour_clean(struct recolour *c)
{
    walk(c, CLEAN);
}
