/* mapped: functions (ISO 32000-2, 7.10) whose values are colours, converted. See part.h. */
#include <math.h>

#include "base/scope.h"
#include "compress/recolour/function.h"
#include "compress/recolour/part.h"

#define MAX_DEPTH     8
#define MAX_FUNCTIONS 100000 /* to gray, of the document: one may be part of many */

/* How the colours of functions are sampled. */
struct sampling {
    unsigned bits;                            /* of a sample: 8 or 16 */
    size_t samples[RECOLOUR_FUNCTION_INPUTS]; /* of each input of a function with 1, 2, 3 inputs;
                                               * 0: there is no such function */
};

static const struct sampling samplings[] = {
    [RECOLOUR_GRAY] = { 16, { 512, 96 } }, /* more than there are gray levels */
    [RECOLOUR_SRGB] = { 8, { 256, 33, 17 } },
};

struct mapping {
    struct recolour *c;
    const struct space *space;
    const struct sampling *sampling;
    size_t n_mapped; /* values of a new function */
    size_t left;     /* how many more functions may be made */
};

/* By the intent that is usual: to sRGB, recolour_read fails if there is another one. */
static void values_at(const struct function *function, const struct mapping *mapping,
                      const double *in, double mapped[static 3])
{
    double out[FUNCTION_VALUES] = { 0 };

    function_run(function, in, out);
    recolour_convert(mapping->c, mapping->space, ICC_RELATIVE, out, mapped);
}

static void put_samples(const struct function *function, const struct mapping *mapping,
                        struct buf *data)
{
    unsigned bits = mapping->sampling->bits;
    size_t n_in = function_inputs(function), side = mapping->sampling->samples[n_in - 1];
    size_t count = 1;
    double most = ldexp(1, (int) bits) - 1;

    for (size_t i = 0; i < n_in; i++)
        count *= side;
    for (size_t i = 0; i < count && !recolour_ends(mapping->c); i++) {
        double in[RECOLOUR_FUNCTION_INPUTS], mapped[3] = { 0 };
        size_t at = i;

        for (size_t k = 0; k < n_in; k++, at /= side) {
            double low, high;

            function_domain(function, k, &low, &high);
            in[k] = low + (high - low) * (double) (at % side) / (double) (side - 1);
        }
        values_at(function, mapping, in, mapped);
        for (size_t k = 0; k < mapping->n_mapped; k++) {
            long level = lround(mapped[k] * most);

            if (bits == 16)
                buf_putc(data, (char) (level >> 8));
            buf_putc(data, (char) level);
        }
    }
}

static void put_dict(const struct function *function, const struct mapping *mapping,
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
        buf_printf(text, "%zu ", mapping->sampling->samples[n_in - 1]);
    buf_puts(text, "]/Range[");
    for (size_t i = 0; i < mapping->n_mapped; i++)
        buf_puts(text, "0 1 ");
    buf_printf(text, "]/BitsPerSample %u>>", mapping->sampling->bits);
}

static struct obj sample(const struct function *function, const struct mapping *mapping)
{
    static const char *const keys[] = { "/FunctionType", "/Domain", "/Range", "/Size",
                                        "/BitsPerSample" };
    qpdf_data q = mapping->c->q;
    AUTO_BUF struct buf data = BUF_EMPTY, text = BUF_EMPTY;
    AUTO_OBJ struct obj dict = OBJ_NONE;
    struct obj stream;

    put_samples(function, mapping, &data);
    put_dict(function, mapping, &text);
    if (data.failed || text.failed) {
        mapping->c->no_memory = true;
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

static struct obj map(struct obj obj, struct mapping *mapping, int depth);

static struct obj map_parts(struct obj stitched, struct mapping *mapping, int depth)
{
    AUTO_OBJ struct obj parts = obj_key(stitched, "/Functions");
    AUTO_OBJ struct obj made = obj_new_array(stitched.q);
    AUTO_OBJ struct obj dict = OBJ_NONE;
    int n = obj_count(parts);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj part = obj_item(parts, i);
        AUTO_OBJ struct obj mapped = map(part, mapping, depth + 1);

        if (!mapped.q)
            return OBJ_NONE;
        obj_append(made, mapped);
    }
    dict = obj_shallow_copy(stitched);
    obj_set(dict, "/Functions", made);
    obj_remove(dict, "/Range");
    return obj_indirect(dict);
}

/* Exponential, and its colours turn a straight line into a straight line: both ends are mapped. */
static struct obj map_ends(struct obj obj, const struct function *function,
                           const struct mapping *mapping)
{
    static const char *const keys[] = { "/C0", "/C1" };
    AUTO_OBJ struct obj dict = obj_shallow_copy(obj);

    for (int i = 0; i < 2; i++) {
        double in[FUNCTION_VALUES] = { i }, mapped[3] = { 0 };

        values_at(function, mapping, in, mapped);
        recolour_set_level(dict, keys[i], mapped[0]);
    }
    obj_remove(dict, "/Range");
    return obj_indirect(dict);
}

static struct obj map(struct obj obj, struct mapping *mapping, int depth)
{
    AUTO_FUNCTION struct function *function = function_open(obj);
    long long type = -1;
    double low, high;

    if (!function || depth > MAX_DEPTH || mapping->left == 0 ||
        function_inputs(function) > RECOLOUR_FUNCTION_INPUTS ||
        mapping->sampling->samples[function_inputs(function) - 1] == 0 ||
        function_outputs(function) < mapping->space->n)
        return OBJ_NONE;
    mapping->left--;
    if (!obj_is_array(obj))
        obj_key_int(obj, "/FunctionType", &type);
    function_domain(function, 0, &low, &high);
    if (type == 3)
        return map_parts(obj, mapping, depth);
    if (type == 2 && mapping->space->by == SPACE_BY_RGB && low <= 0 && high >= 1)
        return map_ends(obj, function, mapping);
    return sample(function, mapping);
}

struct obj recolour_function(struct recolour *c, struct obj function, const struct space *space)
{
    struct mapping mapping = {
        .c = c,
        .space = space,
        .sampling = &samplings[c->target],
        .n_mapped = recolour_levels(space),
        .left = RECOLOUR_FUNCTIONS,
    };
    struct obj made;

    if (c->target == RECOLOUR_GRAY)
        mapping.left = MAX_FUNCTIONS - c->functions;
    made = map(function, &mapping, 0);
    if (c->target == RECOLOUR_GRAY)
        c->functions = MAX_FUNCTIONS - mapping.left;
    if (made.q && recolour_ends(c))
        obj_drop(&made);
    return made;
}
