/* uses: which profiles of a document are large, and what uses them. See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "compress/icc/icc_trim.h"
#include "compress/icc/srgb.h"
#include "compress/recolour/part.h"
#include "pdf/document/doc.h"
#include "syntax/inflate/flate.h"

#define MAX_NESTING   32  /* limit of nested direct objects */
#define MOST_PROFILES 100 /* different ones; others stay */
#define LEAST         2048 /* bytes that a profile takes in the file and in the result, to be worth it */

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

struct search {
    struct recolour *r;
    struct reached *waiting;
    size_t n, cap;
    struct idmap seen; /* ids with contexts */
    bool clean;        /* spaces of resources are replaced, and nothing is noted */
};

/* What a profile takes in the result if it stays; 0 if its colours are like sRGB, or it is not one.
 */
static size_t gain_of(const void *data, size_t n, unsigned channels)
{
    static const struct icc_trim trim = { .all_intents = false, .coarse = true };
    AUTO_BUF struct buf trimmed = BUF_EMPTY, packed = BUF_EMPTY;

    if (n < LEAST || (channels != 4 && srgb_is_like(data, n, (int) channels)))
        return 0;
    if (!icc_trim(data, n, &trim, &trimmed))
        return flate_pack(data, n, FLATE_FAST, &packed) ? packed.len : 0;
    return flate_pack(trimmed.data, trimmed.len, FLATE_FAST, &packed) ? packed.len : 0;
}

/* Whether components may have all values from 0 to 1, and no others. */
static bool has_usual_range(struct obj stream, long long channels)
{
    AUTO_OBJ struct obj range = obj_key(stream, "/Range");

    if (obj_is_null(range))
        return true;
    for (int i = 0; i < 2 * channels; i++) {
        AUTO_OBJ struct obj item = obj_item(range, i);
        double value;

        if (!obj_is_number(item, &value) || value < i % 2 || value > i % 2)
            return false;
    }
    return true;
}

/* The index of a profile that is equal. */
static size_t find_equal(const struct recolour *r, const struct recolour_profile *profile)
{
    for (size_t i = 0; i < r->n_profiles; i++)
        if (r->profiles[i].channels == profile->channels &&
            strcmp(r->profiles[i].digest, profile->digest) == 0)
            return i;
    return IDMAP_NONE;
}

static void note_profile(struct recolour *r, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    struct recolour_profile profile = { .stays = false };
    long long channels = 0, length = 0;
    size_t n = 0, equal;

    if (r->n_profiles == MOST_PROFILES || !obj_key_int(stream, "/N", &channels) ||
        (channels != 1 && channels != 3 && channels != 4) ||
        !obj_key_int(stream, "/Length", &length) || length < LEAST || obj_has(stream, "/Type") ||
        !has_usual_range(stream, channels) || !obj_stream_data(stream, &data, &n))
        return;
    profile.channels = (unsigned) channels;
    digest_text(data, n, profile.digest);
    equal = find_equal(r, &profile);
    if (equal != IDMAP_NONE) {
        r->no_memory |= !idmap_add(&r->by_id, obj_id(stream), equal);
        return;
    }
    profile.gain = gain_of(data, n, profile.channels);
    if (profile.gain < LEAST || !(profile.convert = icc_convert_open(data, n, profile.channels)))
        return;
    if (LIST_ROOM(r->profiles, r->n_profiles, r->cap_profiles) &&
        idmap_add(&r->by_id, obj_id(stream), r->n_profiles)) {
        r->profiles[r->n_profiles++] = profile;
    } else {
        icc_convert_close(&profile.convert);
        r->no_memory = true;
    }
}

static void find_profiles(struct recolour *r)
{
    int n = pdf_doc_next_number(r->doc);

    for (int id = 1; id < n && !r->no_memory; id++) {
        AUTO_OBJ struct obj obj = obj_by_number(r->q, id);

        if (obj_is_stream(obj))
            note_profile(r, obj);
    }
}

static void visit_value(struct search *s, struct obj value, enum context context, int depth);

static void visit(struct search *s, struct obj value, enum context context, int depth)
{
    int64_t key;

    if (!obj_is_indirect(value)) {
        visit_value(s, value, context, depth - 1);
        return;
    }
    key = obj_id(value) * 8 + (int64_t) context + 1;
    if (idmap_find(&s->seen, key) != IDMAP_NONE)
        return;
    if (!idmap_add(&s->seen, key, 0) || !LIST_ROOM(s->waiting, s->n, s->cap))
        s->r->no_memory = true;
    else
        s->waiting[s->n++] = (struct reached){ obj_id(value), context };
}

/* Whether functions say colours by a profile: of a spot colour, or of a shading. */
static bool is_mapped(struct search *s, size_t profile)
{
    if (profile == IDMAP_NONE)
        return false;
    s->r->profiles[profile].used = true;
    s->r->mapped = true;
    return true;
}

static void visit_array(struct search *s, struct obj array, enum context context, int depth)
{
    AUTO_OBJ struct obj kind = obj_item(array, 0);
    size_t profile;
    bool mapped = is_mapped(s, recolour_spot(s->r, array, s->clean));
    bool indexed =
        context == CONTEXT_IMAGE && (obj_name_is(kind, "/Indexed") || obj_name_is(kind, "/I"));

    if (context == CONTEXT_NAMED || context == CONTEXT_IMAGE || context == CONTEXT_PALETTE) {
        profile = recolour_profile_of(s->r, array);
        if (profile != IDMAP_NONE) {
            s->r->profiles[profile].used = true;
            return;
        }
    }
    for (int i = 0, n = obj_count(array); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!mapped || i != 2) /* 2: the alternate space */
            visit(s, item, indexed && i == 1 ? CONTEXT_PALETTE : CONTEXT_OTHER, depth);
    }
}

static void visit_group(struct search *s, struct obj dict)
{
    AUTO_OBJ struct obj group = obj_key(dict, "/Group");
    AUTO_OBJ struct obj space = obj_key(group, "/CS");
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    long long n = 0;

    if (obj_name_is(space, "/DeviceCMYK") || (obj_key_int(profile, "/N", &n) && n == 4))
        s->r->fails = true;
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

/* No content names it any more. False: it is another. */
static bool replace_space(struct recolour *r, struct obj spaces, const char *key, struct obj value)
{
    size_t profile = recolour_profile_of(r, value);

    if (profile == IDMAP_NONE)
        return false;
    obj_set_name(spaces, key, recolour_device_of(r, profile));
    return true;
}

static void visit_dict(struct search *s, struct obj dict, enum context context, int depth)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    bool mapped = is_mapped(s, recolour_shading(s->r, dict, s->clean));

    if (!keys)
        s->r->no_memory = true;
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        if (mapped && strcmp(keys[i], "/ColorSpace") == 0)
            continue;
        /* Colours of the device have another meaning then. */
        if (context == CONTEXT_SPACES && strncmp(keys[i], "/Default", 8) == 0)
            s->r->fails = true;
        if (context != CONTEXT_SPACES || !s->clean || !replace_space(s->r, dict, keys[i], value))
            visit(s, value, context_of(dict, keys[i], value, context), depth);
    }
    visit_group(s, dict);
}

static void visit_value(struct search *s, struct obj value, enum context context, int depth)
{
    if (depth == 0)
        s->r->fails = true;
    else if (obj_is_array(value))
        visit_array(s, value, context, depth);
    else if (obj_is_dict(value) || obj_is_stream(value))
        visit_dict(s, value, context, depth);
}

static void note_image(struct recolour *r, struct obj image)
{
    AUTO_OBJ struct obj space = obj_key(image, "/ColorSpace");
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj base = obj_item(space, 1);
    bool indexed = obj_name_is(kind, "/Indexed") || obj_name_is(kind, "/I");
    size_t profile = recolour_profile_of(r, indexed ? base : space);

    if (profile == IDMAP_NONE)
        return;
    if (!LIST_ROOM(r->images, r->n_images, r->cap_images))
        r->no_memory = true;
    else
        r->images[r->n_images++] = (struct recolour_image){ obj_id(image), profile };
}

/* What an indirect object is, after a visit. */
static void note(struct recolour *r, struct obj obj, int64_t id)
{
    size_t profile = idmap_find(&r->by_id, id);

    if (profile != IDMAP_NONE) /* something else than a colour space refers to it */
        r->profiles[profile].stays = true;
    if (obj_is_stream(obj) && obj_key_is(obj, "/Subtype", "/Image")) {
        note_image(r, obj);
    } else if (obj_is_dict(obj) || obj_is_stream(obj)) {
        if (!LIST_ROOM(r->streams, r->n_streams, r->cap_streams))
            r->no_memory = true;
        else
            r->streams[r->n_streams++] = id;
    }
}

static void search(struct recolour *r, bool clean)
{
    struct search s = { .r = r, .clean = clean };
    AUTO_OBJ struct obj trailer = obj_trailer(r->q);
    AUTO_OBJ struct obj root = obj_key(trailer, "/Root");

    visit(&s, root, CONTEXT_OTHER, MAX_NESTING);
    while (s.n > 0 && !r->no_memory && !r->fails) {
        struct reached next = s.waiting[--s.n];
        AUTO_OBJ struct obj obj = obj_by_id(r->q, OBJ_NUMBER(next.id), OBJ_GEN(next.id));

        if (next.context == CONTEXT_OTHER && !clean)
            note(r, obj, next.id);
        visit_value(&s, obj, next.context, MAX_NESTING);
    }
    free(s.waiting);
    idmap_free(&s.seen);
}

/* After all is known that keeps profiles. */
static void check_images(struct recolour *r)
{
    for (size_t i = 0; i < r->n_images; i++) {
        struct recolour_profile *profile = &r->profiles[r->images[i].profile];
        AUTO_OBJ struct obj image =
            obj_by_id(r->q, OBJ_NUMBER(r->images[i].id), OBJ_GEN(r->images[i].id));

        profile->stays |= !profile->stays && !recolour_image_fits(image, profile);
    }
}

void recolour_find(struct recolour *r)
{
    find_profiles(r);
    if (r->n_profiles == 0 || r->no_memory)
        return;
    search(r, false);
    check_images(r);
}

void recolour_clean(struct recolour *r)
{
    search(r, true);
}
