/*
 * paper: the size of a page as a client writes it: "fit" (as large as its content), "a4", "letter",
 * "legal", or millimetres, "100x150mm", width first.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

#define PAPER_POINT_MIN 3.0 /* limits of a page's sides in points (ISO 32000-1, Annex C) */
#define PAPER_POINT_MAX 14400.0
#define PAPER_MM        (72.0 / 25.4) /* points in a millimetre */

struct paper {
    bool fit; /* the other members are not set */
    /* it has a name and may be rotated; in millimetres the client chose the orientation */
    bool named;
    double width, height; /* in points */
};

/* Whether margins on all sides leave some space on a page of that size; all in points. */
bool paper_has_room(double width, double height, double margin);

/* Parses the text, ignoring case and blanks around it. ERR_INVALID_PARAMETER, without a field,
 * says what is allowed. */
int paper_parse(const char *text, struct paper *paper, struct err *err);
