#include "compress/streams/metadata.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX_PREFIX 32

enum tag { TAG_NONE, TAG_OPEN, TAG_CLOSE, TAG_EMPTY, TAG_OTHER };

struct shortener {
    const unsigned char *data, *at, *end;
    struct buf *out;
    enum tag last;
    size_t hidden; /* depth within previews; 0: outside */
};

static bool has(const unsigned char *data, size_t n, const char *text)
{
    return memmem(data, n, text, strlen(text)) != NULL;
}

static bool is_space(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the position after the ">" that ends the tag at `at`. NULL if the tag does not end, or is
 * a comment or a CDATA section. */
static const unsigned char *read_tag(const unsigned char *at, const unsigned char *end,
                                     enum tag *kind)
{
    const unsigned char *p = at + 1, *found;
    unsigned char quote = 0;

    if (p < end && *p == '!')
        return NULL;
    if (p < end && *p == '?') {
        found = memmem(p, (size_t) (end - p), "?>", 2);
        *kind = TAG_OTHER;
        return found ? found + 2 : NULL;
    }
    for (; p < end && (quote || *p != '>'); p++) {
        if (quote)
            quote = *p == quote ? 0 : quote;
        else if (*p == '"' || *p == '\'')
            quote = *p;
        else if (*p == '<')
            return NULL;
    }
    if (p == end || p - at < 2)
        return NULL;
    *kind = at[1] == '/' ? TAG_CLOSE : p[-1] == '/' ? TAG_EMPTY : TAG_OPEN;
    return p + 1;
}

/* Whether the tag opens xmp:Thumbnails, by whatever prefix that namespace has. */
static bool opens_previews(const struct shortener *s, const unsigned char *tag, size_t n)
{
    static const char local[] = ":Thumbnails";
    const unsigned char *colon = memchr(tag, ':', n);
    size_t prefix = colon ? (size_t) (colon - tag - 1) : MAX_PREFIX, m = strlen(local);
    size_t all = (size_t) (s->end - s->data);
    char name[MAX_PREFIX + 64];

    if (prefix >= MAX_PREFIX || n < 1 + prefix + m + 1 || memcmp(colon, local, m) != 0 ||
        (!is_space(colon[m]) && colon[m] != '>'))
        return false;
    snprintf(name, sizeof name, "xmlns:%.*s=\"http://ns.adobe.com/xap/1.0/\"", (int) prefix,
             (const char *) tag + 1);
    if (has(s->data, all, name))
        return true;
    snprintf(name, sizeof name, "xmlns:%.*s='http://ns.adobe.com/xap/1.0/'", (int) prefix,
             (const char *) tag + 1);
    return has(s->data, all, name);
}

/* False if previews end with another element. */
static bool put_tag(struct shortener *s, const unsigned char *tag, size_t n, enum tag kind)
{
    bool was_hidden = s->hidden > 0;

    if (kind == TAG_OPEN && (was_hidden || opens_previews(s, tag, n)))
        s->hidden++;
    if (s->hidden == 0)
        buf_put(s->out, tag, n);
    if (kind == TAG_CLOSE && was_hidden && --s->hidden == 0 && !has(tag, n, ":Thumbnails"))
        return false;
    if (!was_hidden && s->hidden == 0)
        s->last = kind;
    else if (s->hidden == 0)
        s->last = TAG_EMPTY; /* as if there had been nothing with content */
    return true;
}

/* Text up to the next tag: white space counts only as the whole content of an element. */
static void put_text(struct shortener *s, const unsigned char *text, size_t n)
{
    bool blank = true, closes = s->at + 1 < s->end && s->at[1] == '/';

    for (size_t i = 0; i < n && blank; i++)
        blank = is_space(text[i]);
    if (s->hidden == 0 && (!blank || (s->last == TAG_OPEN && closes)))
        buf_put(s->out, text, n);
}

bool metadata_shorten(const unsigned char *data, size_t n, struct buf *out)
{
    struct shortener s = { .data = data, .at = data, .end = data + n, .out = out };
    size_t before = out->len;

    if (n == 0 || memchr(data, '\0', n) || has(data, n, "Literal") || has(data, n, "xml:space"))
        return false;
    while (s.at < s.end) {
        const unsigned char *text = s.at, *tag;
        enum tag kind = TAG_NONE;

        tag = memchr(s.at, '<', (size_t) (s.end - s.at));
        s.at = tag ? tag : s.end;
        put_text(&s, text, (size_t) (s.at - text));
        if (!tag)
            break;
        s.at = read_tag(tag, s.end, &kind);
        if (!s.at || !put_tag(&s, tag, (size_t) (s.at - tag), kind))
            return false;
    }
    return s.hidden == 0 && !out->failed && out->len - before < n;
}
