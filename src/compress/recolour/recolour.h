/*
 * recolour: converts the colours of a document to gray, or those in colour spaces with large ICC
 * profiles to sRGB or gray, so that the profiles are not needed any more. One walk over the
 * document serves both targets: content streams, shadings and the colour spaces of resources.
 *
 * RECOLOUR_GRAY: all content, inline images, shadings, patterns, glyphs, groups, and the
 * appearances of annotations and fields. What cannot be read stays as it is and is counted. Image
 * XObjects are left to the code that writes them, which can ask for their former colour space.
 *
 * RECOLOUR_SRGB: content streams, images, and the functions of spot colours and shadings, by the
 * rendering intent in use. All uses of a profile are converted or none is. Nothing is changed in
 * documents that define their device (by output intents or default colour spaces), claim PDF/A or
 * PDF/X, or blend in CMYK; nor for profiles that serve uncoloured patterns, meshes, groups, or spot
 * colours of more than three inks, or whose images cannot be read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

enum recolour_target { RECOLOUR_GRAY, RECOLOUR_SRGB };

struct recolour;

/*
 * Changes the document in memory. `lengths` (NULL: not wanted) gets, by id, the bytes that changed
 * streams took in the file. ERR_LIMIT_EXCEEDED when out of memory.
 */
struct recolour *recolour_open(struct pdf_doc *doc, enum recolour_target target,
                               struct idmap *lengths, struct err *err);
void recolour_close(struct recolour **recolour);

/* Whether the document had any colour that was to be converted. */
bool recolour_changed(const struct recolour *recolour);
/* The number of parts that could not be read, and may still have colours. */
size_t recolour_failures(const struct recolour *recolour);
/* The colour space that an image had before it was to become gray; null if it has none or there is
 * no image with that number. In the document it is replaced by a name, so that ICC profiles that
 * are not needed are not written. */
struct obj recolour_image_space(const struct recolour *recolour, int64_t image);
