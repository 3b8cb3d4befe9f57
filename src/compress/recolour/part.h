/* part: declarations that the files of this folder share. */
#pragma once

#include "base/buf.h"
#include "base/digest.h"
#include "compress/icc/icc_convert.h"
#include "compress/recolour/recolour.h"
#include "compress/recolour/space.h"

/* A profile that is so large that removing it is worth the work. Equal streams are one profile. */
struct recolour_profile {
    char digest[DIGEST_TEXT]; /* of its bytes */
    unsigned channels;
    size_t gain; /* bytes that it takes when it is written */
    size_t jpeg; /* bytes of JPEG images in its colours */
    struct icc_convert *convert;
    bool used;
    bool stays; /* something that is not converted needs it */
};

struct recolour_image {
    int64_t id;
    size_t profile;
};

/* A content stream that changes: of a page, or a stream itself. */
struct recolour_edit {
    int64_t id;
    bool page;
    struct buf data;
};

struct recolour {
    struct pdf_doc *doc;
    qpdf_data q;
    enum recolour_target target;
    struct idmap *lengths; /* or NULL */
    struct recolour_edit *edits;
    size_t n_edits, cap_edits;
    struct idmap read; /* by id of a stream: its edit's index + 1, or 0 if it needs none */
    size_t depth;      /* of the streams that are being read, one inside the other */
    size_t changes;    /* number of parts that were changed */
    size_t failures;   /* number of parts that could not be converted */
    size_t functions;  /* number of functions that were converted to gray */
    bool no_memory;    /* memory ran out: the document must not be used */

    /* To gray: the id of an image's former colour space by the id of the image. */
    struct idmap spaces;

    /* To sRGB. */
    struct recolour_profile *profiles;
    size_t n_profiles, cap_profiles;
    struct idmap by_id; /* index of a profile */
    struct recolour_image *images;
    size_t n_images, cap_images;
    struct idmap intents; /* by id of an image: the enum icc_intent that it is drawn with */
    bool other_intent;    /* some content asks for another intent than the usual one */
    bool inherited;       /* colours or images are by the intent of what draws their content */
    bool mapped;          /* functions have colours of a profile that is removed as values */
};

/* What colours become (target.c). Whether nothing more is to be done: memory ran out or, to sRGB,
 * something is not understood. */
bool recolour_ends(const struct recolour *c);
/* Uses up effort (base/effort.h) for a conversion to sRGB; false, and a failure, if there is none
 * left. */
bool recolour_spend(struct recolour *c, double units);

/*
 * Opens a colour space (space_open). To sRGB, all stay but [/ICCBased profile] of a profile that
 * does not, which is SPACE_BY_PROFILE. NULL when out of memory.
 */
struct space *recolour_space(struct recolour *c, struct obj obj, struct obj resources);
/* Converts a colour of that space, by an intent. Returns the number of its levels, 1 or 3, from 0
 * to 1; 0 if it cannot be converted, which is a failure. */
size_t recolour_convert(struct recolour *c, const struct space *space, enum icc_intent intent,
                        const double *colour, double levels[static 3]);
/* How many levels the converted colours of a space have, and the name of their device space. */
size_t recolour_levels(const struct space *space);
const char *recolour_device(const struct space *space);

/* Gives a key the value [level]. */
void recolour_set_level(struct obj dict, const char *key, double level);

/* The walk: finds what uses the profiles (to sRGB), converts all content and applies the edits, and
 * then converts what the content needed until here: the resources and shadings (walk.c). */
void recolour_find(struct recolour *c);
void recolour_read(struct recolour *c);
void recolour_clean(struct recolour *c);

/* Reads the content of a page (content.c). */
void recolour_page(struct recolour *c, struct obj page);
/* Reads the stream of a form XObject, tiling pattern or glyph. `outer`: the resources to use if it
 * has none of its own. */
void recolour_stream(struct recolour *c, struct obj stream, struct obj outer);
/* Reads the glyphs of a Type 3 font; `outer` as above. */
void recolour_glyphs(struct recolour *c, struct obj font, struct obj outer);
/* Converts a default appearance string to gray. True if it was changed: `out` is then the new
 * one. */
bool recolour_appearance(struct recolour *c, const unsigned char *data, size_t n, struct buf *out);
/* The intent with this name, "/Perceptual" and so on; the usual one for all other names. */
enum icc_intent recolour_intent(const char *name);

/* Converts an inline image to gray. `dict`: the n bytes between "BI" and "ID". If it has colours,
 * appends the new image, from BI to EI, and returns true (inline.c). */
bool recolour_inline_image(struct recolour *c, struct obj resources, const char *dict, size_t n,
                           const unsigned char *data, size_t n_data, struct buf *out);
/* Converts a dictionary besides its content: colours of annotations and fields, and the matte and
 * the colour space of an image (dict.c). */
void recolour_dict_to_gray(struct recolour *c, struct obj dict);

#define RECOLOUR_FUNCTION_INPUTS 3    /* limit: samples grow with each */
#define RECOLOUR_FUNCTIONS       1000 /* limit to sRGB: of functions in one */

/*
 * Makes a function whose values are the converted ones of `function`, which is a function or an
 * array of functions with one value each. The new function is a sampled one; of a stitching
 * function each part is converted by itself, because values may jump between two parts. Null if
 * `function` cannot be read, has too many inputs or parts or too few values, or memory ran out. The
 * caller releases the result (mapped.c).
 */
struct obj recolour_function(struct recolour *c, struct obj function, const struct space *space);
/*
 * Whether a shading, or the function of a Separation or DeviceN space, can be converted; with
 * `apply` it is (shading.c). To sRGB, shadings are those of types 1 to 3; the alternate space of a
 * spot colour is replaced.
 */
bool recolour_shading(struct recolour *c, struct obj shading, bool apply);
bool recolour_spot(struct recolour *c, struct obj space, bool apply);
/* Converts the vertices of a shading of type 4 to 7 to gray, each with a colour of `space`; if the
 * colours come from a function (`by_function`), only checks them. False if they cannot be read. */
bool recolour_mesh(struct obj shading, long long type, const struct space *space, bool by_function);

/* Finds the profiles that are large (profile.c). */
void recolour_profiles(struct recolour *c);
/* The index of the profile of a colour space [/ICCBased profile]; IDMAP_NONE if it is another space
 * or its profile stays. */
size_t recolour_profile_of(const struct recolour *c, struct obj space);
/* Whether an image can be converted to sRGB; adds to profile->jpeg (image.c). */
bool recolour_image_fits(struct obj image, struct recolour_profile *profile);
/* Converts an image to sRGB. False if it cannot be read; it is then unchanged. */
bool recolour_image_to_srgb(struct recolour *c, struct obj image, struct recolour_profile *profile);
