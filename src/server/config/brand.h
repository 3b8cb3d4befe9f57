/* brand: how an operator's page looks: the colour of what is pressed, and the logo. */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define BRAND_LOGO_BYTES 100000 /* the largest file of a logo */
#define BRAND_COLOR      8      /* "#rrggbb" and a NUL */

/* Colours that follow from one, for light and for dark pages, each "#rrggbb". The text of a link on
 * its paper, card and tint, and that on a button, have a contrast of at least 4.5
 * (WCAG 2.2, 1.4.3). */
struct brand_colors {
    char accent[BRAND_COLOR], deep[BRAND_COLOR], tint[BRAND_COLOR];
    char dark_accent[BRAND_COLOR], dark_deep[BRAND_COLOR], dark_tint[BRAND_COLOR];
};

/* Computes them from "#rrggbb". ERR_INVALID_PARAMETER if that is not a colour, or too light for
 * text on white: the error then names the nearest one that is not. */
int brand_colors(const char *color, struct brand_colors *out, struct err *err);

/* The media type of a logo by the first bytes of its file: PNG, JPEG, WebP or SVG; or NULL. */
const char *brand_logo_type(const void *bytes, size_t n);
/* Checks that a file is a logo: one of these, not larger than BRAND_LOGO_BYTES. */
int brand_check_logo(const char *path, struct err *err);
