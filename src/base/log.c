#include "base/log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static enum log_level threshold = LOG_INFO;
static enum log_format form = LOG_KEY_VALUE;

static const char *const level_names[] = { "debug", "info", "warn", "error" };

/* A line is put together here and leaves in one write, so that lines never mix. What does not fit
 * is cut: a log is no place for long texts. */
struct line {
    char text[2048];
    size_t n;
};

static void put(struct line *line, char c)
{
    if (line->n < sizeof line->text - 2) /* room for the closing brace and the newline */
        line->text[line->n++] = c;
}

static void puts_plain(struct line *line, const char *text)
{
    while (*text)
        put(line, *text++);
}

/* JSON's escapes serve both formats: no control character reaches the terminal or splits a line. */
static void puts_quoted(struct line *line, const char *text)
{
    put(line, '"');
    for (const unsigned char *p = (const unsigned char *) text; *p; p++) {
        if (*p == '"' || *p == '\\') {
            put(line, '\\');
            put(line, (char) *p);
        } else if (*p < 0x20 || *p == 0x7f) {
            char escape[8];

            snprintf(escape, sizeof escape, "\\u%04x", *p);
            puts_plain(line, escape);
        } else {
            put(line, (char) *p);
        }
    }
    put(line, '"');
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

    if (form == LOG_JSON) {
        puts_plain(line, line->n > 1 ? ",\"" : "\"");
        puts_plain(line, name);
        puts_plain(line, "\":");
    } else {
        if (line->n)
            put(line, ' ');
        puts_plain(line, name);
        put(line, '=');
    }
    if (!field->text) {
        snprintf(number, sizeof number, "%lld", (long long) field->number);
        puts_plain(line, number);
    } else if (form == LOG_KEY_VALUE && is_bare(field->text)) {
        puts_plain(line, field->text);
    } else {
        puts_quoted(line, field->text);
    }
}

void log_setup(enum log_level level, enum log_format format)
{
    threshold = level;
    form = format;
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

void log_write(enum log_level level, const char *event, const struct log_field *fields, size_t n)
{
    struct line line = { .n = 0 };
    char now[CLOCK_TEXT];

    if (level < threshold)
        return;
    if (form == LOG_JSON)
        put(&line, '{');
    clock_format(clock_wall_ms(), now);
    put_pair(&line, "time", &(struct log_field){ "time", now, 0 });
    put_pair(&line, "level", &(struct log_field){ "level", level_names[level], 0 });
    put_pair(&line, "event", &(struct log_field){ "event", event, 0 });
    for (size_t i = 0; i < n; i++)
        put_pair(&line, fields[i].name, &fields[i]);
    if (form == LOG_JSON)
        line.text[line.n++] = '}';
    line.text[line.n++] = '\n';
    if (write(STDERR_FILENO, line.text, line.n) < 0)
        return; /* nowhere left to say it */
}
