#include "server/web/web.h"

#include <stdio.h>
#include <string.h>

/* Written by embed.sh. */
extern const struct web_file web_files[];
extern const size_t web_n_files;

const struct web_file *web_find(const char *name)
{
    for (size_t i = 0; i < web_n_files; i++)
        if (strcmp(web_files[i].name, name) == 0)
            return &web_files[i];
    return NULL;
}

static void put_value(struct buf *out, const char *name, size_t length,
                      const struct web_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(values[i].name) == length && memcmp(values[i].name, name, length) == 0)
            buf_puts(out, values[i].html);
}

/* Finds the line of a word, whose text ends at the line's end; NULL if there is none. */
static const char *find_word(const char *language, const char *name, size_t length)
{
    char file[16];
    const struct web_file *words;

    snprintf(file, sizeof file, "%.8s.txt", language);
    words = web_find(file);
    for (const char *at = words ? words->text : NULL; at && (at = strchr(at, '\n')) != NULL;) {
        at++;
        if (strncmp(at, name, length) == 0 && at[length] == '\t')
            return at + length + 1;
    }
    return NULL;
}

static void put_page_word(struct buf *out, const char *language, const char *name, size_t length)
{
    const char *text = find_word(language, name, length);

    for (; text && *text && *text != '\n'; text++)
        buf_put_markup(out, *text);
}

void web_put_word(struct buf *out, const char *language, const char *name)
{
    put_page_word(out, language, name, strlen(name));
}

void web_fill(struct buf *out, const char *text, const char *language,
              const struct web_value *values, size_t n)
{
    const char *open, *close;

    while ((open = strstr(text, "{{")) != NULL && (close = strstr(open, "}}")) != NULL) {
        buf_put(out, text, (size_t) (open - text));
        open += 2;
        if (strncmp(open, "t:", 2) == 0)
            put_page_word(out, language, open + 2, (size_t) (close - open) - 2);
        else
            put_value(out, open, (size_t) (close - open), values, n);
        text = close + 2;
    }
    buf_puts(out, text);
}

void web_escape(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            buf_puts(out, "&#39;");
        else
            buf_put_markup(out, *text);
}
