/*
 * param: the declared parameters of a tool.
 *
 * A tool declares its parameters once, as a table. Everything that needs to know them reads that
 * table: validation of requests, the OpenAPI document, the command line's options and help.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum param_type {
    PARAM_BOOL,     /* bool */
    PARAM_INT,      /* int64_t, between min and max */
    PARAM_NUMBER,   /* double, between min and max; NAN for one of choices, if it has some */
    PARAM_COLOR,    /* uint32_t, 0xRRGGBB (tool/color.h) */
    PARAM_TEXT,     /* const char *, min to max characters of UTF-8, no control characters but line
                       breaks and tabs; with choices those words may stand in it in braces
                       (tool/template.h) */
    PARAM_CHOICE,   /* const char *, one of choices */
    PARAM_PAGES,    /* const char *, a page list (tool/page_list.h) whose syntax is right */
    PARAM_PAPER,    /* const char *, the size of a page (tool/paper.h) */
    PARAM_SECRET,   /* const char *, a password that opens something: as it came, 0 to max
                       bytes of UTF-8. Never logged, never in the job's row */
    PARAM_PASSWORD, /* const char *, a new password: SASLprep (RFC 4013) done, at most max bytes
                       after it. A secret too */
    PARAM_UPLOAD,   /* const struct tool_input *, a file of at most max bytes that is none of the
                       documents; NULL if none was given. Goes when the job ends, like a secret */
};

struct tool_input; /* tool/run.h */

struct param {
    const char *name;  /* as the client writes it */
    const char *alias; /* another name that is taken for it; NULL: none */
    const char *help;  /* one sentence, shown to people */
    enum param_type type;
    bool required;
    const char *preset; /* the default, written as a client would; NULL: the field keeps its zero */
    double min, max;
    int64_t step;               /* PARAM_INT only: the value must be a multiple; 0 for any */
    const char *const *choices; /* NULL-terminated */
    size_t offset;              /* of the field in the tool's params struct */
};

/*
 * One row of a table. Each macro takes the params struct and the field it fills, then the sentence
 * of help, then any of .required, .preset, .min, .max, .step, .choices and .alias. The field's type
 * is checked when it is compiled, and the parameter has the field's name (so fields that clients
 * see are named in their camelCase).
 */
#define PARAM_ROW(TYPE, ctype, S, field, about, ...)                                               \
    {                                                                                              \
        .name = #field, .help = about, .type = TYPE,                                               \
        .offset = _Generic(((S *) 0)->field, ctype                                                 \
                           : offsetof(S, field)),                                                  \
        __VA_ARGS__                                                                                \
    }
#define BOOL(S, field, ...)     PARAM_ROW(PARAM_BOOL, bool, S, field, __VA_ARGS__)
#define INT(S, field, ...)      PARAM_ROW(PARAM_INT, int64_t, S, field, __VA_ARGS__)
#define NUMBER(S, field, ...)   PARAM_ROW(PARAM_NUMBER, double, S, field, __VA_ARGS__)
#define COLOR(S, field, ...)    PARAM_ROW(PARAM_COLOR, uint32_t, S, field, __VA_ARGS__)
#define TEXT(S, field, ...)     PARAM_ROW(PARAM_TEXT, const char *, S, field, __VA_ARGS__)
#define CHOICE(S, field, ...)   PARAM_ROW(PARAM_CHOICE, const char *, S, field, __VA_ARGS__)
#define PAGES(S, field, ...)    PARAM_ROW(PARAM_PAGES, const char *, S, field, __VA_ARGS__)
#define PAPER(S, field, ...)    PARAM_ROW(PARAM_PAPER, const char *, S, field, __VA_ARGS__)
#define SECRET(S, field, ...)   PARAM_ROW(PARAM_SECRET, const char *, S, field, __VA_ARGS__)
#define PASSWORD(S, field, ...) PARAM_ROW(PARAM_PASSWORD, const char *, S, field, __VA_ARGS__)
#define UPLOAD(S, field, ...)                                                                      \
    PARAM_ROW(PARAM_UPLOAD, const struct tool_input *, S, field, __VA_ARGS__)

/* A name and value as they arrived, before anyone believed them; both may hold any bytes but NUL.
 * Exactly one of value and file is there. */
struct param_input {
    const char *name;
    const char *value;
    const struct tool_input *file; /* outlives what param_fill fills */
};

/* Whether values of this type are kept out of logs, rows and answers. */
bool param_is_secret(const struct param *param);
/* By its name or its alias. Whoever keeps what came under either keeps it under the name. */
const struct param *param_find(const struct param *table, size_t n_params, const char *name);

/*
 * Judges one value (not of a PARAM_UPLOAD). The error is ERR_INVALID_PARAMETER with the field named
 * and the allowed values said. On success *canonical, if wanted, is the value to keep (the caller
 * frees it): trimmed for numbers, choices and lists, line breaks of one character for texts,
 * SASLprep'd for new passwords.
 */
int param_check(const struct param *param, const char *value, char **canonical, struct err *err);

/* Judges a file that came for a parameter by its size so far: ERR_INVALID_PARAMETER if the
 * parameter takes none, ERR_FILE_TOO_LARGE. */
int param_check_upload(const struct param *param, int64_t bytes, struct err *err);

/*
 * Judges a whole request: ERR_UNKNOWN_FIELD (with the nearest declared name, if one is near),
 * ERR_INVALID_PARAMETER (also for a field given twice), ERR_MISSING_FIELD for a required one.
 */
int param_check_all(const struct param *table, size_t n_params, const struct param_input *in,
                    size_t n_in, struct err *err);

/*
 * Fills `out` (the tool's params struct, zeroed by the caller) from values that were judged
 * before, applying defaults, and judges them again. Texts point into `in` or the table: both must
 * outlive `out`.
 */
int param_fill(const struct param *table, size_t n_params, const struct param_input *in,
               size_t n_in, void *out, struct err *err);
