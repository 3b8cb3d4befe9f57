/* obj_stream: the bytes of streams and of page contents, unless their filters decode to far too
 * many. See obj.h. */
#include <stdlib.h>

#include "base/scope.h"
#include "pdf/object/inflation.h"
#include "pdf/object/obj.h"
#include "pdf/object/run_lengths.h"
#include "syntax/inflate/inflate.h"

static bool stream_bytes(struct obj stream, enum qpdf_stream_decode_level_e level,
                         unsigned char **data, size_t *n)
{
    QPDF_BOOL filtered = QPDF_FALSE;
    QPDF_ERROR_CODE failed =
        qpdf_oh_get_stream_data(stream.q, stream.oh, level, &filtered, data, n);

    qpdf_get_error(stream.q); /* the result reports it, and it is not an error of the document */
    if (!(failed & (QPDF_ERRORS)) && (filtered || level == qpdf_dl_none))
        return true;
    free(*data);
    *data = NULL;
    return false;
}

bool obj_stream_raw(struct obj stream, unsigned char **data, size_t *n)
{
    *data = NULL;
    return stream_bytes(stream, qpdf_dl_none, data, n);
}

static bool is_run_lengths(struct obj filter)
{
    return obj_name_is(filter, "/RunLengthDecode") || obj_name_is(filter, "/RL");
}

/* Which of a stream's filters are run lengths: -1 for none. */
static int find_run_lengths(struct obj filters)
{
    int n = obj_count(filters);

    if (is_run_lengths(filters))
        return 0;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj filter = obj_item(filters, i);

        if (is_run_lengths(filter))
            return i;
    }
    return -1;
}

/* The first n items of an array, or null for other objects. */
static struct obj first_items(struct obj array, int n)
{
    struct obj first = obj_new_array(array.q);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        obj_append(first, item);
    }
    return first;
}

/* The stream's bytes with its first n filters undone. */
static bool unpack(struct obj stream, struct obj filters, int n, unsigned char **data,
                   size_t *n_data)
{
    AUTO_OBJ struct obj parms = obj_key(stream, "/DecodeParms");
    AUTO_OBJ struct obj first_filters = OBJ_NONE;
    AUTO_OBJ struct obj first_parms = OBJ_NONE;
    AUTO_OBJ struct obj part = OBJ_NONE;
    AUTO_FREE unsigned char *raw = NULL;
    size_t n_raw;

    if (n == 0)
        return obj_stream_raw(stream, data, n_data);
    if (!obj_stream_raw(stream, &raw, &n_raw))
        return false;
    part = obj_new_stream(stream.q, raw, n_raw);
    first_filters = first_items(filters, n);
    first_parms = first_items(parms, n);
    obj_set(part, "/Filter", first_filters);
    if (obj_is_array(parms))
        obj_set(part, "/DecodeParms", first_parms);
    obj_set_stream(part, raw, n_raw);
    return obj_stream_data(part, data, n_data);
}

uint64_t obj_run_lengths(struct obj stream)
{
    AUTO_OBJ struct obj filters = obj_key(stream, "/Filter");
    AUTO_FREE unsigned char *data = NULL;
    int at = find_run_lengths(filters);
    size_t n;

    if (at < 0)
        return 0;
    return unpack(stream, filters, at, &data, &n) ? run_lengths_size(data, n) : 0;
}

static bool is_flate(struct obj filter)
{
    return obj_name_is(filter, "/FlateDecode") || obj_name_is(filter, "/Fl");
}

static bool begins_with_flate(struct obj stream)
{
    AUTO_OBJ struct obj filter = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj first = obj_is_array(filter) ? obj_item(filter, 0) : obj_same(filter);

    return is_flate(first);
}

/* The decoded size of a stream whose first filter is Flate (inflation_size); 0 for other filters.
 */
static uint64_t inflation_of(struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    long long length;
    size_t n;

    if (!begins_with_flate(stream) ||
        (obj_key_int(stream, "/Length", &length) && length < (long long) INFLATION_LEAST) ||
        !obj_stream_raw(stream, &data, &n))
        return 0;
    return inflation_size(data, n);
}

bool obj_stream_data(struct obj stream, unsigned char **data, size_t *n)
{
    *data = NULL;
    return obj_run_lengths(stream) <= RUN_LENGTHS_STREAM &&
           inflation_of(stream) <= INFLATION_MOST &&
           stream_bytes(stream, qpdf_dl_specialized, data, n);
}

bool obj_stream_unpacked(struct obj stream, unsigned char **data, size_t *n)
{
    *data = NULL;
    return inflation_of(stream) <= INFLATION_MOST &&
           stream_bytes(stream, qpdf_dl_generalized, data, n);
}

/* Whether the content streams of a page have more than `most` together of what `size_of` measures.
 */
static bool content_exceeds(struct obj contents, uint64_t (*size_of)(struct obj), uint64_t most)
{
    uint64_t size = obj_is_stream(contents) ? size_of(contents) : 0;
    int n = obj_count(contents);

    for (int i = 0; i < n && size <= most; i++) {
        AUTO_OBJ struct obj stream = obj_item(contents, i);

        if (obj_is_stream(stream))
            size += size_of(stream);
    }
    return size > most;
}

bool obj_content_is_excessive(struct obj page)
{
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");

    return obj_count(contents) > OBJ_CONTENTS ||
           content_exceeds(contents, obj_run_lengths, RUN_LENGTHS_CONTENT) ||
           content_exceeds(contents, inflation_of, INFLATION_MOST);
}

bool obj_page_content(struct obj page, unsigned char **data, size_t *n)
{
    QPDF_ERROR_CODE failed;

    *data = NULL;
    if (obj_content_is_excessive(page))
        return false;
    failed = qpdf_oh_get_page_content_data(page.q, page.oh, data, n);
    qpdf_get_error(page.q);
    return !(failed & (QPDF_ERRORS));
}

static bool skip_bytes(void *arg, const unsigned char *piece, size_t n)
{
    (void) arg, (void) piece, (void) n;
    return true;
}

static bool is_whole(struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    return !obj_is_stream(stream) || !begins_with_flate(stream) ||
           (obj_stream_raw(stream, &data, &n) &&
            inflate_each(data, n, INFLATE_ZLIB, skip_bytes, NULL) == INFLATE_WHOLE);
}

bool obj_content_is_whole(struct obj page)
{
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    bool whole = is_whole(contents);
    int n = obj_count(contents);

    for (int i = 0; whole && i < n; i++) {
        AUTO_OBJ struct obj stream = obj_item(contents, i);

        whole = is_whole(stream);
    }
    return whole;
}
