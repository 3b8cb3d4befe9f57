#include "cmd/config_trial.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/nearest.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "data/s3/place.h"
#include "sandbox/signer/client.h"
#include "server/config/ini.h"
#include "server/http/tls.h"

struct trial {
    const struct config *config;
    validate_report *report;
    void *arg;
};

__attribute__((format(printf, 4, 5))) static void found(const struct trial *trial, bool fatal,
                                                        size_t setting, const char *fmt, ...)
{
    char text[400];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    trial->report(trial->arg, &(struct validate_finding){ fatal, setting, text });
}

static void try_tls(const struct trial *trial)
{
    const struct config *c = trial->config;
    int64_t expires;
    struct err err;

    if (!*c->tls_certificate || !*c->tls_key || access(c->tls_certificate, R_OK) < 0 ||
        access(c->tls_key, R_OK) < 0)
        return;
    if (tls_examine(c->tls_certificate, c->tls_key, &expires, &err) < 0)
        found(trial, true, CONFIG_tls_certificate, "tls_certificate and tls_key: %s", err.msg);
    else if (expires < clock_wall_ms() / 1000)
        found(trial, false, CONFIG_tls_certificate, "tls_certificate has expired");
}

static void try_seal(const struct trial *trial)
{
    AUTO_BUF struct buf chain = BUF_EMPTY;
    struct signer_client signer;
    struct err err;

    if (!*trial->config->seal_certificate)
        return;
    if (cmd_signer_client(trial->config, &signer, &err) < 0 || access(signer.program, X_OK) < 0)
        return;
    if (signer.services.seal_chain(signer.services.arg, &chain, &err) < 0)
        found(trial, true, CONFIG_seal_certificate, "seal_certificate: %s", err.msg);
}

static void try_folder(const struct trial *trial, size_t setting, const char *path)
{
    struct stat st;

    if (!*path)
        return;
    if (stat(path, &st) < 0)
        found(trial, true, setting, "%s: %s: %s", config_setting_at(setting)->name, path,
              strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        found(trial, true, setting, "%s: %s is not a folder", config_setting_at(setting)->name,
              path);
}

static void try_blobs(const struct trial *trial)
{
    struct s3_place place;
    struct err err;

    if (s3_place_is(trial->config->blobs) && s3_place_read(trial->config->blobs, &place, &err) < 0)
        found(trial, true, CONFIG_blobs, "%s", err.msg);
}

void config_trial(const struct config *config, validate_report *report, void *arg)
{
    const struct trial trial = { config, report, arg };

    try_tls(&trial);
    try_seal(&trial);
    try_blobs(&trial);
    try_folder(&trial, CONFIG_programs, config->programs);
}

#define SECTIONS 200 /* that are compared; more plans than a server takes */

struct lines {
    const struct config *config;
    void (*report)(void *arg, int line, const char *text);
    void *arg;
    struct {
        char name[80];
        int line;
        bool empty;
    } sections[SECTIONS];
    size_t n;
};

__attribute__((format(printf, 3, 4))) static void warn(const struct lines *lines, int line,
                                                       const char *fmt, ...)
{
    char text[300];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    lines->report(lines->arg, line, text);
}

static void on_section(void *arg, int line, const char *name)
{
    struct lines *lines = arg;

    for (size_t i = 0; i < lines->n; i++)
        if (strncmp(lines->sections[i].name, name, sizeof lines->sections[i].name - 1) == 0)
            warn(lines, line,
                 "[%.60s] is there twice, first in line %d: the settings of both count", name,
                 lines->sections[i].line);
    if (lines->n == SECTIONS)
        return;
    snprintf(lines->sections[lines->n].name, sizeof lines->sections[lines->n].name, "%s", name);
    lines->sections[lines->n].line = line;
    lines->sections[lines->n++].empty = true;
}

/* Whether the setting is a time: such a value is shown with its unit. */
static bool is_time(const struct lines *lines, const char *name)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        char shown[CONFIG_SHOWN];

        if (!nearest_same(name, config_setting_at(i)->name))
            continue;
        config_show(lines->config, i, shown);
        return *shown && strchr("smhd", shown[strlen(shown) - 1]) &&
               strspn(shown, "0123456789") > 0;
    }
    return false;
}

static void on_entry(void *arg, const struct ini_line *line)
{
    struct lines *lines = arg;
    size_t n = strlen(line->value);

    if (lines->n)
        lines->sections[lines->n - 1].empty = false;
    if (n > 1 && line->value[0] == line->value[n - 1] && strchr("\"'", line->value[0]))
        warn(lines, line->number, "%s: the quotes are part of the value: leave them out",
             line->name);
    if (n && line->value[0] != '0' && strspn(line->value, "0123456789") == n &&
        (*line->section ? strstr(line->name, "retention") != NULL : is_time(lines, line->name)))
        warn(lines, line->number, "%s = %.20s means %.20s seconds: add a unit, such as %.20sh",
             line->name, line->value, line->value, line->value);
}

static void on_malformed(void *arg, int line, const struct err *fault)
{
    (void) arg;
    (void) line;
    (void) fault; /* reported when the settings were read */
}

void config_trial_lines(const struct config *config, const char *path,
                        void (*report)(void *arg, int line, const char *text), void *arg)
{
    struct lines lines = { .config = config, .report = report, .arg = arg };
    const struct ini_reader reader = { on_entry, on_malformed, on_section, &lines };
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    struct err ignored;

    if (!file || ini_read(file, &reader, &ignored) < 0)
        return;
    for (size_t i = 0; i < lines.n; i++)
        if (lines.sections[i].empty)
            warn(&lines, lines.sections[i].line, "[%.60s] has no settings, and is left out",
                 lines.sections[i].name);
}
