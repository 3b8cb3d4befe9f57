#include "base/system/log.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system/log_journal.h"

static _Atomic int threshold = LOG_INFO;
static _Atomic int form = LOG_KEY_VALUE;

/* syslog(3) */
static const int priorities[] = { 7, 6, 4, 3 };
static const char *const level_names[] = { "debug", "info", "warn", "error" };

/* A line is composed here and written at once, so that lines never mix. What does not fit is
 * cut: long texts do not belong in a log. */
struct line {
    enum log_format form;
    size_t begin; /* offset of the fields */
    size_t n;
    char text[2048];
};

static void put_char(struct line *line, char c)
{
    if (line->n < sizeof line->text - 2) /* room for the closing brace and the newline */
        line->text[line->n++] = c;
}

static void puts_plain(struct line *line, const char *text)
{
    while (*text)
        put_char(line, *text++);
}

/* JSON's escapes are used in both formats: no control character reaches the terminal or splits a
 * line. */
static void puts_quoted(struct line *line, const char *text)
{
    put_char(line, '"');
    for (const unsigned char *p = (const unsigned char *) text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            put_char(line, '\\');
            put_char(line, (char) *p);
        } else if (*p < 0x20 || *p == 0x7f) {
            char escape[8];

            snprintf(escape, sizeof escape, "\\u%04x", *p);
            puts_plain(line, escape);
        } else {
            put_char(line, (char) *p);
        }
    }
    put_char(line, '"');
}

static bool is_bare(const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p <= ' ' || *p == '"' || *p == '=' || *p == '\\' || *p == 0x7f)
            return false;
    return *text != '\0';
}

static void put_pair(struct line *line, const char *name, const struct log_field *field)
{
    char number[24];

    if (line->form == LOG_JSON) {
        puts_plain(line, line->n > line->begin ? ",\"" : "\"");
        puts_plain(line, name);
        puts_plain(line, "\":");
    } else {
        if (line->n > line->begin)
            put_char(line, ' ');
        puts_plain(line, name);
        put_char(line, '=');
    }
    if (!field->text) {
        snprintf(number, sizeof number, "%lld", (long long) field->number);
        puts_plain(line, number);
    } else if (line->form != LOG_JSON && is_bare(field->text)) {
        puts_plain(line, field->text);
    } else {
        puts_quoted(line, field->text);
    }
}

void log_setup(enum log_level level, enum log_format format)
{
    atomic_store(&threshold, level);
    atomic_store(&form, format);
}

/* Whether standard error is the stream to the journal that the service manager opened. */
static bool is_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    char mine[64];
    struct stat st;

    if (!stream || fstat(STDERR_FILENO, &st) < 0)
        return false;
    snprintf(mine, sizeof mine, "%ju:%ju", (uintmax_t) st.st_dev, (uintmax_t) st.st_ino);
    return strcmp(mine, stream) == 0;
}

bool log_format_find(const char *name, enum log_format *out)
{
    if (strcmp(name, "auto") == 0)
        *out = is_journal() ? LOG_PREFIXED : LOG_KEY_VALUE;
    else if (strcmp(name, "text") == 0)
        *out = LOG_KEY_VALUE;
    else if (strcmp(name, "json") == 0)
        *out = LOG_JSON;
    else if (strcmp(name, "journald") == 0)
        *out = LOG_JOURNALD;
    else
        return false;
    return true;
}

bool log_level_find(const char *name, enum log_level *out)
{
    for (size_t i = 0; i < sizeof level_names / sizeof *level_names; i++) {
        if (strcmp(level_names[i], name) == 0) {
            *out = (enum log_level) i;
            return true;
        }
    }
    return false;
}

static void fill(struct line *line, enum log_level level, const char *event,
                 const struct log_field *fields, size_t n)
{
    char now[CLOCK_TEXT], prefix[8];

    if (line->form == LOG_PREFIXED) {
        snprintf(prefix, sizeof prefix, "<%d>", priorities[level]);
        puts_plain(line, prefix);
    }
    if (line->form == LOG_JSON)
        put_char(line, '{');
    line->begin = line->n;
    /* the journal has its own time stamps */
    if (line->form == LOG_KEY_VALUE || line->form == LOG_JSON) {
        clock_format(clock_wall_ms(), now);
        put_pair(line, "time", &(struct log_field){ "time", now, 0 });
        put_pair(line, "level", &(struct log_field){ "level", level_names[level], 0 });
    }
    put_pair(line, "event", &(struct log_field){ "event", event, 0 });
    for (size_t i = 0; i < n; i++)
        put_pair(line, fields[i].name, &fields[i]);
    if (line->form == LOG_JSON)
        line->text[line->n++] = '}';
}

void log_write(enum log_level level, const char *event, const struct log_field *fields, size_t n)
{
    struct line line = { .form = (enum log_format) atomic_load(&form) };

    if ((int) level < atomic_load(&threshold))
        return;
    fill(&line, level, event, fields, n);
    if (line.form == LOG_JOURNALD) {
        const struct log_field message = { "", line.text, 0 };

        line.text[line.n] = '\0';
        if (log_journal_send(priorities[level], event, &message, fields, n))
            return;
        line = (struct line){ .form = LOG_PREFIXED };
        fill(&line, level, event, fields, n);
    }
    line.text[line.n++] = '\n';
    if (write(STDERR_FILENO, line.text, line.n) < 0)
        return; /* a failed write cannot be reported anywhere */
}
