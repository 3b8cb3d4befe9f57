#include "cmd/doctor/report.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const words[] = { "ok", "warn", "FAIL" };

void report_line(struct report *report, enum finding finding, const char *check, const char *fmt,
                 ...)
{
    char text[600];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *p = text; *p; p++) /* a finding is one line */
        if (*p == '\n')
            *p = ' ';
    report->n[finding]++;
    if (report->lines)
        json_array_append_new(report->lines,
                              json_pack("{ss ss ss}", "result",
                                        finding == FINDING_FAIL ? "fail" : words[finding], "check",
                                        check, "text", text));
    else
        printf("%-5s %-18s %s\n", words[finding], check, text);
}

void report_fix(struct report *report, const char *fmt, ...)
{
    char text[600];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (report->lines)
        json_object_set_new(json_array_get(report->lines, json_array_size(report->lines) - 1),
                            "fix", json_string(text));
    else
        printf("%-5s %-18s -> %s\n", "", "", text);
}
