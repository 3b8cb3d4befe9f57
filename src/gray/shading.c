/* shading: converts shadings (ISO 32000-2, 8.7.4.5) to gray. See part.h. */
#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "gray/function.h"
#include "gray/part.h"

#define SAMPLES       512    /* of a function with one input: more than there are gray levels */
#define SIDE          96     /* of each input of a function with two */
#define MAX_FUNCTIONS 100000 /* limit of all shadings' functions: one may be part of many */
#define MAX_DEPTH     8

static double level_at(const struct function *function, const struct space *space, double x,
                       double y)
{
    double in[2] = { x, y }, out[FUNCTION_VALUES] = { 0 };

    function_run(function, in, out);
    return space_gray(space, out);
}

/* Makes a sampled function of another function's gray levels. */
static struct obj sample(struct gray *gray, const struct function *function,
                         const struct space *space)
{
    bool plane = function_inputs(function) == 2;
    size_t columns = plane ? SIDE : SAMPLES, rows = plane ? SIDE : 1;
    AUTO_BUF struct buf data = BUF_EMPTY, text = BUF_EMPTY;
    AUTO_OBJ struct obj dict = OBJ_NONE;
    double x0, x1, y0 = 0, y1 = 0;
    struct obj stream;
    static const char *const keys[] = { "/FunctionType", "/Domain", "/Range", "/Size",
                                        "/BitsPerSample" };

    function_domain(function, 0, &x0, &x1);
    if (plane)
        function_domain(function, 1, &y0, &y1);
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < columns; i++) {
            double x = x0 + (x1 - x0) * (double) i / (double) (columns - 1);
            double y = plane ? y0 + (y1 - y0) * (double) row / (double) (rows - 1) : 0;
            long level = lround(level_at(function, space, x, y) * 65535);

            buf_putc(&data, (char) (level >> 8));
            buf_putc(&data, (char) level);
        }
    buf_printf(&text, "<</FunctionType 0/Domain[%f %f", x0, x1);
    if (plane)
        buf_printf(&text, " %f %f]/Size[%d %d]", y0, y1, SIDE, SIDE);
    else
        buf_printf(&text, "]/Size[%d]", SAMPLES);
    buf_puts(&text, "/Range[0 1]/BitsPerSample 16>>");
    if (data.failed || text.failed) {
        gray->no_memory = true;
        return OBJ_NONE;
    }
    dict = obj_parse(gray->q, text.data);
    stream = obj_new_stream(gray->q, data.data, data.len);
    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);

        obj_set(stream, keys[i], value);
    }
    return stream;
}

static struct obj convert(struct gray *gray, struct obj obj, const struct space *space, int depth);

/* Converts each part of a stitching function separately: there may be an edge between them. */
static struct obj convert_parts(struct gray *gray, struct obj stitched, const struct space *space,
                                int depth)
{
    AUTO_OBJ struct obj parts = obj_key(stitched, "/Functions");
    AUTO_OBJ struct obj made = obj_new_array(gray->q);
    AUTO_OBJ struct obj dict = OBJ_NONE;
    int n = obj_count(parts);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj part = obj_item(parts, i);
        AUTO_OBJ struct obj gray_part = convert(gray, part, space, depth + 1);

        if (!gray_part.q)
            return OBJ_NONE;
        obj_append(made, gray_part);
    }
    dict = obj_shallow_copy(stitched);
    obj_set(dict, "/Functions", made);
    obj_remove(dict, "/Range");
    return obj_indirect(dict);
}

/* A linear function in RGB stays linear in gray. */
static struct obj convert_even(struct gray *gray, struct obj obj, const struct function *function,
                               const struct space *space)
{
    AUTO_OBJ struct obj dict = obj_shallow_copy(obj);
    AUTO_FREE char *c0 = NULL, *c1 = NULL;

    if (asprintf(&c0, "[%.4f]", level_at(function, space, 0, 0)) < 0 ||
        asprintf(&c1, "[%.4f]", level_at(function, space, 1, 0)) < 0) {
        gray->no_memory = true;
        return OBJ_NONE;
    }
    AUTO_OBJ struct obj first = obj_parse(gray->q, c0);
    AUTO_OBJ struct obj last = obj_parse(gray->q, c1);
    obj_set(dict, "/C0", first);
    obj_set(dict, "/C1", last);
    obj_remove(dict, "/Range");
    return obj_indirect(dict);
}

/* Makes a function with one gray level; null if this one cannot be read. */
static struct obj convert(struct gray *gray, struct obj obj, const struct space *space, int depth)
{
    AUTO_FUNCTION struct function *function = function_open(obj);
    long long type = -1;
    double low, high;

    if (!function || depth > MAX_DEPTH || gray->functions++ > MAX_FUNCTIONS ||
        function_inputs(function) > 2 || function_outputs(function) < space->n)
        return OBJ_NONE;
    if (!obj_is_array(obj))
        obj_key_int(obj, "/FunctionType", &type);
    function_domain(function, 0, &low, &high);
    if (type == 3)
        return convert_parts(gray, obj, space, depth);
    if (type == 2 && space->by == SPACE_BY_RGB && low <= 0 && high >= 1)
        return convert_even(gray, obj, function, space);
    return sample(gray, function, space);
}

static void convert_background(struct gray *gray, struct obj shading, const struct space *space)
{
    AUTO_OBJ struct obj colour = obj_key(shading, "/Background");
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_FREE char *text = NULL;
    double values[SPACE_COMPONENTS] = { 0 };

    if (!obj_is_array(colour))
        return;
    for (int i = 0; i < SPACE_COMPONENTS && i < obj_count(colour); i++) {
        AUTO_OBJ struct obj item = obj_item(colour, i);

        obj_is_number(item, &values[i]);
    }
    if (asprintf(&text, "[%.4f]", space_gray(space, values)) < 0) {
        text = NULL;
        gray->no_memory = true;
        return;
    }
    made = obj_parse(gray->q, text);
    obj_set(shading, "/Background", made);
}

void gray_shading(struct gray *gray, struct obj shading)
{
    AUTO_OBJ struct obj name = obj_key(shading, "/ColorSpace");
    AUTO_OBJ struct obj function = obj_key(shading, "/Function");
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_SPACE struct space *space = space_open(name, OBJ_NONE);
    long long type = 0;
    bool by_function = !obj_is_null(function), whole = true;

    gray->no_memory |= !space;
    if (!space || space->kind != SPACE_IS_COLOUR || !obj_key_int(shading, "/ShadingType", &type))
        return;
    if (by_function) {
        made = convert(gray, function, space, 0);
        whole = made.q != NULL;
    }
    if (whole && type >= 4)
        whole = gray_mesh(shading, type, space, by_function);
    if (!whole) {
        gray->failures++;
        return;
    }
    if (by_function)
        obj_set(shading, "/Function", made);
    convert_background(gray, shading, space);
    obj_set_name(shading, "/ColorSpace", "/DeviceGray");
    gray->changes++;
}
