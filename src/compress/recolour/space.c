#include "compress/recolour/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "compress/recolour/function.h"

#define MAX_DEPTH 6

double space_gray_of_rgb(const double rgb[static 3])
{
    return rgb[0] * 0.299 + rgb[1] * 0.587 + rgb[2] * 0.114;
}

/* Neugebauer's equations with the grays of all overprints of cyan (bit 0), magenta (1) and
 * yellow (2), as for drawing pages (mupdf/color.h). */
double space_gray_of_cmyk(const double cmyk[static 4])
{
    static const double solids[8] = { 1, 0.5073, 0.3392, 0.2296, 0.8562, 0.4177, 0.3586, 0.2133 };
    double ink[4], sum = 0;

    for (int i = 0; i < 4; i++)
        ink[i] = cmyk[i] < 0 ? 0 : cmyk[i] > 1 ? 1 : cmyk[i];
    for (int i = 0; i < 8; i++)
        sum += solids[i] * (i & 1 ? ink[0] : 1 - ink[0]) * (i & 2 ? ink[1] : 1 - ink[1]) *
               (i & 4 ? ink[2] : 1 - ink[2]);
    return sum * (1 - ink[3]);
}

/* The sRGB gray with the lightness L*. */
static double gray_of_lab(double lightness)
{
    double f = (lightness + 16) / 116, y = f > 6.0 / 29 ? f * f * f : lightness * 27 / 24389;

    return y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1 / 2.4) - 0.055;
}

static void set_device(struct space *space, size_t n)
{
    space->kind = n == 1 ? SPACE_STAYS : SPACE_IS_COLOUR;
    space->n = n;
    space->by = n == 1 ? SPACE_BY_GRAY : n == 3 ? SPACE_BY_RGB : SPACE_BY_CMYK;
}

static struct space *open_at(struct obj obj, struct obj resources, int depth);

static bool read_name(struct space *space, struct obj name, struct obj resources, int depth)
{
    static const struct {
        const char *name;
        size_t n;
    } device[] = {
        { "/DeviceGray", 1 }, { "/G", 1 },          { "/CalGray", 1 }, { "/DeviceRGB", 3 },
        { "/RGB", 3 },        { "/DeviceCMYK", 4 }, { "/CMYK", 4 },    { "/CalRGB", 3 },
        { "/CalCMYK", 4 },    { "/Pattern", 0 },
    };
    AUTO_OBJ struct obj spaces = resources.q ? obj_key(resources, "/ColorSpace") : OBJ_NONE;
    AUTO_OBJ struct obj meant = OBJ_NONE;
    const char *bytes;
    size_t n;

    for (size_t i = 0; i < COUNT(device); i++)
        if (obj_name_is(name, device[i].name)) {
            if (device[i].n > 0)
                set_device(space, device[i].n);
            else
                space->kind = SPACE_IS_PATTERN;
            return true;
        }
    bytes = obj_bytes(name, &n);
    if (!bytes || !spaces.q || !obj_is_dict(spaces))
        return false;
    meant = obj_key(spaces, bytes);
    if (obj_is_null(meant) || depth >= MAX_DEPTH)
        return false;
    /* Without the resources, because names of names could form a circle. */
    struct space *found = open_at(meant, OBJ_NONE, depth + 1);
    if (!found)
        return false;
    *space = *found;
    free(found);
    return true;
}

static bool read_profile(struct space *space, struct obj array)
{
    AUTO_OBJ struct obj profile = obj_item(array, 1);
    long long n = 0;

    obj_key_int(profile, "/N", &n);
    if (n != 1 && n != 3 && n != 4)
        return false;
    set_device(space, (size_t) n);
    return true;
}

static void read_lab(struct space *space, struct obj array)
{
    AUTO_OBJ struct obj dict = obj_item(array, 1);
    AUTO_OBJ struct obj range = obj_key(dict, "/Range");

    space->kind = SPACE_IS_COLOUR;
    space->n = 3;
    space->by = SPACE_BY_LAB;
    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(range, i);

        space->ranges[i] = i % 2 ? 100 : -100;
        obj_is_number(item, &space->ranges[i]);
    }
}

static bool read_tint(struct space *space, struct obj array, struct obj resources, bool many,
                      int depth)
{
    AUTO_OBJ struct obj names = obj_item(array, 1);
    AUTO_OBJ struct obj base = obj_item(array, 2);
    AUTO_OBJ struct obj tint = obj_item(array, 3);

    space->kind = !many && obj_name_is(names, "/None") ? SPACE_IS_NOTHING : SPACE_IS_COLOUR;
    space->n = many ? (size_t) obj_count(names) : 1;
    space->by = SPACE_BY_TINT;
    if (space->n < 1 || space->n > SPACE_COMPONENTS)
        return false;
    space->base = open_at(base, resources, depth + 1);
    space->tint = function_open(tint);
    if (space->tint && (!space->base || function_inputs(space->tint) != space->n ||
                        function_outputs(space->tint) != space->base->n))
        function_close(&space->tint);
    return true;
}

static bool read_table(struct space *space, struct obj array, struct obj resources, int depth)
{
    AUTO_OBJ struct obj base = obj_item(array, 1);
    AUTO_OBJ struct obj table = obj_item(array, 3);
    AUTO_FREE unsigned char *data = NULL;
    const char *bytes;
    size_t n = 0;

    space->kind = SPACE_IS_COLOUR;
    space->n = 1;
    space->by = SPACE_BY_TABLE;
    space->base = open_at(base, resources, depth + 1);
    if (obj_is_stream(table))
        bytes = obj_stream_data(table, &data, &n) ? (const char *) data : NULL;
    else
        bytes = obj_bytes(table, &n);
    if (!space->base || space->base->n < 1 || !bytes)
        return false;
    space->n_table = n < 256 * space->base->n ? n : 256 * space->base->n;
    space->table = malloc(space->n_table + 1);
    if (space->table)
        memcpy(space->table, bytes, space->n_table);
    return space->table != NULL;
}

static bool read_array(struct space *space, struct obj array, struct obj resources, int depth)
{
    AUTO_OBJ struct obj kind = obj_item(array, 0);
    AUTO_OBJ struct obj second = obj_item(array, 1);

    if (obj_name_is(kind, "/ICCBased"))
        return read_profile(space, array);
    if (obj_name_is(kind, "/Lab")) {
        read_lab(space, array);
        return true;
    }
    if (obj_name_is(kind, "/Indexed") || obj_name_is(kind, "/I"))
        return read_table(space, array, resources, depth);
    if (obj_name_is(kind, "/Separation") || obj_name_is(kind, "/DeviceN"))
        return read_tint(space, array, resources, obj_name_is(kind, "/DeviceN"), depth);
    if (obj_name_is(kind, "/Pattern")) {
        space->kind = SPACE_IS_PATTERN;
        space->base = obj_is_null(second) ? NULL : open_at(second, resources, depth + 1);
        return true;
    }
    return obj_is_name(kind) && read_name(space, kind, OBJ_NONE, depth);
}

static struct space *open_at(struct obj obj, struct obj resources, int depth)
{
    struct space *space = calloc(1, sizeof *space);

    if (!space)
        return NULL;
    if (!obj.q || depth > MAX_DEPTH ||
        !(obj_is_array(obj) ? read_array(space, obj, resources, depth)
                            : read_name(space, obj, resources, depth))) {
        space_close(&space);
        space = calloc(1, sizeof *space);
        if (space)
            set_device(space, 1);
    }
    return space;
}

struct space *space_open(struct obj obj, struct obj resources)
{
    return open_at(obj, resources, 0);
}

void space_close(struct space **space)
{
    struct space *s = *space;

    if (!s)
        return;
    space_close(&s->base);
    function_close(&s->tint);
    free(s->table);
    free(s);
    *space = NULL;
}

void space_decode(const struct space *space, size_t component, unsigned bits, double *low,
                  double *high)
{
    *low = 0;
    *high = space->by == SPACE_BY_TABLE ? (double) ((1U << bits) - 1) : 1;
    if (space->by == SPACE_BY_LAB) {
        *low = component == 0 ? 0 : space->ranges[2 * component - 2];
        *high = component == 0 ? 100 : space->ranges[2 * component - 1];
    }
}

static double gray_of_table(const struct space *space, double index)
{
    double colour[SPACE_COMPONENTS] = { 0 };
    size_t n = space->base->n, entries = space->n_table / n;
    size_t at = index > 0 ? (size_t) fmin(index + 0.5, 255) : 0;

    if (at >= entries && entries > 0)
        at = entries - 1;
    for (size_t i = 0; i < n && entries > 0; i++) {
        double low, high;

        space_decode(space->base, i, 8, &low, &high);
        colour[i] = low + space->table[at * n + i] / 255.0 * (high - low);
    }
    return space_gray(space->base, colour);
}

static double gray_of_tint(const struct space *space, const double *colour)
{
    double out[FUNCTION_VALUES] = { 0 }, light = 1;

    if (space->tint) {
        function_run(space->tint, colour, out);
        return space_gray(space->base, out);
    }
    for (size_t i = 0; i < space->n; i++)
        light *= 1 - fmin(fmax(colour[i], 0), 1);
    return light;
}

double space_gray(const struct space *space, const double *colour)
{
    double gray;

    if (space->kind == SPACE_IS_PATTERN)
        return space->base ? space_gray(space->base, colour) : 0;
    switch (space->by) {
    case SPACE_BY_RGB:
        gray = space_gray_of_rgb(colour);
        break;
    case SPACE_BY_CMYK:
        gray = space_gray_of_cmyk(colour);
        break;
    case SPACE_BY_LAB:
        gray = gray_of_lab(colour[0]);
        break;
    case SPACE_BY_TINT:
        gray = gray_of_tint(space, colour);
        break;
    case SPACE_BY_TABLE:
        gray = gray_of_table(space, colour[0]);
        break;
    case SPACE_BY_GRAY:
        gray = colour[0];
        break;
    case SPACE_BY_PROFILE:
    default:
        gray = 0;
    }
    return gray > 0 ? fmin(gray, 1) : 0;
}

void space_first(const struct space *space, double colour[static SPACE_COMPONENTS])
{
    memset(colour, 0, SPACE_COMPONENTS * sizeof *colour);
    for (size_t i = 0; space->by == SPACE_BY_TINT && i < space->n; i++)
        colour[i] = 1;
    if (space->by == SPACE_BY_CMYK)
        colour[3] = 1;
}

void space_table(const struct space *space, struct obj decode, unsigned bits, uint8_t table[256])
{
    unsigned most = (1U << bits) - 1;
    double low, high;
    AUTO_OBJ struct obj first = obj_item(decode, 0);
    AUTO_OBJ struct obj last = obj_item(decode, 1);

    space_decode(space, 0, bits, &low, &high);
    if (obj_count(decode) >= 2) {
        obj_is_number(first, &low);
        obj_is_number(last, &high);
    }
    for (unsigned i = 0; i <= most; i++) {
        double colour[SPACE_COMPONENTS] = { low + i * (high - low) / most };

        table[i] = (uint8_t) (space_gray(space, colour) * 255 + 0.5);
    }
}

bool space_read_colour(struct obj array, double colour[static SPACE_COMPONENTS])
{
    bool whole = true;

    for (int i = 0, n = obj_count(array); i < n && i < SPACE_COMPONENTS; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        whole &= obj_is_number(item, &colour[i]);
    }
    return whole;
}

void space_put_level(struct buf *out, double level)
{
    long thousandths = lround(level * 1000);

    if (thousandths <= 0 || thousandths >= 1000)
        buf_puts(out, thousandths <= 0 ? "0 " : "1 ");
    else
        buf_printf(out, ".%03ld ", thousandths);
}
