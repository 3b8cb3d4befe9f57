#include "recovery/mend/resource_names.h"

#include <string.h>

#include "syntax/pdf/lex.h"

/*
 * The content may be damaged anywhere, and a string without its end would hide all that follows
 * from syntax/pdf/lex.h. So operators are searched as bytes, and their operands are found backwards
 * from them; that some names are bytes of a string does no harm.
 */
#define NAMES_MAX  500
#define COMPONENTS 12 /* words after a colour space in which its colour is searched */

/* Of a colour space, and of none of the document's. */
static bool is_built_in(struct text name)
{
    return text_is(name, "/DeviceGray") || text_is(name, "/DeviceRGB") ||
           text_is(name, "/DeviceCMYK") || text_is(name, "/Pattern");
}

/* Adds "/F1 " to the names if it is not among them. False: there are enough. */
static bool add_name(struct buf *names, struct text name)
{
    const char *before = names->data;
    size_t n = names->len;

    for (; n > 0 && (before = memmem(before, n, name.at, name.n)); before++) {
        n = (size_t) (names->data + names->len - before);
        if (before[name.n] == ' ')
            return true;
        n--;
    }
    buf_put(names, name.at, name.n);
    buf_putc(names, ' ');
    return names->len < (size_t) NAMES_MAX * 10;
}

void resource_names_list(const struct buf *content, const char *operator_, int operands,
                         struct buf *names)
{
    size_t n = strlen(operator_);
    const char *at = content->data, *end = at ? at + content->len : NULL;

    while (at && (at = memmem(at, (size_t) (end - at), operator_, n))) {
        const char *from = at;
        int left = operands;

        at += n;
        if (at < end && lex_is_regular((unsigned char) *at))
            continue;
        while (from > content->data && left >= 0) {
            while (from > content->data && lex_is_space((unsigned char) from[-1]))
                from--;
            while (from > content->data && lex_is_regular((unsigned char) from[-1]))
                from--;
            left--;
        }
        if (from > content->data && from[-1] == '/') {
            struct text name = { from - 1, 1 };

            while (from < end && lex_is_regular((unsigned char) *from++))
                name.n++;
            if (name.n > 1 && name.n < NAMED_BYTES && !is_built_in(name) && !add_name(names, name))
                return;
        }
    }
}

static size_t next_word(const char **at, const char *end)
{
    const char *from;

    while (*at < end && lex_is_space((unsigned char) **at))
        ++*at;
    from = *at;
    while (*at < end && !lex_is_space((unsigned char) **at))
        ++*at;
    return (size_t) (*at - from);
}

int resource_names_components(const struct buf *content, struct text name)
{
    const char *at = content->data, *end = at ? at + content->len : NULL;

    while (at && (at = memmem(at, (size_t) (end - at), name.at, name.n))) {
        int n = 0;

        at += name.n;
        if (next_word(&at, end) != 2 ||
            (memcmp(at - 2, "cs", 2) != 0 && memcmp(at - 2, "CS", 2) != 0))
            continue;
        for (int words = 0; words < COMPONENTS; words++) {
            size_t length = next_word(&at, end);
            const char *word = at - length;

            if (length && memchr("0123456789.-", *word, 12))
                n++;
            else if (length >= 2 && (word[0] == 's' || word[0] == 'S'))
                return n;
            else
                n = 0;
        }
    }
    return 0;
}
