#include "write/json/outline.h"

#include <math.h>
#include <string.h>

#include "write/json/emit.h"

static void put_outline_string(struct buf *out, const char *key, const char *text)
{
    emit_key(out, key);
    emit_text(out, text, strlen(text));
}

void outline_put(struct buf *out, const struct outline_entry *entry)
{
    put_outline_string(out, "title", entry->title ? entry->title : "");
    emit_key(out, "level");
    emit_integer(out, entry->level);
    if (entry->page != OUTLINE_NOWHERE) {
        emit_key(out, "page");
        emit_integer(out, (long long) entry->page + 1);
    }
    if (entry->page != OUTLINE_NOWHERE && isfinite(entry->y)) {
        emit_key(out, "y");
        emit_number(out, entry->y);
    }
    if (entry->uri)
        put_outline_string(out, "uri", entry->uri);
}
