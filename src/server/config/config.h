/*
 * config: the settings, read from a file, the environment and the command line. Plans are sections
 * of the file:
 *     [plan business]
 *     requests_per_month = 50000
 *     bytes_per_month = 2G
 *     max_unfinished = 1000
 *     retention = 7d
 *     max_retention = 30d
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/system/net.h"
#include "data/account/plan.h"
#include "server/config/value.h"

#define CONFIG_TEXT VALUE_TEXT_BYTES

#define CONFIG_FIELD_TEXT(name)   char name[CONFIG_TEXT];
#define CONFIG_FIELD_SECRET(name) char name[CONFIG_TEXT];
#define CONFIG_FIELD_INT(name)    int64_t name;
#define CONFIG_FIELD_BYTES(name)  int64_t name;
#define CONFIG_FIELD_TIME(name)   int64_t name; /* milliseconds */
#define CONFIG_FIELD_BOOL(name)   bool name;
#define CONFIG_FIELD_NETS(name)   struct net_list name;

enum {
#define SETTING(type, name, preset, help) CONFIG_##name,
#include "server/config/config.def"
#undef SETTING
    CONFIG_COUNT,
};

enum config_origin {
    CONFIG_FROM_DEFAULT,
    CONFIG_FROM_FILE,
    CONFIG_FROM_ENVIRONMENT,
    CONFIG_FROM_WORD
};

struct config_source {
    enum config_origin origin;
    int line; /* line in the file */
    /* earlier line of the same file with the same setting, which is overridden; 0: none */
    int earlier;
};

struct config {
#define SETTING(type, name, preset, help) CONFIG_FIELD_##type(name)
#include "server/config/config.def"
#undef SETTING
    struct plans plans;
    struct config_source sources[CONFIG_COUNT]; /* where each setting's value comes from */
    char file[CONFIG_TEXT];                     /* the last file that was read, or "" */
};

struct config_setting {
    const char *name, *preset, *help;
    bool live;   /* a reload applies it */
    bool secret; /* must never be shown */
};

/* Sets the defaults, then applies the environment (PLATEN_LISTEN and so on). */
int config_init(struct config *config, struct err *err);
/* Applies a file; values from the environment stay. The error names file and line. */
int config_read(struct config *config, const char *path, struct err *err);
/* The same, but continues after a fault and calls `report` for each. -1 only if the file cannot be
 * read, or memory ran out. */
typedef void config_report(void *arg, int line, const struct err *fault);
int config_read_all(struct config *config, const char *path, config_report *report, void *arg,
                    struct err *err);
/* Sets one setting by its name, in which '-' equals '_'. ERR_UNKNOWN_FIELD,
 * ERR_INVALID_PARAMETER. */
int config_set(struct config *config, const char *name, const char *value, struct err *err);

/* The i-th setting, for help; NULL past the end. */
const struct config_setting *config_setting_at(size_t i);
/* Writes a setting's value as in a file; a secret that is set becomes "(hidden)", and the
 * password in an address is left out. */
#define CONFIG_SHOWN CONFIG_TEXT
void config_show(const struct config *config, size_t i, char out[static CONFIG_SHOWN]);
/* Writes the k-th "name = value" of the i-th plan; false past the last. */
bool config_show_plan(const struct config *config, size_t i, size_t k, char *out, size_t cap);
/* Whether two configurations have the same value of a setting. */
bool config_same(const struct config *a, const struct config *b, size_t i);
/* Whether a setting has the value that it has without being set, in whatever unit it was written.
 */
bool config_is_preset(const struct config *config, size_t i);
/* Copies a setting from `from` to `to`, with its source. */
void config_copy(struct config *to, const struct config *from, size_t i);
/* Calls `report` (line 0) for each environment variable PLATEN_... that is not a setting, for
 * warnings. */
void config_strays(config_report *report, void *arg);

/* Reads a time such as 250ms, 30s, 5m, 24h or 7d in milliseconds. A number alone is seconds. False
 * if it is malformed. */
bool config_parse_time(const char *text, int64_t *ms);

/* Splits "127.0.0.1:8080" or "[::1]:8080" into its parts. */
int config_split_listen(const char *listen, char *address, size_t cap, uint16_t *port,
                        struct err *err);
