/*
 * recolour: converts the colours of a document that are in colour spaces with large ICC profiles to
 * sRGB or gray, so that the profiles are not needed any more. Colours of content streams and
 * samples of images are converted, by the rendering intent in use. All uses of a profile are
 * converted or none is.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"

/*
 * Changes the document in memory. *changed: whether anything was changed. `lengths` gets, by id,
 * the bytes that changed streams took in the file. Nothing is changed in documents that define
 * their device (by output intents or default colour spaces), claim PDF/A or PDF/X, or blend in
 * CMYK; nor for profiles that serve uncoloured patterns, meshes, groups, or spot colours of more
 * than three inks, or whose images cannot be read. Fails only when out of memory.
 */
int recolour(struct pdf_doc *doc, struct idmap *lengths, bool *changed, struct err *err);
