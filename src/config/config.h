/*
 * config: the settings, read once at start from a file, the environment and the command line.
 * Plans are sections of the file:
 *
 *     [plan business]
 *     requests_per_month = 50000
 *     bytes_per_month = 2G
 *     max_unfinished = 1000
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "account/plan.h"
#include "base/err.h"

#define CONFIG_TEXT 512

#define CONFIG_FIELD_TEXT(name)  char name[CONFIG_TEXT];
#define CONFIG_FIELD_INT(name)   int64_t name;
#define CONFIG_FIELD_BYTES(name) int64_t name;
#define CONFIG_FIELD_TIME(name)  int64_t name; /* milliseconds */
#define CONFIG_FIELD_BOOL(name)  bool name;

struct config {
#define SETTING(type, name, preset, help) CONFIG_FIELD_##type(name)
#include "config/config.def"
#undef SETTING
    struct plans plans;
};

struct config_setting {
    const char *name, *preset, *help;
};

/* Defaults, then the environment (PLATEN_LISTEN and so on). */
int config_init(struct config *config, struct err *err);
/* A file on top of it; what the environment says stays stronger. The error names file and line. */
int config_read(struct config *config, const char *path, struct err *err);
/* One setting by its name, with '-' taken for '_'. ERR_UNKNOWN_FIELD, ERR_INVALID_PARAMETER. */
int config_set(struct config *config, const char *name, const char *value, struct err *err);

/* The table, for help; NULL past its end. */
const struct config_setting *config_setting_at(size_t i);

/* "127.0.0.1:8080" and "[::1]:8080" into their parts. */
int config_split_listen(const char *listen, char *address, size_t cap, uint16_t *port,
                        struct err *err);
