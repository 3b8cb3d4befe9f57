/*
 * log: writes one line for each event to standard error, as key=value or as JSON: the event's name
 * first, then its fields, always with the ids of request and job. A line never contains a file's
 * name, content, text, password or key.
 *     log_info("job.done", KV("job", id), KV("ms", elapsed));
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format {
    LOG_KEY_VALUE,
    LOG_PREFIXED, /* key=value after "<6>", for a standard error that is the journal
                   * (sd-daemon(3)) */
    LOG_JSON,
    LOG_JOURNALD, /* native fields (PLATEN_EVENT, PLATEN_JOB, ...) over the journal's own socket */
};

struct log_field {
    const char *name;
    const char *text; /* NULL: the field is `number` */
    int64_t number;
};

static inline struct log_field log_text(const char *name, const char *text)
{
    return (struct log_field){ name, text ? text : "", 0 };
}
static inline struct log_field log_number(const char *name, int64_t number)
{
    return (struct log_field){ name, NULL, number };
}

static inline struct log_field log_size(const char *name, size_t number)
{
    return (struct log_field){ name, NULL, (int64_t) number };
}

/* A field: text or a whole number. */
#define KV(name, value)                                                                            \
    _Generic((value),                                                                              \
        char * : log_text, const char * : log_text, size_t : log_size, default : log_number)(name, value)

/* Sets level and format. Events below `level` are not written. May be called from any thread. */
void log_setup(enum log_level level, enum log_format format);
/* Finds the format "auto", "text", "json" or "journald". auto is LOG_PREFIXED if standard error
 * is the journal (by JOURNAL_STREAM), else LOG_KEY_VALUE. False for any other name. */
bool log_format_find(const char *name, enum log_format *out);
/* Sets the journal's socket; NULL: /run/systemd/journal/socket. While nothing listens there,
 * LOG_JOURNALD works like LOG_PREFIXED. */
void log_journal_at(const char *path);
bool log_level_find(const char *name, enum log_level *out); /* "debug", "info", "warn" or "error" */

/* Writes a line for an event. For the macros below. */
void log_write(enum log_level level, const char *event, const struct log_field *fields, size_t n);

#define LOG_AT(level, event, ...)                                                                  \
    log_write(level, event, (const struct log_field[]){ __VA_ARGS__ },                             \
              sizeof((const struct log_field[]){ __VA_ARGS__ }) / sizeof(struct log_field))
/* for developers */
#define log_debug(event, ...) LOG_AT(LOG_DEBUG, event, __VA_ARGS__)
/* one for each request, job or start */
#define log_info(event, ...) LOG_AT(LOG_INFO, event, __VA_ARGS__)
/* a problem that was handled */
#define log_warn(event, ...) LOG_AT(LOG_WARN, event, __VA_ARGS__)
/* a problem that a person must look at */
#define log_error(event, ...) LOG_AT(LOG_ERROR, event, __VA_ARGS__)
