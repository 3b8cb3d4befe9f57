/*
 * icc_trim: makes ICC profiles (ISO 15076-1, and ICC.1:2001-04 for version 2) as small as a reader
 * of PDF needs them for a colour space, which only ever converts colours from the profile's device:
 * tables for the way back, for gamut checks and for calibration leave, and so do all translations
 * of a description but one. The profile of an output intent keeps its class and both ways of
 * conversion, the colorimetric tables for all rendering intents if no others are in use.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct icc_trim {
    bool output;      /* it is a document's output intent: what its class must have stays */
    bool all_intents; /* the document asks for other rendering intents than relative colorimetric */
    bool coarse;      /* tables may lose precision that is invisible on a screen */
};

/*
 * Appends the smaller profile. False, and `out` is unchanged, if the profile is damaged, is not of
 * a display, input, output or colour space class, or would not become smaller, and when out of
 * memory.
 */
bool icc_trim(const void *profile, size_t n, const struct icc_trim *how, struct buf *out);
