/* doctor: what this machine lacks, and what to do about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "doctor/doctor.h"

static int print_help(void)
{
    puts(
        "platen doctor [--json] [--config FILE] [--SETTING VALUE]...\n"
        "\n"
        "Tests what a server with these settings needs: sandbox, programs, fonts, disk, database,\n"
        "clock, address, certificate. Prints a line for each check, ok, warn or FAIL, and what to "
        "do.\n"
        "Changes nothing, and may run while the server runs. Run it as the server's user.\n"
        "\n"
        "Exit status: 0, or 1 if a line is FAIL.");
    return 0;
}

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
    struct err err;
    bool as_json;

    if (cmd_wants_help(argc, argv))
        return print_help();
    if (cmd_config(&config, &argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (cmd_json_word(argc, argv, &as_json, &err) < 0)
        return cmd_fail(2, "doctor: %s", err.msg);
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
