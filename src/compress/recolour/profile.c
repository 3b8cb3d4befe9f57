/* profile: the ICC profiles of a document that are large. See part.h. */
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "compress/icc/icc_trim.h"
#include "compress/icc/srgb.h"
#include "compress/recolour/part.h"
#include "syntax/inflate/flate.h"

#define MOST_PROFILES 100 /* different ones; others stay */
#define LEAST         2048 /* bytes that a profile takes in the file and in the result, to be worth it */

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
static size_t find_equal(const struct recolour *c, const struct recolour_profile *profile)
{
    for (size_t i = 0; i < c->n_profiles; i++)
        if (c->profiles[i].channels == profile->channels &&
            strcmp(c->profiles[i].digest, profile->digest) == 0)
            return i;
    return IDMAP_NONE;
}

static void note_profile(struct recolour *c, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    struct recolour_profile profile = { .stays = false };
    long long channels = 0, length = 0;
    size_t n = 0, equal;

    if (c->n_profiles == MOST_PROFILES || !obj_key_int(stream, "/N", &channels) ||
        (channels != 1 && channels != 3 && channels != 4) ||
        !obj_key_int(stream, "/Length", &length) || length < LEAST || obj_has(stream, "/Type") ||
        !has_usual_range(stream, channels) || !obj_stream_data(stream, &data, &n))
        return;
    profile.channels = (unsigned) channels;
    digest_text(data, n, profile.digest);
    equal = find_equal(c, &profile);
    if (equal != IDMAP_NONE) {
        c->no_memory |= !idmap_add(&c->by_id, obj_id(stream), equal);
        return;
    }
    profile.gain = gain_of(data, n, profile.channels);
    if (profile.gain < LEAST || !(profile.convert = icc_convert_open(data, n, profile.channels)))
        return;
    if (LIST_ROOM(c->profiles, c->n_profiles, c->cap_profiles) &&
        idmap_add(&c->by_id, obj_id(stream), c->n_profiles)) {
        c->profiles[c->n_profiles++] = profile;
    } else {
        icc_convert_close(&profile.convert);
        c->no_memory = true;
    }
}

void recolour_profiles(struct recolour *c)
{
    int n = pdf_doc_next_number(c->doc);

    for (int id = 1; id < n && !c->no_memory; id++) {
        AUTO_OBJ struct obj obj = obj_by_number(c->q, id);

        if (obj_is_stream(obj))
            note_profile(c, obj);
    }
}

size_t recolour_profile_of(const struct recolour *c, struct obj space)
{
    AUTO_OBJ struct obj first = obj_item(space, 0);
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    size_t i;

    if (!obj_name_is(first, "/ICCBased") || !obj_is_indirect(profile))
        return IDMAP_NONE;
    i = idmap_find(&c->by_id, obj_id(profile));
    return i == IDMAP_NONE || c->profiles[i].stays ? IDMAP_NONE : i;
}
