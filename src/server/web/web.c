#include "server/web/web.h"

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

void web_fill(struct buf *out, const char *text, const struct web_value *values, size_t n)
{
    const char *open, *close;

    while ((open = strstr(text, "{{")) != NULL && (close = strstr(open, "}}")) != NULL) {
        buf_put(out, text, (size_t) (open - text));
        put_value(out, open + 2, (size_t) (close - open) - 2, values, n);
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
