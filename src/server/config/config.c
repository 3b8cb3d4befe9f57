#include "server/config/config.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/num.h"
#include "base/scope.h"
#include "server/config/ini.h"
#include "server/config/url_password.h"
#include "server/config/value.h"

extern char **environ;

struct field {
    enum value_type type;
    size_t offset;
};

static const struct {
    struct config_setting shown;
    struct field field;
} settings[] = {
#define FIELD(type, name, preset, help, live)                                                      \
    { { #name, preset, help, live, (VALUE_##type) == VALUE_SECRET },                               \
      { VALUE_##type, offsetof(struct config, name) } },
#define SETTING(type, name, preset, help) FIELD(type, name, preset, help, false)
#define LIVE(type, name, preset, help)    FIELD(type, name, preset, help, true)
#include "server/config/config.def"
#undef SETTING
};

static const struct {
    const char *name;
    struct field field;
} plan_fields[] = {
#define PLAN(type, name, help) { #name, { VALUE_##type, offsetof(struct plan, name) } },
#include "server/config/plan.def"
#undef PLAN
};

static int set_at(struct config *config, size_t i, const char *value, struct config_source source,
                  struct err *err)
{
    if (value_parse(settings[i].field.type, settings[i].shown.name, value,
                    (char *) config + settings[i].field.offset, err) < 0)
        return -1;
    config->sources[i] = source;
    return 0;
}

_Static_assert(sizeof((struct plan *) 0)->price == VALUE_LABEL_BYTES, "a price is a label");

static const char *setting_name(const void *arg, size_t i)
{
    (void) arg;
    return i < COUNT(settings) ? settings[i].shown.name : NULL;
}

static const char *plan_field_name(const void *arg, size_t i)
{
    (void) arg;
    return i < COUNT(plan_fields) ? plan_fields[i].name : NULL;
}

static int unknown(const char *what, const char *name, const char *(*at)(const void *arg, size_t i),
                   struct err *err)
{
    const char *near = nearest_name(name, at, NULL);

    return err_field(err, ERR_UNKNOWN_FIELD, name, "%s %.60s%s%s%s", what, name,
                     near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static int set_named(struct config *config, const char *name, const char *value,
                     struct config_source source, struct err *err)
{
    for (size_t i = 0; i < COUNT(settings); i++)
        if (nearest_same(name, settings[i].shown.name))
            return set_at(config, i, value, source, err);
    return unknown("there is no setting", name, setting_name, err);
}

int config_set(struct config *config, const char *name, const char *value, struct err *err)
{
    return set_named(config, name, value, (struct config_source){ .origin = CONFIG_FROM_WORD },
                     err);
}

static void variable_name(size_t i, char out[static 64])
{
    size_t n = strlen("PLATEN_");

    memcpy(out, "PLATEN_", n);
    for (const char *p = settings[i].shown.name; *p; p++)
        out[n++] = (char) toupper((unsigned char) *p);
    out[n] = '\0';
}

static int set_from_environment(struct config *config, struct err *err)
{
    for (size_t i = 0; i < COUNT(settings); i++) {
        const char *value;
        char name[64];

        variable_name(i, name);
        value = getenv(name);
        if (value && set_at(config, i, value,
                            (struct config_source){ .origin = CONFIG_FROM_ENVIRONMENT }, err) < 0)
            return err_wrap(err, "%s", name);
    }
    return 0;
}

static void unknown_variable(const char *name, struct err *err)
{
    const char *near = nearest_name(name, setting_name, NULL);
    char variable[64] = "";

    for (size_t i = 0; near && i < COUNT(settings); i++)
        if (strcmp(settings[i].shown.name, near) == 0)
            variable_name(i, variable);
    err_field(err, ERR_UNKNOWN_FIELD, name, "PLATEN_%.60s: there is no such setting%s%s%s", name,
              near ? "; did you mean " : "", variable, near ? "?" : "");
}

void config_strays(config_report *report, void *arg)
{
    for (char **word = environ; *word; word++) {
        size_t n = strcspn(*word, "=");
        char name[64];
        struct err err;
        bool known = strncmp(*word, "PLATEN_CONFIG=", 14) == 0; /* names the file */

        if (strncmp(*word, "PLATEN_", 7) != 0 || n - 7 >= sizeof name)
            continue;
        memcpy(name, *word + 7, n - 7);
        name[n - 7] = '\0';
        for (size_t i = 0; i < COUNT(settings); i++)
            known = known || nearest_same(name, settings[i].shown.name);
        if (known)
            continue;
        unknown_variable(name, &err);
        report(arg, 0, &err);
    }
}

int config_init(struct config *config, struct err *err)
{
    *config = (struct config){ 0 };
    plan_list_init(&config->plans);
    for (size_t i = 0; i < COUNT(settings); i++)
        if (set_at(config, i, settings[i].shown.preset, (struct config_source){ 0 }, err) < 0)
            return -1;
    return set_from_environment(config, err);
}

bool config_parse_time(const char *text, int64_t *ms)
{
    struct err ignored;

    return value_parse(VALUE_TIME, "", text, ms, &ignored) == 0;
}

/* Web pages and responses escape the name; it must also be harmless in a log line and a
 * terminal. */
static int check_plan_name(const char *name, struct err *err)
{
    size_t n = strlen(name);
    bool plain = n > 0 && n < sizeof((struct plan *) 0)->name;

    for (size_t i = 0; i < n; i++)
        plain = plain && (unsigned char) name[i] >= ' ' && name[i] != 0x7f;
    return plain ? 0
                 : err_field(err, ERR_INVALID_PARAMETER, "plan",
                             "a plan's name is 1 to %zu printable characters",
                             sizeof((struct plan *) 0)->name - 1);
}

static int set_plan(struct config *config, const char *plan_name, const char *name,
                    const char *value, struct err *err)
{
    const struct plan *known = plan_list_find(&config->plans, plan_name);
    struct plan plan = known ? *known : (struct plan){ .max_unfinished = 1000 };
    size_t i = 0;

    if (check_plan_name(plan_name, err) < 0)
        return -1;
    while (i < COUNT(plan_fields) && !nearest_same(name, plan_fields[i].name))
        i++;
    if (i == COUNT(plan_fields))
        return unknown("a plan has no setting", name, plan_field_name, err);
    if (value_parse(plan_fields[i].field.type, name, value,
                    (char *) &plan + plan_fields[i].field.offset, err) < 0)
        return -1;
    snprintf(plan.name, sizeof plan.name, "%s", plan_name);
    if (plan_list_set(&config->plans, &plan) < 0)
        return err_field(err, ERR_INVALID_PARAMETER, name, "there are too many plans");
    return 0;
}

struct reading {
    struct config *config;
    config_report *report;
    void *arg;
    int lines[COUNT(settings)]; /* the last line with each setting; 0: none yet */
};

/* Records where a setting is given, and where it was given before. */
static void note_line(struct reading *reading, const struct ini_line *line)
{
    for (size_t i = 0; i < COUNT(settings); i++)
        if (nearest_same(line->name, settings[i].shown.name)) {
            reading->config->sources[i].earlier = reading->lines[i];
            reading->lines[i] = line->number;
        }
}

static void on_setting(void *arg, const struct ini_line *line)
{
    struct reading *reading = arg;
    const struct config_source source = { .origin = CONFIG_FROM_FILE, .line = line->number };
    struct err err;
    int done;

    if (strncmp(line->section, "plan ", 5) == 0)
        done = set_plan(reading->config, line->section + 5 + strspn(line->section + 5, " \t"),
                        line->name, line->value, &err);
    else if (*line->section)
        done = err_field(&err, ERR_UNKNOWN_FIELD, line->section,
                         "there is no section [%.60s], only [plan NAME]", line->section);
    else
        done = set_named(reading->config, line->name, line->value, source, &err);
    if (done < 0)
        reading->report(reading->arg, line->number, &err);
    else if (!*line->section)
        note_line(reading, line);
}

static void on_fault(void *arg, int line, const struct err *fault)
{
    const struct reading *reading = arg;

    reading->report(reading->arg, line, fault);
}

int config_read_all(struct config *config, const char *path, config_report *report, void *arg,
                    struct err *err)
{
    struct reading reading = { .config = config, .report = report, .arg = arg };
    const struct ini_reader reader = { .each = on_setting, .fault = on_fault, .arg = &reading };
    AUTO_FCLOSE FILE *file = fopen(path, "re");

    if (!file)
        return err_sys(err, "open %s", path);
    snprintf(config->file, sizeof config->file, "%s", path);
    if (ini_read(file, &reader, err) < 0)
        return -1;
    return set_from_environment(config, err);
}

struct first_fault {
    int line;
    struct err err;
};

static void keep_first(void *arg, int line, const struct err *fault)
{
    struct first_fault *first = arg;

    if (first->line == 0) {
        first->line = line;
        first->err = *fault;
    }
}

int config_read(struct config *config, const char *path, struct err *err)
{
    struct first_fault first = { .line = 0 };

    if (config_read_all(config, path, keep_first, &first, err) < 0)
        return -1;
    if (first.line == 0)
        return 0;
    *err = first.err;
    return err_wrap(err, "%s, line %d", path, first.line);
}

const struct config_setting *config_setting_at(size_t i)
{
    return i < COUNT(settings) ? &settings[i].shown : NULL;
}

void config_show(const struct config *config, size_t i, char out[static CONFIG_SHOWN])
{
    value_show(settings[i].field.type, (const char *) config + settings[i].field.offset, out,
               CONFIG_SHOWN);
    url_password_hide(out);
}

bool config_show_plan(const struct config *config, size_t i, size_t k, char *out, size_t cap)
{
    char value[CONFIG_SHOWN];

    if (k >= COUNT(plan_fields))
        return false;
    value_show(plan_fields[k].field.type,
               (const char *) &config->plans.list[i] + plan_fields[k].field.offset, value,
               sizeof value);
    snprintf(out, cap, "%s = %s", plan_fields[k].name, value);
    return true;
}

bool config_same(const struct config *a, const struct config *b, size_t i)
{
    return value_same(settings[i].field.type, (const char *) a + settings[i].field.offset,
                      (const char *) b + settings[i].field.offset);
}

bool config_is_preset(const struct config *config, size_t i)
{
    static const struct config_source none = { 0 };
    struct config preset = { 0 };
    struct err ignored;

    return set_at(&preset, i, settings[i].shown.preset, none, &ignored) == 0 &&
           config_same(config, &preset, i);
}

void config_copy(struct config *to, const struct config *from, size_t i)
{
    memcpy((char *) to + settings[i].field.offset, (const char *) from + settings[i].field.offset,
           value_size(settings[i].field.type));
    to->sources[i] = from->sources[i];
}

int config_split_listen(const char *listen, char *address, size_t cap, uint16_t *port,
                        struct err *err)
{
    const char *colon = strrchr(listen, ':');
    size_t n = colon ? (size_t) (colon - listen) : 0;
    int64_t number;

    if (n && listen[0] == '[' && listen[n - 1] == ']') {
        listen++;
        n -= 2;
    }
    if (!colon || n == 0 || n >= cap ||
        !num_parse_i64(colon + 1, strlen(colon + 1), 0, 65535, &number))
        return err_field(err, ERR_INVALID_PARAMETER, "listen",
                         "listen must be an address and a port, such as 127.0.0.1:8080 for this "
                         "machine alone, or 0.0.0.0:8080 or [::]:8080 for every address of it");
    memcpy(address, listen, n);
    address[n] = '\0';
    *port = (uint16_t) number;
    return 0;
}
