#include "config/config.h"

#include <ctype.h>
#include <ini.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"

enum setting_type { TEXT, INT, BYTES, TIME, BOOL };

static const struct {
    struct config_setting shown;
    enum setting_type type;
    size_t offset;
} settings[] = {
#define SETTING(type, name, preset, help)                                                          \
    { { #name, preset, help }, type, offsetof(struct config, name) },
#include "config/config.def"
#undef SETTING
};

struct unit {
    const char *name;
    int64_t factor;
};

static const struct unit byte_units[] = {
    { "", 1 }, { "k", 1000 }, { "M", 1000000 }, { "G", 1000000000 }, { "T", 1000000000000 }
};
static const struct unit time_units[] = { { "ms", 1 },      { "s", 1000 },     { "m", 60000 },
                                          { "h", 3600000 }, { "d", 86400000 }, { "", 1000 } };

/* A whole number and a unit. */
static bool parse_amount(const char *value, const struct unit *units, size_t n_units, int64_t *out)
{
    size_t digits = strspn(value, "0123456789");
    int64_t v;

    if (!num_parse_i64(value, digits, 0, INT64_MAX, &v))
        return false;
    for (size_t i = 0; i < n_units; i++)
        if (strcmp(value + digits, units[i].name) == 0)
            return !__builtin_mul_overflow(v, units[i].factor, out);
    return false;
}

static bool parse_bool(const char *value, bool *out)
{
    *out = strcmp(value, "true") == 0;
    return *out || strcmp(value, "false") == 0;
}

static int set_at(struct config *config, size_t i, const char *value, struct err *err)
{
    void *field = (char *) config + settings[i].offset;
    const char *name = settings[i].shown.name;

    switch (settings[i].type) {
    case TEXT:
        if (strlen(value) >= CONFIG_TEXT)
            return err_field(err, ERR_INVALID_PARAMETER, name, "%s is longer than %d bytes", name,
                             CONFIG_TEXT - 1);
        memcpy(field, value, strlen(value) + 1);
        return 0;
    case INT:
        if (num_parse_i64(value, strlen(value), 0, 1000000000, field))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s must be a whole number", name);
    case BYTES:
        if (parse_amount(value, byte_units, COUNT(byte_units), field))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a number of bytes such as 500k, 20M or 2G", name);
    case TIME:
        if (parse_amount(value, time_units, COUNT(time_units), field))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a time such as 250ms, 30s, 5m, 24h or 7d", name);
    case BOOL:
        if (parse_bool(value, field))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s must be true or false", name);
    }
    return err_set(err, ERR_INTERNAL, "%s has an unknown type", name);
}

static bool same_name(const char *a, const char *b)
{
    while (*a && (*a == '-' ? '_' : *a) == *b) {
        a++;
        b++;
    }
    return !*a && !*b;
}

int config_set(struct config *config, const char *name, const char *value, struct err *err)
{
    for (size_t i = 0; i < COUNT(settings); i++)
        if (same_name(name, settings[i].shown.name))
            return set_at(config, i, value, err);
    return err_field(err, ERR_UNKNOWN_FIELD, name, "there is no setting %.60s", name);
}

static int set_from_environment(struct config *config, struct err *err)
{
    for (size_t i = 0; i < COUNT(settings); i++) {
        char name[64] = "PLATEN_";
        size_t n = strlen(name);

        for (const char *p = settings[i].shown.name; *p; p++)
            name[n++] = (char) toupper((unsigned char) *p);
        name[n] = '\0';
        const char *value = getenv(name);
        if (value && set_at(config, i, value, err) < 0)
            return err_wrap(err, "%s", name);
    }
    return 0;
}

int config_init(struct config *config, struct err *err)
{
    *config = (struct config){ 0 };
    plans_init(&config->plans);
    for (size_t i = 0; i < COUNT(settings); i++)
        if (set_at(config, i, settings[i].shown.preset, err) < 0)
            return -1;
    return set_from_environment(config, err);
}

struct reading {
    struct config *config;
    struct err *err;
};

static int set_plan(struct config *config, const char *plan_name, const char *name,
                    const char *value, struct err *err)
{
    const struct plan *known = plans_find(&config->plans, plan_name);
    struct plan plan = known ? *known : (struct plan){ .max_unfinished = 1000 };
    int64_t *field = strcmp(name, "requests_per_month") == 0 ? &plan.requests_per_month
                     : strcmp(name, "bytes_per_month") == 0  ? &plan.bytes_per_month
                     : strcmp(name, "max_unfinished") == 0   ? &plan.max_unfinished
                                                             : NULL;

    if (!field)
        return err_field(err, ERR_UNKNOWN_FIELD, name, "a plan has no setting %.60s", name);
    if (!parse_amount(value, byte_units, COUNT(byte_units), field))
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s must be a number", name);
    if (strlen(plan_name) >= sizeof plan.name)
        return err_field(err, ERR_INVALID_PARAMETER, name, "the plan's name is too long");
    snprintf(plan.name, sizeof plan.name, "%s", plan_name);
    if (plans_set(&config->plans, &plan) < 0)
        return err_field(err, ERR_INVALID_PARAMETER, name, "there are too many plans");
    return 0;
}

static int on_setting(void *cls, const char *section, const char *name, const char *value)
{
    struct reading *reading = cls;
    int done;

    if (strncmp(section, "plan ", 5) == 0)
        done = set_plan(reading->config, section + 5, name, value, reading->err);
    else if (*section)
        done = err_field(reading->err, ERR_UNKNOWN_FIELD, section, "there is no section [%.60s]",
                         section);
    else
        done = config_set(reading->config, name, value, reading->err);
    return done == 0;
}

int config_read(struct config *config, const char *path, struct err *err)
{
    struct reading reading = { config, err };
    AUTO_FCLOSE FILE *file = fopen(path, "re");
    int line;

    if (!file)
        return err_sys(err, "open %s", path);
    err_set(err, ERR_INVALID_PARAMETER, "not a setting (name = value)");
    line = ini_parse_file(file, on_setting, &reading);
    if (line != 0)
        return err_wrap(err, "%s, line %d", path, line);
    return set_from_environment(config, err);
}

const struct config_setting *config_setting_at(size_t i)
{
    return i < COUNT(settings) ? &settings[i].shown : NULL;
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
                         "listen must be an address and a port such as 127.0.0.1:8080");
    memcpy(address, listen, n);
    address[n] = '\0';
    *port = (uint16_t) number;
    return 0;
}
