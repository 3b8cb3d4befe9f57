#include "engine/office_parts/xml_tag.h"

#include <string.h>

static bool is_xml_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* After the comment, the CDATA section or the instruction at `at`; NULL: it does not end. */
static const char *skip_other(const char *at, const char *end)
{
    static const char *const kinds[][2] = {
        { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" }, { "<!", ">" }
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i][0]), closing = strlen(kinds[i][1]);

        if ((size_t) (end - at) >= n && memcmp(at, kinds[i][0], n) == 0) {
            const char *stop = memmem(at + n, (size_t) (end - at) - n, kinds[i][1], closing);

            return stop ? stop + closing : NULL;
        }
    }
    return at;
}

/* The ">" that ends the tag: not one in an attribute's value. */
static const char *find_close(const char *at, const char *end)
{
    char quote = '\0';

    for (; at < end; at++)
        if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at;
    return NULL;
}

static void name_tag(struct xml_tag *tag)
{
    const char *at = tag->begin + 1 + tag->closing;

    tag->name = at;
    for (; at < tag->end && !is_xml_space(*at) && *at != '/' && *at != '>'; at++)
        if (*at == ':')
            tag->name = at + 1;
    tag->name_bytes = (size_t) (at - tag->name);
}

bool xml_tag_next(struct xml_tag *tag, const char *end)
{
    const char *at = tag->end, *after, *close;

    for (;; at = after) {
        at = at < end ? memchr(at, '<', (size_t) (end - at)) : NULL;
        after = at ? skip_other(at, end) : NULL;
        if (!after)
            return false;
        if (after == at)
            break;
    }
    close = find_close(at, end);
    if (!close)
        return false;
    tag->begin = at;
    tag->end = close + 1;
    tag->closing = at[1] == '/';
    tag->empty = close[-1] == '/' && !tag->closing;
    name_tag(tag);
    return true;
}

bool xml_tag_is(const struct xml_tag *tag, const char *name)
{
    return tag->name_bytes == strlen(name) && memcmp(tag->name, name, tag->name_bytes) == 0;
}

const char *xml_tag_attribute(const struct xml_tag *tag, const char *name, size_t *n)
{
    const char *at = tag->name + tag->name_bytes, *end = tag->end;
    size_t bytes = strlen(name);

    while (at < end) {
        const char *from, *stop, *quote;

        while (at < end && (is_xml_space(*at) || *at == '/' || *at == '>'))
            at++;
        from = at;
        for (; at < end && *at != '=' && !is_xml_space(*at); at++)
            if (*at == ':')
                from = at + 1;
        stop = at;
        while (at < end && *at != '"' && *at != '\'')
            at++;
        quote = at < end ? memchr(at + 1, *at, (size_t) (end - at) - 1) : NULL;
        if (!quote)
            return NULL;
        if ((size_t) (stop - from) == bytes && memcmp(from, name, bytes) == 0) {
            *n = (size_t) (quote - at) - 1;
            return at + 1;
        }
        at = quote + 1;
    }
    return NULL;
}
