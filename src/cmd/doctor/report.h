/* report: lines of findings, as text for people or as JSON. */
#pragma once

#include <stdbool.h>

#include <jansson.h>

enum finding { FINDING_OK, FINDING_WARN, FINDING_FAIL };

struct report {
    json_t *lines; /* NULL: lines are printed at once */
    int n[3];      /* count of each enum finding */
};

/* Adds a line: what was tested, and the finding. */
__attribute__((format(printf, 4, 5))) void report_line(struct report *report, enum finding finding,
                                                       const char *check, const char *fmt, ...);
/* Adds how to fix the problem of the previous line. */
__attribute__((format(printf, 2, 3))) void report_fix(struct report *report, const char *fmt, ...);
