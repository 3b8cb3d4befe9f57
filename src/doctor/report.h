/* report: lines of findings, for people or as JSON. */
#pragma once

#include <stdbool.h>

#include <jansson.h>

enum finding { FINDING_OK, FINDING_WARN, FINDING_FAIL };

struct report {
    json_t *lines; /* NULL: printed as they come */
    int n[3];      /* by enum finding */
};

/* One line: what was looked at, what was found. */
__attribute__((format(printf, 4, 5))) void report_line(struct report *report, enum finding finding,
                                                       const char *check, const char *fmt, ...);
/* What to do about the line before. */
__attribute__((format(printf, 2, 3))) void report_fix(struct report *report, const char *fmt, ...);
