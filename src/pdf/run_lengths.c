#include "pdf/run_lengths.h"

#include <stdlib.h>

#include "base/scope.h"

#define END_OF_DATA 128

uint64_t run_lengths_size(const unsigned char *data, size_t n)
{
    uint64_t size = 0;

    for (size_t i = 0; i < n && data[i] != END_OF_DATA;) {
        if (data[i] < END_OF_DATA) {
            size_t literal = (size_t) data[i] + 1, there = n - i - 1;

            size += literal < there ? literal : there;
            i += literal + 1;
        } else {
            size += i + 1 < n ? 257U - data[i] : 0;
            i += 2;
        }
    }
    return size;
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

uint64_t run_lengths_unpacked(struct obj stream)
{
    AUTO_OBJ struct obj filters = obj_key(stream, "/Filter");
    AUTO_FREE unsigned char *data = NULL;
    int at = find_run_lengths(filters);
    size_t n;

    if (at < 0)
        return 0;
    return unpack(stream, filters, at, &data, &n) ? run_lengths_size(data, n) : 0;
}

bool run_lengths_are_many(struct obj page)
{
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    uint64_t size = obj_is_stream(contents) ? run_lengths_unpacked(contents) : 0;
    int n = obj_count(contents);

    for (int i = 0; i < n && size <= RUN_LENGTHS_CONTENT; i++) {
        AUTO_OBJ struct obj stream = obj_item(contents, i);

        if (obj_is_stream(stream))
            size += run_lengths_unpacked(stream);
    }
    return size > RUN_LENGTHS_CONTENT;
}
