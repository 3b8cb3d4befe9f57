/*
 * paper: the size of a page as a client writes it: "fit" (as large as what is put on it), "a4",
 * "letter", "legal", or millimetres, "100x150mm", width first.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

#define PAPER_POINT_MIN 3.0 /* ISO 32000-1, Annex C: sides of a page, in points */
#define PAPER_POINT_MAX 14400.0
#define PAPER_MM        (72.0 / 25.4)

struct paper {
    bool fit;             /* then there is nothing else */
    bool named;           /* has a name, and may be turned; of millimetres the order was chosen */
    double width, height; /* points */
};

/* Whether margins on all sides leave something of a page of that size; all in points. */
bool paper_has_room(double width, double height, double margin);

/* ERR_INVALID_PARAMETER, without a field, says what is allowed. Case and blanks around it do not
 * count. */
int paper_parse(const char *text, struct paper *paper, struct err *err);
