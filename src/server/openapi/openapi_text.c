#include "server/openapi/openapi_text.h"

#include <stdbool.h>
#include <string.h>

#define HEADING "## "

/* Whether a heading's line, up to its end, has the name between its commas. */
static bool names(const char *line, const char *end, const char *name)
{
    size_t n = strlen(name);

    while (line < end) {
        const char *comma = memchr(line, ',', (size_t) (end - line));
        const char *stop = comma ? comma : end;

        line += strspn(line, " ");
        if ((size_t) (stop - line) == n && memcmp(line, name, n) == 0)
            return true;
        line = stop + 1;
    }
    return false;
}

void openapi_section(const char *markdown, const char *name, struct buf *out)
{
    bool inside = false;

    for (const char *line = markdown, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (strncmp(line, HEADING, strlen(HEADING)) == 0)
            inside = names(line + strlen(HEADING), end, name);
        else if (inside && (out->len || end > line)) {
            buf_put(out, line, (size_t) (end - line));
            buf_putc(out, '\n');
        }
    }
}
