/* content_join: one content stream for each page that has several. See content.h. */
#include <stdlib.h>

#include "base/scope.h"
#include "compress/content/content.h"
#include "syntax/inflate/flate.h"

#define QUICK       1           /* level for data that is compressed again later */
#define MOST_LENGTH (1LL << 40) /* of a stream: more is not believed */

/* How many pages have each stream, by id. */
static bool count_uses(struct pdf_doc *doc, struct idmap *uses)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj content = obj_key(page, "/Contents");
        int n = obj_is_array(content) ? obj_count(content) : 1;

        for (int k = 0; k < n; k++) {
            AUTO_OBJ struct obj part =
                obj_is_array(content) ? obj_item(content, k) : obj_same(content);
            size_t before = obj_is_stream(part) ? idmap_find(uses, obj_id(part)) : 0;

            if (!obj_is_stream(part))
                continue;
            if (before != IDMAP_NONE)
                idmap_set(uses, obj_id(part), before + 1);
            else if (!idmap_add(uses, obj_id(part), 1))
                return false;
        }
    }
    return true;
}

static bool is_own(struct obj content, const struct idmap *uses)
{
    int n = obj_count(content);

    for (int k = 0; k < n; k++) {
        AUTO_OBJ struct obj part = obj_item(content, k);

        if (!obj_is_stream(part) || idmap_find(uses, obj_id(part)) != 1)
            return false;
    }
    return n > 1;
}

size_t content_bytes(struct obj stream, const struct idmap *before)
{
    size_t bytes = idmap_find(before, obj_id(stream));
    long long length = 0;

    if (bytes != IDMAP_NONE)
        return bytes;
    return obj_key_int(stream, "/Length", &length) && length > 0 && length < MOST_LENGTH
               ? (size_t) length
               : 0;
}

/* The bytes that the parts of a content have in the file. */
static size_t bytes_of(struct obj content, const struct idmap *before)
{
    size_t bytes = 0;
    int n = obj_count(content);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj part = obj_item(content, i);

        bytes += content_bytes(part, before);
    }
    return bytes;
}

static bool join(struct obj page, struct obj content, struct idmap *before)
{
    AUTO_OBJ struct obj first = obj_item(content, 0);
    AUTO_OBJ struct obj flate = obj_new_name(page.q, "/FlateDecode");
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf packed = BUF_EMPTY;
    size_t n, bytes = bytes_of(content, before);

    if (!obj_page_content(page, &data, &n))
        return true; /* it stays as it is */
    if (!flate_pack(data, n, QUICK, &packed) || !idmap_add(before, obj_id(first), bytes))
        return false;
    idmap_set(before, obj_id(first), bytes);
    obj_remove(first, "/DecodeParms");
    obj_set(first, "/Filter", flate);
    obj_set_stream(first, buf_text(&packed), packed.len);
    obj_set(page, "/Contents", first);
    return true;
}

int content_join(struct pdf_doc *doc, struct idmap *before, struct err *err)
{
    AUTO_IDMAP struct idmap uses = { 0 };

    if (!count_uses(doc, &uses))
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj content = obj_key(page, "/Contents");

        if (obj_is_array(content) && is_own(content, &uses) && !join(page, content, before))
            return pdf_doc_no_memory(err);
    }
    return 0;
}
