/* config: the subcommand that checks and shows the settings. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "cmd/config_trial.h"
#include "server/config/validate.h"

static const char *const origins[] = { "default", "file", "environment", "option" };

struct finding {
    int line;     /* of the file; 0: of none */
    size_t order; /* in which it was found */
    bool fatal;
    char text[400];
};

struct findings {
    const struct config *config;
    const char *path;
    struct finding *list;
    size_t n;
    int faults, warnings;
};

static void add_finding(struct findings *findings, bool fatal, int line, const char *source,
                        const char *text)
{
    struct finding *list = reallocarray(findings->list, findings->n + 1, sizeof *findings->list);

    *(fatal ? &findings->faults : &findings->warnings) += 1;
    if (!list)
        return;
    findings->list = list;
    list[findings->n] = (struct finding){ .line = line, .order = findings->n, .fatal = fatal };
    snprintf(list[findings->n].text, sizeof list->text, "%s%s", source, text);
    findings->n++;
}

static void on_fault(void *arg, int line, const struct err *fault)
{
    add_finding(arg, true, line, "", fault->msg);
}

static void on_stray(void *arg, int line, const struct err *fault)
{
    add_finding(arg, false, line, "", fault->msg);
}

/* "PLATEN_LOG_LEVEL: " or "--log-level: " before what is wrong with it. */
static void name_source(size_t setting, enum config_origin origin, char out[static 80])
{
    size_t n = (size_t) snprintf(out, 80, "%s%s: ", origin == CONFIG_FROM_WORD ? "--" : "PLATEN_",
                                 config_setting_at(setting)->name);

    for (size_t i = 2; i < n; i++)
        out[i] = origin != CONFIG_FROM_WORD ? (char) toupper((unsigned char) out[i])
                 : out[i] == '_'            ? '-'
                                            : out[i];
}

static void on_finding(void *arg, const struct validate_finding *finding)
{
    struct findings *findings = arg;
    const struct config_source *source =
        finding->setting < CONFIG_COUNT ? &findings->config->sources[finding->setting] : NULL;
    char from[80] = "";

    if (source && (source->origin == CONFIG_FROM_ENVIRONMENT || source->origin == CONFIG_FROM_WORD))
        name_source(finding->setting, source->origin, from);
    add_finding(arg, finding->fatal,
                source && source->origin == CONFIG_FROM_FILE ? source->line : 0, from,
                finding->text);
}

static void on_line(void *arg, int line, const char *text)
{
    add_finding(arg, false, line, "", text);
}

/* Those of no line last; each after those found before it. */
static int by_line(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;

    if (x->line != y->line)
        return x->line == 0 ? 1 : y->line == 0 ? -1 : x->line < y->line ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void print_findings(struct findings *findings)
{
    if (findings->n)
        qsort(findings->list, findings->n, sizeof *findings->list, by_line);
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *finding = &findings->list[i];

        if (findings->path && finding->line)
            printf("%s:%d: ", findings->path, finding->line);
        printf("%s: %s\n", finding->fatal ? "error" : "warning", finding->text);
    }
    printf("%s%s%d error%s, %d warning%s\n", findings->path ? findings->path : "",
           findings->path ? ": " : "", findings->faults, findings->faults == 1 ? "" : "s",
           findings->warnings, findings->warnings == 1 ? "" : "s");
    free(findings->list);
}

static int check(int argc, char **argv, struct config *config)
{
    struct findings findings = { .config = config, .path = cmd_settings_file(argc, argv) };
    struct err err;

    /* The file is read on its own, to find all its faults. */
    if (config_init(config, &err) < 0 ||
        (findings.path && config_read_all(config, findings.path, on_fault, &findings, &err) < 0))
        on_fault(&findings, 0, &err);
    /* The settings are checked as a server would have them, with the arguments. */
    if (findings.faults == 0 && cmd_read_settings(config, argc, argv, &err) < 0)
        on_fault(&findings, 0, &err);
    validate_config(config, on_finding, &findings);
    if (findings.path)
        config_trial_lines(config, findings.path, on_line, &findings);
    config_trial(config, on_finding, &findings);
    config_strays(on_stray, &findings);
    print_findings(&findings);
    return findings.faults ? 1 : 0;
}

static int show(int argc, char **argv, struct config *config)
{
    struct err err;

    if (cmd_settings(config, argc, argv, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const struct config_source *source = &config->sources[i];
        char value[CONFIG_SHOWN], from[40];

        config_show(config, i, value);
        snprintf(from, sizeof from, source->line ? "%s, line %d" : "%s", origins[source->origin],
                 source->line);
        printf("%-17s = %-26s # %s\n", config_setting_at(i)->name, value, from);
    }
    for (size_t i = 0; i < config->plans.n; i++) {
        char line[CONFIG_SHOWN];

        printf("\n[plan %s]\n", config->plans.list[i].name);
        for (size_t k = 0; config_show_plan(config, i, k, line, sizeof line); k++)
            puts(line);
    }
    return 0;
}

int cmd_config(int argc, char **argv)
{
    static struct config config;
    struct command_words words;
    struct err err;

    if (command_parse(&words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    return strcmp(words.form->verb, "check") == 0 ? check(argc, argv, &config)
                                                  : show(argc, argv, &config);
}
