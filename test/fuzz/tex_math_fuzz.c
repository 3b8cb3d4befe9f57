/* Mathematics of hostile documents: each element that is opened is closed, and nothing is written
 * where it fails. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "write/mathml/tex_math.h"

/* Whether the tags of markup match. */
static bool is_sound(const char *p)
{
    const char *open[512];
    size_t n = 0;

    for (; (p = strchr(p, '<')); p++) {
        const char *name = p + 1 + (p[1] == '/');
        size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz");

        if (length == 0)
            return false;
        if (p[1] != '/') {
            if (n == 512)
                return false;
            open[n++] = name;
        } else if (n == 0 || strncmp(open[--n], name, length) != 0) {
            return false;
        }
    }
    return n == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf html = BUF_EMPTY;
    struct err err = { 0 };
    const char *text = (const char *) data;

    if (size == 0 || memchr(data, 0, size) || !utf8_is_valid(text, size))
        return 0;
    if (tex_math(text, size, size % 2, &html, &err) < 0) {
        if (html.len > 0 || !*err.msg)
            abort();
    } else if (!is_sound(buf_text(&html)) || !utf8_is_valid(html.data, html.len)) {
        abort();
    }
    buf_free(&html);
    return 0;
}
