/*
 * icc_trim: removes from ICC profiles (ISO 15076-1, and ICC.1:2001-04 for version 2) what readers
 * of PDF do not use. The profile of a colour space only converts colours from its device: tables
 * for the other direction, for gamut checks and for calibration are removed, and all translations
 * of its description but one. The profile of an output intent keeps its class and the tables of
 * both directions; one colorimetric table serves all rendering intents if no others are in use.
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
