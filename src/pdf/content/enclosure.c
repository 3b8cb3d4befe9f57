#include "pdf/content/enclosure.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/scope.h"
#include "pdf/content/page_resources.h"
#include "pdf/document/doc.h"
#include "syntax/inflate/inflate.h"

#define MAX_CONTENT (256 << 20)
/* Larger than any page: the content was not clipped to a box of its own. */
#define BOX "[-100000 -100000 100000 100000]"

static bool put(void *arg, const unsigned char *piece, size_t n)
{
    struct buf *out = arg;

    out->failed |= n > MAX_CONTENT || out->len > MAX_CONTENT - n;
    if (!out->failed)
        buf_put(out, piece, n);
    return !out->failed;
}

/* Appends what can be decoded of a content stream. */
static void put_decoded(struct obj stream, struct buf *out)
{
    AUTO_OBJ struct obj filter = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj only = obj_count(filter) == 1 ? obj_item(filter, 0) : obj_same(filter);
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_is_stream(stream))
        return;
    if (obj_stream_data(stream, &data, &n))
        put(out, data, n);
    else if (obj_name_is(only, "/FlateDecode") && obj_stream_raw(stream, &data, &n))
        inflate_each(data, n, INFLATE_ZLIB, put, out);
    buf_putc(out, '\n');
}

/* One stream stays as it is in the file: readers differ in how much of damaged data they decode. */
static struct obj copy_stream(struct obj stream, struct err *err)
{
    static const char *const keys[] = { "/Filter", "/DecodeParms" };
    AUTO_FREE unsigned char *data = NULL;
    struct obj copy;
    size_t n;

    if (!obj_stream_raw(stream, &data, &n)) {
        err_set(err, ERR_CORRUPT_FILE, "a page's content cannot be read");
        return OBJ_NONE;
    }
    copy = obj_new_stream(stream.q, data, n);
    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(stream, keys[i]);

        if (!obj_is_null(value))
            obj_set(copy, keys[i], value);
    }
    obj_set_stream(copy, data, n);
    return copy;
}

static struct obj join_streams(struct obj contents, struct err *err)
{
    AUTO_BUF struct buf joined = BUF_EMPTY;
    int n = obj_count(contents);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(contents, i);

        put_decoded(item, &joined);
    }
    if (joined.failed) {
        pdf_doc_no_memory(err);
        return OBJ_NONE;
    }
    return obj_new_stream(contents.q, buf_text(&joined), joined.len);
}

static struct obj new_form(struct obj contents, struct obj resources, struct err *err)
{
    AUTO_OBJ struct obj only =
        obj_count(contents) == 1 ? obj_item(contents, 0) : obj_same(contents);
    AUTO_OBJ struct obj own =
        obj_is_dict(resources) ? page_resources_copy(resources) : obj_new_dict(contents.q);
    AUTO_OBJ struct obj box = obj_parse(contents.q, BOX);
    struct obj form = obj_is_stream(only) ? copy_stream(only, err) : join_streams(contents, err);

    if (!form.q)
        return form;
    if (!own.q) {
        pdf_doc_no_memory(err);
        obj_drop(&form);
        return form;
    }
    obj_set_name(form, "/Type", "/XObject");
    obj_set_name(form, "/Subtype", "/Form");
    obj_set(form, "/BBox", box);
    obj_set(form, "/Resources", own);
    return form;
}

int enclosure_make(struct enclosures *enclosures, struct obj page, struct obj resources,
                   struct obj *form, struct err *err)
{
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_BUF struct buf key = BUF_EMPTY;
    int64_t id;

    buf_puts(&key, obj_value_text(contents));
    buf_putc(&key, ' ');
    buf_puts(&key, obj_value_text(resources));
    if (key.failed)
        return pdf_doc_no_memory(err);
    if (key_map_find(&enclosures->forms, key.data, key.len, &id)) {
        *form = obj_by_id(page.q, OBJ_NUMBER(id), OBJ_GEN(id));
        return 0;
    }
    *form = new_form(contents, resources, err);
    if (!form->q)
        return -1;
    key_map_put(&enclosures->forms, key.data, key.len, obj_id(*form));
    return enclosures->forms.failed ? pdf_doc_no_memory(err) : 0;
}

void enclosure_free(struct enclosures *enclosures)
{
    key_map_free(&enclosures->forms);
}
