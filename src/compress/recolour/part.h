/* part: declarations that the files of this folder share. */
#pragma once

#include "base/buf.h"
#include "base/digest.h"
#include "compress/icc/icc_convert.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

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
    struct recolour_profile *profiles;
    size_t n_profiles, cap_profiles;
    struct idmap by_id; /* index of a profile */
    struct recolour_image *images;
    size_t n_images, cap_images;
    int64_t *streams; /* ids of streams and dictionaries that may have content */
    size_t n_streams, cap_streams;
    struct recolour_edit *edits;
    size_t n_edits, cap_edits;
    struct idmap read;    /* index of its edit, or number of edits so far if it needs none, by id */
    struct idmap intents; /* by id of an image: the enum icc_intent that it is drawn with */
    bool other_intent;    /* some content asks for another intent than the usual one */
    /* some content sets no intent before its colours, and has that of the content that draws it */
    bool taken_over;
    bool mapped; /* functions have colours of a profile that is removed as values */
    bool fails;  /* something is not understood: nothing is to change */
    bool no_memory;
};

/* Finds profiles, images and content, and what uses what (uses.c). */
void recolour_find(struct recolour *r);
/* After converting: removes the colour spaces that no content names any more from resources
 * (uses.c). */
void recolour_clean(struct recolour *r);
/* The index of the profile of a colour space [/ICCBased profile]; IDMAP_NONE if it is another space
 * or its profile stays (profile.c). */
size_t recolour_profile_of(const struct recolour *r, struct obj space);
/* The name of the device space to which the colours of this profile are converted. */
const char *recolour_device_of(const struct recolour *r, size_t profile);
/*
 * The profile of the alternate space of a Separation or DeviceN space, or of a shading, whose
 * function can be replaced by one with the same colours in sRGB or gray; IDMAP_NONE if the object
 * is something else, or that is impossible. `apply`: the function is replaced (mapped.c).
 */
size_t recolour_spot(struct recolour *r, struct obj space, bool apply);
size_t recolour_shading(struct recolour *r, struct obj shading, bool apply);
/* Reads all content and makes the edits (content.c). */
void recolour_read_content(struct recolour *r);
/* Whether an image can be converted; adds to profile->jpeg (image.c). */
bool recolour_image_fits(struct obj image, struct recolour_profile *profile);
/* Converts an image. False if it cannot be read; it is then unchanged. */
bool recolour_image(struct recolour *r, struct obj image, struct recolour_profile *profile,
                    enum icc_intent intent);
/* The intent with this name, "/Perceptual" and so on; the usual one for all other names. */
enum icc_intent recolour_intent(const char *name);
