#include "write/article/front_matter.h"

#include <ctype.h>
#include <string.h>

/* Whether n bytes are three characters and white space. */
static bool is_rule(const char *line, size_t n, const char *rule)
{
    while (n > 3 && isspace((unsigned char) line[n - 1]))
        n--;
    return n == 3 && memcmp(line, rule, 3) == 0;
}

static void read_value(const char *line, size_t n, const char *key, char *out, size_t cap)
{
    size_t skip = strlen(key);

    if (n <= skip || strncmp(line, key, skip) != 0)
        return;
    while (skip < n && (line[skip] == ' ' || line[skip] == '\t'))
        skip++;
    while (n > skip && isspace((unsigned char) line[n - 1]))
        n--;
    if (n - skip >= 2 && (line[skip] == '"' || line[skip] == '\'') && line[n - 1] == line[skip]) {
        skip++;
        n--;
    }
    if (n - skip >= cap)
        return; /* no title is that long */
    memcpy(out, line + skip, n - skip);
    out[n - skip] = '\0';
}

static bool is_language(const char *tag)
{
    if (!isalpha((unsigned char) *tag))
        return false;
    for (; *tag; tag++)
        if (!isalnum((unsigned char) *tag) && *tag != '-')
            return false;
    return true;
}

/* The place after the line at `at`. */
static size_t next_line(const struct buf *text, size_t at)
{
    const char *end = memchr(text->data + at, '\n', text->len - at);

    return end ? (size_t) (end - text->data) + 1 : text->len;
}

void front_matter_read(struct buf *text, struct front_matter *front)
{
    size_t at, end = 0, first = text->len ? next_line(text, 0) : 0;

    *front = (struct front_matter){ 0 };
    if (first == 0 || !is_rule(text->data, first, "---"))
        return;
    for (at = first; at < text->len && end == 0; at = next_line(text, at)) {
        size_t n = next_line(text, at) - at;

        if (is_rule(text->data + at, n, "---") || is_rule(text->data + at, n, "..."))
            end = at + n;
        else if (at == first && !isalpha((unsigned char) text->data[at]) && text->data[at] != '#')
            return; /* a thematic break, and then text */
    }
    if (end == 0)
        return;
    for (at = first; at < end; at = next_line(text, at)) {
        size_t n = next_line(text, at) - at;

        read_value(text->data + at, n, "title:", front->title, sizeof front->title);
        read_value(text->data + at, n, "lang:", front->lang, sizeof front->lang);
    }
    if (!is_language(front->lang))
        *front->lang = '\0';
    for (at = 0; at < end; at++)
        if (text->data[at] != '\n')
            text->data[at] = ' ';
}
