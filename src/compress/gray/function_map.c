#include "compress/gray/function_map.h"

#include <math.h>

#include "base/buf.h"
#include "base/scope.h"
#include "compress/gray/function.h"

#define MAX_DEPTH 8

static void values_at(const struct function *function, const struct function_mapping *mapping,
                      const double *in, double *mapped)
{
    double out[FUNCTION_VALUES] = { 0 };

    function_run(function, in, out);
    mapping->map(mapping->cls, out, mapped);
}

static void put_samples(const struct function *function, const struct function_mapping *mapping,
                        struct buf *data)
{
    size_t n_in = function_inputs(function), side = mapping->samples[n_in - 1], count = 1;
    double most = ldexp(1, (int) mapping->bits) - 1;

    for (size_t i = 0; i < n_in; i++)
        count *= side;
    for (size_t i = 0; i < count; i++) {
        double in[FUNCTION_MAP_INPUTS], mapped[FUNCTION_VALUES] = { 0 };
        size_t at = i;

        for (size_t k = 0; k < n_in; k++, at /= side) {
            double low, high;

            function_domain(function, k, &low, &high);
            in[k] = low + (high - low) * (double) (at % side) / (double) (side - 1);
        }
        values_at(function, mapping, in, mapped);
        for (size_t k = 0; k < mapping->n_mapped; k++) {
            long level = lround(mapped[k] * most);

            if (mapping->bits == 16)
                buf_putc(data, (char) (level >> 8));
            buf_putc(data, (char) level);
        }
    }
}

static void put_dict(const struct function *function, const struct function_mapping *mapping,
                     struct buf *text)
{
    size_t n_in = function_inputs(function);

    buf_puts(text, "<</FunctionType 0/Domain[");
    for (size_t i = 0; i < n_in; i++) {
        double low, high;

        function_domain(function, i, &low, &high);
        buf_printf(text, "%f %f ", low, high);
    }
    buf_puts(text, "]/Size[");
    for (size_t i = 0; i < n_in; i++)
        buf_printf(text, "%zu ", mapping->samples[n_in - 1]);
    buf_puts(text, "]/Range[");
    for (size_t i = 0; i < mapping->n_mapped; i++)
        buf_puts(text, "0 1 ");
    buf_printf(text, "]/BitsPerSample %u>>", mapping->bits);
}

static struct obj sample(qpdf_data q, const struct function *function,
                         struct function_mapping *mapping)
{
    static const char *const keys[] = { "/FunctionType", "/Domain", "/Range", "/Size",
                                        "/BitsPerSample" };
    AUTO_BUF struct buf data = BUF_EMPTY, text = BUF_EMPTY;
    AUTO_OBJ struct obj dict = OBJ_NONE;
    struct obj stream;

    put_samples(function, mapping, &data);
    put_dict(function, mapping, &text);
    if (data.failed || text.failed) {
        mapping->no_memory = true;
        return OBJ_NONE;
    }
    dict = obj_parse(q, text.data);
    stream = obj_new_stream(q, data.data, data.len);
    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        obj_set(stream, keys[i], value);
    }
    return stream;
}

static struct obj map(qpdf_data q, struct obj obj, struct function_mapping *mapping, int depth);

static struct obj map_parts(qpdf_data q, struct obj stitched, struct function_mapping *mapping,
                            int depth)
{
    AUTO_OBJ struct obj parts = obj_key(stitched, "/Functions");
    AUTO_OBJ struct obj made = obj_new_array(q);
    AUTO_OBJ struct obj dict = OBJ_NONE;
    int n = obj_count(parts);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj part = obj_item(parts, i);
        AUTO_OBJ struct obj mapped = map(q, part, mapping, depth + 1);

        if (!mapped.q)
            return OBJ_NONE;
        obj_append(made, mapped);
    }
    dict = obj_shallow_copy(stitched);
    obj_set(dict, "/Functions", made);
    obj_remove(dict, "/Range");
    return obj_indirect(dict);
}

static void set_ends(qpdf_data q, struct obj dict, const char *key, const struct function *function,
                     struct function_mapping *mapping, double at)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_OBJ struct obj array = OBJ_NONE;
    double in[FUNCTION_VALUES] = { at }, mapped[FUNCTION_VALUES] = { 0 };

    values_at(function, mapping, in, mapped);
    buf_puts(&text, "[");
    for (size_t i = 0; i < mapping->n_mapped; i++)
        buf_printf(&text, "%.4f ", mapped[i]);
    buf_puts(&text, "]");
    mapping->no_memory |= text.failed;
    if (text.failed)
        return;
    array = obj_parse(q, buf_text(&text));
    obj_set(dict, key, array);
}

/* Exponential: both ends are mapped. */
static struct obj map_ends(qpdf_data q, struct obj obj, const struct function *function,
                           struct function_mapping *mapping)
{
    AUTO_OBJ struct obj dict = obj_shallow_copy(obj);

    set_ends(q, dict, "/C0", function, mapping, 0);
    set_ends(q, dict, "/C1", function, mapping, 1);
    obj_remove(dict, "/Range");
    return mapping->no_memory ? OBJ_NONE : obj_indirect(dict);
}

static struct obj map(qpdf_data q, struct obj obj, struct function_mapping *mapping, int depth)
{
    AUTO_FUNCTION struct function *function = function_open(obj);
    long long type = -1;
    double low, high;

    if (!function || depth > MAX_DEPTH || mapping->left == 0 ||
        function_inputs(function) > FUNCTION_MAP_INPUTS ||
        mapping->samples[function_inputs(function) - 1] == 0 ||
        function_outputs(function) < mapping->n_values)
        return OBJ_NONE;
    mapping->left--;
    if (!obj_is_array(obj))
        obj_key_int(obj, "/FunctionType", &type);
    function_domain(function, 0, &low, &high);
    if (type == 3)
        return map_parts(q, obj, mapping, depth);
    if (type == 2 && mapping->linear && low <= 0 && high >= 1)
        return map_ends(q, obj, function, mapping);
    return sample(q, function, mapping);
}

struct obj function_map(qpdf_data q, struct obj function, struct function_mapping *mapping)
{
    return map(q, function, mapping, 0);
}
