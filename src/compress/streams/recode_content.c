#include "compress/streams/recode_content.h"

#include <string.h>

#include "base/scope.h"
#include "compress/content/content.h"
#include "compress/streams/recode_flate.h"
#include "syntax/inflate/flate.h"

#define SHORT_CONTENT (1 << 20) /* bytes of a content that is always shortened, */
#define MOST_PACKED   100       /* or for each byte that it has in the file */
#define FLATE_NAME    19        /* bytes: what naming the filter takes */

/* Whether content has the length of content written for a page: one that decodes to very much
 * more than its bytes is repetitive, and shortening it takes long and gains little. */
static bool is_plausible(struct obj stream, size_t n)
{
    AUTO_OBJ struct obj length = obj_key(stream, "/Length");
    double packed = 0;

    return n <= SHORT_CONTENT ||
           (obj_is_number(length, &packed) && (double) n <= packed * MOST_PACKED);
}

static bool is_bare(const struct new_stream *out)
{
    for (size_t i = 0; i < out->n_edits; i++)
        if (strcmp(out->edits[i].key, "/Filter") == 0)
            return !out->edits[i].value;
    return false;
}

size_t recode_content_limit(const struct new_stream *out, size_t before)
{
    return before + (is_bare(out) ? FLATE_NAME : 0);
}

void recode_content(struct obj stream, double scale, struct new_stream *out)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf shorter = BUF_EMPTY, packed = BUF_EMPTY;
    bool done;
    size_t n;

    done = obj_stream_data(stream, &data, &n) && is_plausible(stream, n) &&
           content_shorten(data, n, scale, &shorter) && shorter.len <= n &&
           flate_pack(shorter.data, shorter.len, flate_level(shorter.len), &packed);
    if (done && shorter.len <= packed.len + FLATE_NAME &&
        shorter.len <= out->data.len + FLATE_NAME) {
        /* Short content takes less without a filter than with its name. */
        new_stream_move(out, &shorter);
        new_stream_remove(out, "/Filter");
        new_stream_remove(out, "/DecodeParms");
    } else if (!done || shorter.len == n || packed.len >= out->data.len ||
               !new_stream_replace(out, &packed, "/FlateDecode")) {
        recode_flate(stream, out);
    }
}
