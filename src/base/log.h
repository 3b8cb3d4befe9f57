/*
 * log: one line an event on standard error, as key=value or as JSON. The event's name first, then
 * its fields; request and job ids always. Never a file's name, content, text, password or key.
 *
 *     log_info("job.done", KV("job", id), KV("ms", elapsed));
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format {
    LOG_KEY_VALUE,
    LOG_PREFIXED, /* key=value behind "<6>", for a standard error that is the journal (sd-daemon(3))
                   */
    LOG_JSON,
    LOG_JOURNALD, /* native fields (PLATEN_EVENT, PLATEN_JOB, ...) over the journal's own socket */
};

struct log_field {
    const char *name;
    const char *text; /* NULL: number counts */
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

/* Below `level` nothing is written. From any thread. */
void log_setup(enum log_level level, enum log_format format);
/* auto, text, json, journald. auto is LOG_PREFIXED if standard error is the journal, by
 * JOURNAL_STREAM, else LOG_KEY_VALUE. */
bool log_format_find(const char *name, enum log_format *out);
/* Where the journal listens; NULL: /run/systemd/journal/socket. While nobody does, LOG_JOURNALD is
 * LOG_PREFIXED. */
void log_journal_at(const char *path);
bool log_level_find(const char *name, enum log_level *out); /* debug, info, warn, error */

void log_write(enum log_level level, const char *event, const struct log_field *fields, size_t n);

#define LOG_AT(level, event, ...)                                                                  \
    log_write(level, event, (const struct log_field[]){ __VA_ARGS__ },                             \
              sizeof((const struct log_field[]){ __VA_ARGS__ }) / sizeof(struct log_field))
/* for us */
#define log_debug(event, ...) LOG_AT(LOG_DEBUG, event, __VA_ARGS__)
/* once per request, job or start */
#define log_info(event, ...) LOG_AT(LOG_INFO, event, __VA_ARGS__)
/* we coped */
#define log_warn(event, ...) LOG_AT(LOG_WARN, event, __VA_ARGS__)
/* a person must look */
#define log_error(event, ...) LOG_AT(LOG_ERROR, event, __VA_ARGS__)
