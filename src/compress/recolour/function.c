#include "compress/recolour/function.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/recolour/calculator.h"

#define MAX_DEPTH     8
#define MAX_PARTS     1000
#define MAX_FUNCTIONS 3000 /* limit of functions within one */
#define MAX_INPUTS    4    /* limit of inputs of a sampled function: each doubles the work */
#define MAX_SAMPLES   (1UL << 24)

struct range {
    double low, high;
};

struct function {
    enum { LIST = -1, SAMPLED = 0, EXPONENTIAL = 2, STITCHED = 3, CALCULATED = 4 } type;
    size_t n_in, n_out;
    bool ranged;
    struct range domain[FUNCTION_VALUES], range[FUNCTION_VALUES];
    struct range encode[FUNCTION_VALUES], decode[FUNCTION_VALUES]; /* sampled */
    size_t sizes[MAX_INPUTS];
    float *samples;                                            /* 0 to 1 */
    double c0[FUNCTION_VALUES], c1[FUNCTION_VALUES], exponent; /* exponential */
    /* of a stitching function, or of a list */
    struct function **parts;
    size_t n_parts;
    double *bounds;
    struct range *encodes;
    struct calculator *calculator;
};

static double number(struct obj array, int i, double otherwise)
{
    AUTO_OBJ struct obj item = obj_item(array, i);
    double value;

    return obj_is_number(item, &value) ? value : otherwise;
}

/* Returns the number of pairs. */
static size_t read_ranges(struct obj dict, const char *key, struct range *ranges)
{
    AUTO_OBJ struct obj array = obj_key(dict, key);
    int n = obj_count(array) / 2;

    for (int i = 0; i < n && i < FUNCTION_VALUES; i++)
        ranges[i] = (struct range){ number(array, 2 * i, 0), number(array, 2 * i + 1, 1) };
    return n > FUNCTION_VALUES ? 0 : (size_t) n;
}

static double clip(double value, struct range range)
{
    if (!(value >= range.low))
        return range.low;
    return value > range.high ? range.high : value;
}

static double map(double value, struct range from, struct range to)
{
    if (from.high == from.low)
        return to.low;
    return to.low + (value - from.low) * (to.high - to.low) / (from.high - from.low);
}

static bool unpack_samples(struct function *f, const unsigned char *data, size_t n, unsigned bits,
                           size_t count)
{
    double most = ldexp(1, (int) bits) - 1;
    size_t at = 0;

    f->samples = calloc(count, sizeof *f->samples);
    if (!f->samples || n * 8 / bits < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 0;

        for (unsigned b = 0; b < bits; b++, at++)
            value = value << 1 | (data[at / 8] >> (7 - at % 8) & 1);
        f->samples[i] = (float) ((double) value / most);
    }
    return true;
}

static bool read_sampled(struct function *f, struct obj obj)
{
    AUTO_OBJ struct obj size = obj_key(obj, "/Size");
    AUTO_FREE unsigned char *data = NULL;
    long long bits = 0;
    size_t count = f->n_out, n;

    if (f->n_in > MAX_INPUTS || !f->ranged || !obj_key_int(obj, "/BitsPerSample", &bits) ||
        bits < 1 || bits > 32)
        return false;
    for (size_t i = 0; i < f->n_in; i++) {
        double side = number(size, (int) i, 0);

        if (!(side >= 1) || side > 65536)
            return false;
        f->sizes[i] = (size_t) side;
        f->encode[i] = (struct range){ 0, (double) f->sizes[i] - 1 };
        if (!num_mul(count, f->sizes[i], &count) || count > MAX_SAMPLES)
            return false;
    }
    memcpy(f->decode, f->range, sizeof f->decode);
    read_ranges(obj, "/Encode", f->encode);
    read_ranges(obj, "/Decode", f->decode);
    return obj_stream_data(obj, &data, &n) && unpack_samples(f, data, n, (unsigned) bits, count);
}

static bool read_exponential(struct function *f, struct obj obj)
{
    AUTO_OBJ struct obj c0 = obj_key(obj, "/C0");
    AUTO_OBJ struct obj c1 = obj_key(obj, "/C1");
    AUTO_OBJ struct obj exponent = obj_key(obj, "/N");
    int n = obj_count(c0) > obj_count(c1) ? obj_count(c0) : obj_count(c1);

    f->n_out = n > 0 ? (size_t) n : 1;
    if (f->n_out > FUNCTION_VALUES || f->n_in != 1)
        return false;
    for (int i = 0; i < (int) f->n_out; i++) {
        f->c0[i] = number(c0, i, 0);
        f->c1[i] = number(c1, i, 1);
    }
    f->exponent = 1;
    obj_is_number(exponent, &f->exponent);
    return true;
}

/* Limits for nested functions: their depth, and how many may follow, since one may be referenced
 * often. */
struct bounds {
    int depth;
    size_t left;
};

static struct function *open_at(struct obj obj, struct bounds *within);

static bool read_parts(struct function *f, struct obj array, struct bounds *within)
{
    int n = obj_count(array);

    if (n < 1 || n > MAX_PARTS || !(f->parts = calloc((size_t) n, sizeof *f->parts)))
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        f->parts[i] = open_at(item, within);
        if (!f->parts[i])
            return false;
        f->n_parts++;
    }
    return true;
}

static bool read_stitched(struct function *f, struct obj obj, struct bounds *within)
{
    AUTO_OBJ struct obj parts = obj_key(obj, "/Functions");
    AUTO_OBJ struct obj bounds = obj_key(obj, "/Bounds");
    AUTO_OBJ struct obj encode = obj_key(obj, "/Encode");

    if (f->n_in != 1 || !read_parts(f, parts, within) || !f->parts)
        return false;
    f->n_out = f->parts[0]->n_out;
    f->bounds = calloc(f->n_parts + 1, sizeof *f->bounds);
    f->encodes = calloc(f->n_parts, sizeof *f->encodes);
    if (!f->bounds || !f->encodes)
        return false;
    f->bounds[0] = f->domain[0].low;
    for (size_t i = 0; i < f->n_parts; i++) {
        int k = (int) i;

        f->bounds[i + 1] = i + 1 < f->n_parts ? number(bounds, k, 0) : f->domain[0].high;
        f->encodes[i] = (struct range){ number(encode, 2 * k, 0), number(encode, 2 * k + 1, 1) };
        if (!f->parts[i] || f->parts[i]->n_in != 1 || f->parts[i]->n_out != f->n_out)
            return false;
    }
    return true;
}

static bool read_calculated(struct function *f, struct obj obj)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!f->ranged || !obj_stream_data(obj, &data, &n))
        return false;
    f->calculator = calculator_open((const char *) data, n);
    return f->calculator != NULL;
}

/* Reads an array of functions with one value each. */
static bool read_list(struct function *f, struct obj array, struct bounds *within)
{
    f->type = LIST;
    if (!read_parts(f, array, within) || !f->parts || f->n_parts > FUNCTION_VALUES)
        return false;
    f->n_out = f->n_parts;
    f->n_in = f->parts[0]->n_in;
    memcpy(f->domain, f->parts[0]->domain, sizeof f->domain);
    for (size_t i = 0; i < f->n_parts; i++)
        if (f->parts[i]->n_out != 1 || f->parts[i]->n_in != f->n_in)
            return false;
    return true;
}

static bool read_function(struct function *f, struct obj obj, struct bounds *within)
{
    long long type = -1;

    if (obj_is_array(obj))
        return read_list(f, obj, within);
    obj_key_int(obj, "/FunctionType", &type);
    f->n_in = read_ranges(obj, "/Domain", f->domain);
    f->n_out = read_ranges(obj, "/Range", f->range);
    f->ranged = f->n_out > 0;
    if (f->n_in == 0)
        return false;
    f->type = (int) type;
    switch (type) {
    case SAMPLED:
        return read_sampled(f, obj);
    case EXPONENTIAL:
        return read_exponential(f, obj);
    case STITCHED:
        return read_stitched(f, obj, within);
    case CALCULATED:
        return read_calculated(f, obj);
    default:
        return false;
    }
}

static struct function *open_at(struct obj obj, struct bounds *within)
{
    struct function *f = NULL;

    if (within->depth >= MAX_DEPTH || within->left == 0)
        return NULL;
    within->depth++;
    within->left--;
    f = calloc(1, sizeof *f);
    if (f && !read_function(f, obj, within))
        function_close(&f);
    within->depth--;
    return f;
}

struct function *function_open(struct obj obj)
{
    struct bounds within = { .left = MAX_FUNCTIONS };

    return open_at(obj, &within);
}

void function_close(struct function **function)
{
    struct function *f = *function;

    if (!f)
        return;
    for (size_t i = 0; i < f->n_parts; i++)
        function_close(&f->parts[i]);
    free(f->parts);
    free(f->bounds);
    free(f->encodes);
    free(f->samples);
    calculator_close(&f->calculator);
    free(f);
    *function = NULL;
}

size_t function_inputs(const struct function *f)
{
    return f->n_in;
}

size_t function_outputs(const struct function *f)
{
    return f->n_out;
}

size_t function_count(const struct function *f)
{
    size_t count = 1;

    for (size_t i = 0; i < f->n_parts; i++)
        count += function_count(f->parts[i]);
    return count;
}

void function_domain(const struct function *f, size_t input, double *low, double *high)
{
    *low = f->domain[input].low;
    *high = f->domain[input].high;
}

/* Interpolates linearly between the surrounding samples, in every dimension. */
static void run_sampled(const struct function *f, const double *in, double *out)
{
    size_t below[MAX_INPUTS];
    double part[MAX_INPUTS];

    for (size_t i = 0; i < f->n_in; i++) {
        double most = (double) f->sizes[i] - 1;
        double at = clip(map(in[i], f->domain[i], f->encode[i]), (struct range){ 0, most });

        below[i] = (size_t) at;
        if (below[i] + 1 >= f->sizes[i] && f->sizes[i] > 1)
            below[i] = f->sizes[i] - 2;
        part[i] = f->sizes[i] > 1 ? at - (double) below[i] : 0;
    }
    for (size_t o = 0; o < f->n_out; o++)
        out[o] = 0;
    for (unsigned corner = 0; corner < 1U << f->n_in; corner++) {
        size_t index = 0, step = 1;
        double weight = 1;

        for (size_t i = 0; i < f->n_in; i++) {
            bool upper = corner >> i & 1;

            weight *= upper ? part[i] : 1 - part[i];
            index += (below[i] + (upper && f->sizes[i] > 1)) * step;
            step *= f->sizes[i];
        }
        for (size_t o = 0; o < f->n_out && weight > 0; o++)
            out[o] += weight * (double) f->samples[index * f->n_out + o];
    }
    for (size_t o = 0; o < f->n_out; o++)
        out[o] = map(out[o], (struct range){ 0, 1 }, f->decode[o]);
}

static void run_stitched(const struct function *f, const double *in, double *out)
{
    size_t i = 0;
    double value;

    while (i + 1 < f->n_parts && in[0] >= f->bounds[i + 1])
        i++;
    value = map(in[0], (struct range){ f->bounds[i], f->bounds[i + 1] }, f->encodes[i]);
    function_run(f->parts[i], &value, out);
}

void function_run(const struct function *f, const double *from, double *out)
{
    double in[FUNCTION_VALUES] = { 0 };

    for (size_t i = 0; i < f->n_in; i++)
        in[i] = clip(from[i], f->domain[i]);
    switch (f->type) {
    case LIST:
        for (size_t i = 0; i < f->n_parts; i++)
            function_run(f->parts[i], from, &out[i]);
        return;
    case SAMPLED:
        run_sampled(f, in, out);
        break;
    case EXPONENTIAL:
        for (size_t i = 0; i < f->n_out; i++)
            out[i] = f->c0[i] + pow(in[0], f->exponent) * (f->c1[i] - f->c0[i]);
        break;
    case STITCHED:
        run_stitched(f, in, out);
        break;
    case CALCULATED:
        if (!calculator_run(f->calculator, in, f->n_in, out, f->n_out))
            memset(out, 0, f->n_out * sizeof *out);
        break;
    }
    for (size_t i = 0; f->ranged && i < f->n_out; i++)
        out[i] = clip(out[i], f->range[i]);
}
