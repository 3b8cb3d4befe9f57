/*
 * param: the declared parameters of a tool.
 *
 * A tool declares its parameters once, as a table, which is used for everything: validation of
 * requests, the OpenAPI document, the command line's options and help.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum param_type {
    PARAM_BOOL,      /* bool */
    PARAM_INT,       /* int64_t, between min and max */
    PARAM_NUMBER,    /* double, between min and max; NAN for one of choices, if there are some */
    PARAM_COLOR,     /* uint32_t, 0xRRGGBB (declare/value/color.h) */
    PARAM_TEXT,      /* const char *, min to max characters of UTF-8, without control characters
                      * except line breaks and tabs; with choices, these words may occur in it in
                      * braces (declare/value/template.h) */
    PARAM_CHOICE,    /* const char *, one of choices */
    PARAM_CHOICES,   /* uint64_t, one or several of choices (at most 64), divided by commas: a bit
                      * for each, the lowest one for the first */
    PARAM_PAGES,     /* const char *, a page list (declare/value/page_list.h) with correct syntax */
    PARAM_PAPER,     /* const char *, the size of a page (declare/value/paper.h) */
    PARAM_LANGUAGES, /* const char *, languages among `choices` (declare/value/language_list.h) */
    PARAM_SECRET,    /* const char *, a password that opens a document: unchanged, 0 to max bytes
                      * of UTF-8. Never logged, never in the job's row */
    PARAM_PASSWORD,  /* const char *, a new password: after SASLprep (RFC 4013), and at most max
                      * bytes then. As secret as PARAM_SECRET */
    PARAM_UPLOAD,    /* const struct tool_input *, a file of at most max bytes besides the
                      * documents; NULL if none was given. Deleted when the job ends, like a
                      * secret */
};

struct tool_input; /* declare/tool/input.h */

struct param {
    const char *name;  /* as clients write it */
    const char *alias; /* another accepted name; NULL: none */
    const char *help;  /* one sentence for people */
    enum param_type type;
    bool required;
    bool text;          /* PARAM_UPLOAD only: a text in place of a file is the content of one */
    const char *preset; /* the default, as a client would write it; NULL: the field stays zero */
    double min, max;
    /* PARAM_INT only: the value must be a multiple of it; 0: any value */
    int64_t step;
    const char *const *choices; /* NULL-terminated */
    size_t offset;              /* of the field in the tool's params struct */
};

/*
 * One row of a table. Each macro gets the params struct and the field that it fills, then the
 * sentence of help, then any of .required, .preset, .min, .max, .step, .choices and .alias. The
 * field's type is checked at compile time, and the parameter has the field's name (so fields that
 * clients see have camelCase names).
 */
#define PARAM_ROW(TYPE, ctype, S, field, about, ...)                                               \
    {                                                                                              \
        .name = #field, .help = about, .type = TYPE,                                               \
        .offset = _Generic(((S *) 0)->field, ctype                                                 \
                           : offsetof(S, field)),                                                  \
        __VA_ARGS__                                                                                \
    }
#define BOOL(S, field, ...)      PARAM_ROW(PARAM_BOOL, bool, S, field, __VA_ARGS__)
#define INT(S, field, ...)       PARAM_ROW(PARAM_INT, int64_t, S, field, __VA_ARGS__)
#define NUMBER(S, field, ...)    PARAM_ROW(PARAM_NUMBER, double, S, field, __VA_ARGS__)
#define COLOR(S, field, ...)     PARAM_ROW(PARAM_COLOR, uint32_t, S, field, __VA_ARGS__)
#define TEXT(S, field, ...)      PARAM_ROW(PARAM_TEXT, const char *, S, field, __VA_ARGS__)
#define CHOICE(S, field, ...)    PARAM_ROW(PARAM_CHOICE, const char *, S, field, __VA_ARGS__)
#define CHOICES(S, field, ...)   PARAM_ROW(PARAM_CHOICES, uint64_t, S, field, __VA_ARGS__)
#define PAGES(S, field, ...)     PARAM_ROW(PARAM_PAGES, const char *, S, field, __VA_ARGS__)
#define PAPER(S, field, ...)     PARAM_ROW(PARAM_PAPER, const char *, S, field, __VA_ARGS__)
#define LANGUAGES(S, field, ...) PARAM_ROW(PARAM_LANGUAGES, const char *, S, field, __VA_ARGS__)
#define SECRET(S, field, ...)    PARAM_ROW(PARAM_SECRET, const char *, S, field, __VA_ARGS__)
#define PASSWORD(S, field, ...)  PARAM_ROW(PARAM_PASSWORD, const char *, S, field, __VA_ARGS__)
#define UPLOAD(S, field, ...)                                                                      \
    PARAM_ROW(PARAM_UPLOAD, const struct tool_input *, S, field, __VA_ARGS__)

/* A name and a value as they arrived, not validated; both may contain any bytes but NUL. Exactly
 * one of value and file is set. */
struct param_input {
    const char *name;
    const char *value;
    const struct tool_input *file; /* must outlive the struct that param_fill fills */
};

/* Whether values of this type are kept out of logs, rows and responses. */
bool param_is_secret(const struct param *param);
/* Finds a parameter by its name or its alias; NULL if there is none. Values are stored under the
 * name in both cases. */
const struct param *param_find(const struct param *table, size_t n_params, const char *name);

/*
 * Validates one value (not of a PARAM_UPLOAD). Fails with ERR_INVALID_PARAMETER, the field and the
 * allowed values. On success *canonical, if not NULL, is the value to store, which the caller
 * frees: trimmed for numbers, choices and lists, with single-character line breaks for texts, after
 * SASLprep for new passwords.
 */
int param_check(const struct param *param, const char *value, char **canonical, struct err *err);

/* Validates a file for a parameter by its size so far: ERR_INVALID_PARAMETER if the parameter is
 * not an upload, ERR_FILE_TOO_LARGE. */
int param_check_upload(const struct param *param, int64_t bytes, struct err *err);

/*
 * Validates a whole request: ERR_UNKNOWN_FIELD (with the most similar declared name, if there is
 * one), ERR_INVALID_PARAMETER (also for a field given twice), ERR_MISSING_FIELD for a missing
 * required one.
 */
int param_check_all(const struct param *table, size_t n_params, const struct param_input *in,
                    size_t n_in, struct err *err);

/*
 * Fills `out` (the tool's params struct, zeroed by the caller) from values that were validated
 * before, validating them again and applying defaults. Texts point into `in` or the table: both
 * must outlive `out`.
 */
int param_fill(const struct param *table, size_t n_params, const struct param_input *in,
               size_t n_in, void *out, struct err *err);
