/*
 * form_script: the standard functions of scripts that calculate and format fields (Acrobat's AF...
 * functions). Scripts are not run: one that is a single call of such a function is read, and any
 * other one is only recognised as a script.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/object/obj.h"

#define FORM_SCRIPT_NAMES 1000 /* limit of the fields of a calculation */

enum form_script_kind {
    FORM_SCRIPT_NONE,
    FORM_SCRIPT_CALCULATION,
    FORM_SCRIPT_NUMBER,
    FORM_SCRIPT_PERCENT,
    FORM_SCRIPT_DATE,
    FORM_SCRIPT_SPECIAL,
    FORM_SCRIPT_OTHER, /* one that is not read */
};

struct form_script {
    enum form_script_kind kind;
    char operation[4]; /* of a calculation: "SUM", "PRD", "AVG", "MIN" or "MAX" */
    char **names;      /* of the fields that it is made of, UTF-8 */
    size_t n_names;
    int decimals, separators, negative; /* of numbers and percentages, as Acrobat counts them */
    char currency[32];                  /* UTF-8 */
    bool currency_first;
    char pattern[64]; /* of dates */
    int special;      /* 0: zip, 1: zip+4, 2: phone, 3: social security number */
};

/* Reads the script of a trigger ("/C", "/F") in a field's additional actions (/AA). */
void form_script_read(struct form_script *script, struct obj field, const char *trigger);
void form_script_free(struct form_script *script);
#define AUTO_FORM_SCRIPT __attribute__((cleanup(form_script_free)))

/* Appends how a value is displayed. False if the script does not change it, or cannot. */
bool form_script_format(const struct form_script *script, const char *value, struct buf *out);
/* The number that a value is, as scripts understand it. False if it is not one. */
bool form_script_number(const char *value, double *number);
