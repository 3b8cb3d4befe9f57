/* doctor: what this machine lacks, and what to do about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/command.h"
#include "cmd/doctor/doctor.h"

static void print_json(struct report *report)
{
    json_t *json =
        json_pack("{si si si sO}", "ok", report->n[FINDING_OK], "warnings", report->n[FINDING_WARN],
                  "failures", report->n[FINDING_FAIL], "findings", report->lines);
    char *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;

    puts(text ? text : "{}");
    free(text);
    json_decref(json);
    json_decref(report->lines);
}

int cmd_doctor(int argc, char **argv)
{
    static struct config config;
    struct report report = { 0 };
    struct command_words words;
    struct err err;
    bool as_json;

    if (cmd_begin(&config, &words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    as_json = command_value(&words, "json") != NULL;
    report.lines = as_json ? json_array() : NULL;
    /* nothing must be left in the buffer, which a fork would write twice */
    setvbuf(stdout, NULL, _IOLBF, 0);
    doctor_settings(&report, &config);
    doctor_kernel(&report, &config);
    doctor_machine(&report, &config);
    doctor_storage(&report, &config);
    doctor_bucket(&report, &config);
    doctor_network(&report, &config);
    doctor_programs(&report, &config);
    if (as_json)
        print_json(&report);
    else
        printf("\n%d ok, %d warnings, %d failed\n", report.n[FINDING_OK], report.n[FINDING_WARN],
               report.n[FINDING_FAIL]);
    return report.n[FINDING_FAIL] ? 1 : 0;
}
