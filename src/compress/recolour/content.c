/* content: replaces the colours in content streams. See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "compress/recolour/part.h"
#include "pdf/content/operators.h"
#include "pdf/object/page_view.h"

#define MAX_DEPTH 24 /* limit of nested streams; deeper ones are read separately */
#define MAX_SAVED 4096
#define MAX_NAMES 1000 /* limit of the colour spaces that one stream names */

/* Units of effort (base/effort.h). */
#define OPERATOR 250.0
#define BYTE     4.0

struct named {
    char *name;
    struct space *space;
};

struct paint {
    const struct space *space; /* NULL: of a device, or, if inherited, any */
    bool inherited;            /* of the content that draws this one */
    bool converted;            /* a colour was converted by the intent that was in force */
};

struct state {
    struct paint fill, stroke;
    enum icc_intent intent;
    bool own_intent; /* else it is of what draws the content, probably the usual one */
};

static const struct state of_page = { .intent = ICC_RELATIVE, .own_intent = true };
static const struct state of_stream = {
    .fill = { .inherited = true },
    .stroke = { .inherited = true },
    .intent = ICC_RELATIVE,
};

struct frame {
    struct recolour *c;
    struct obj resources; /* or OBJ_NONE */
    const unsigned char *data;
    struct operators_place place;
    size_t copied; /* input up to this offset is in `out` */
    struct buf *out;
    bool changed;
    struct state now, *saved;
    size_t n_saved, cap_saved;
    struct named *names; /* cache of named colour spaces */
    size_t n_names, cap_names;
};

enum icc_intent recolour_intent(const char *name)
{
    static const char *const names[] = { "/Perceptual", "/RelativeColorimetric", "/Saturation",
                                         "/AbsoluteColorimetric" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return (enum icc_intent) i;
    return ICC_RELATIVE;
}

/* Drops the current operator; the caller then appends its replacement to f->out. */
static void replace(struct frame *f)
{
    buf_put(f->out, f->data + f->copied, f->place.begin - f->copied);
    f->copied = f->place.end;
    f->changed = true;
}

static void put_colour(struct frame *f, const struct space *space, const double *colour,
                       bool stroke)
{
    double levels[3];
    size_t n = recolour_convert(f->c, space, f->now.intent, colour, levels);

    if (n == 0)
        return;
    replace(f);
    for (size_t i = 0; i < n; i++)
        space_put_level(f->out, levels[i]);
    buf_puts(f->out, n == 1 ? (stroke ? "G" : "g") : (stroke ? "RG" : "rg"));
    f->c->inherited |= !f->now.own_intent;
}

static struct obj find_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj all = f->resources.q ? obj_key(f->resources, category) : OBJ_NONE;

    return all.q ? obj_key(all, name) : OBJ_NONE;
}

static bool is_device(const char *name)
{
    static const char *const names[] = { "/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/Pattern",
                                         "/G",          "/RGB",       "/CMYK" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* To sRGB, what a name means must be known. */
static struct space *open_space(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj word = obj_new_name(f->c->q, name);
    AUTO_OBJ struct obj found = is_device(name) ? OBJ_NONE : find_resource(f, "/ColorSpace", name);
    bool known = found.q && !obj_is_null(found);

    f->c->failures += f->c->target == RECOLOUR_SRGB && !known && !is_device(name);
    return recolour_space(f->c, known ? found : word, OBJ_NONE);
}

static const struct space *find_space(struct frame *f, const char *name)
{
    struct named named;

    for (size_t i = 0; i < f->n_names; i++)
        if (strcmp(f->names[i].name, name) == 0)
            return f->names[i].space;
    if (f->n_names == MAX_NAMES) {
        f->c->failures++;
        return NULL;
    }
    named = (struct named){ strdup(name), open_space(f, name) };
    if (named.name && named.space && LIST_ROOM(f->names, f->n_names, f->cap_names)) {
        f->names[f->n_names++] = named;
        return named.space;
    }
    f->c->no_memory = true;
    free(named.name);
    space_close(&named.space);
    return NULL;
}

static void set_space(struct frame *f, const char *name, bool stroke)
{
    const struct space *space = find_space(f, name);

    *(stroke ? &f->now.stroke : &f->now.fill) = (struct paint){ .space = space };
    if (!space)
        return;
    if (space->kind == SPACE_IS_COLOUR) {
        double first[SPACE_COMPONENTS];

        space_first(space, first);
        put_colour(f, space, first, stroke);
    } else if (space->kind == SPACE_IS_PATTERN && space->base) {
        f->changed = true; /* its base is different now */
    }
}

/* To sRGB, colours of devices stay. */
static void put_device_colour(struct frame *f, const struct operand *o, size_t n, bool stroke)
{
    static const struct space rgb = { .kind = SPACE_IS_COLOUR, .n = 3, .by = SPACE_BY_RGB },
                              cmyk = { .kind = SPACE_IS_COLOUR, .n = 4, .by = SPACE_BY_CMYK };
    double colour[4];

    if (f->c->target != RECOLOUR_GRAY || (n != 3 && n != 4))
        return;
    for (size_t i = 0; i < COUNT(colour); i++)
        colour[i] = operators_number(o, n, i);
    put_colour(f, n == 3 ? &rgb : &cmyk, colour, stroke);
}

static void set_device(struct frame *f, const char *op, const struct operand *o, size_t n,
                       bool stroke)
{
    size_t wanted = op[1] ? 3 : *op == 'k' || *op == 'K' ? 4 : 1;

    *(stroke ? &f->now.stroke : &f->now.fill) = (struct paint){ .space = NULL };
    if (n == wanted)
        put_device_colour(f, o, n, stroke);
}

static void put_pattern(struct frame *f, const struct space *space, const double *colour)
{
    replace(f);
    space_put_level(f->out, space_gray(space, colour));
    /* Finds the name as it is written: after the last operand that is not part of it. */
    for (size_t at = f->place.end; at > f->place.begin; at--)
        if (f->data[at - 1] == '/') {
            buf_put(f->out, f->data + at - 1, f->place.end - at + 1);
            break;
        }
}

static bool are_numbers(const struct operand *o, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (o[i].type != OPERAND_NUMBER)
            return false;
    return true;
}

static void set_colour(struct frame *f, const struct operand *o, size_t n, bool stroke)
{
    struct paint *paint = stroke ? &f->now.stroke : &f->now.fill;
    const struct space *space = paint->space;
    bool pattern = n > 0 && o[n - 1].type == OPERAND_NAME, to_srgb = f->c->target == RECOLOUR_SRGB;
    double colour[SPACE_COMPONENTS] = { 0 };
    size_t wanted;

    /* A form XObject may use a colour space that was set outside. */
    if (!space && !pattern) {
        f->c->failures += to_srgb && paint->inherited;
        put_device_colour(f, o, n, stroke);
        return;
    }
    if (!space || (space->kind != SPACE_IS_COLOUR && (!pattern || !space->base)))
        return;
    wanted = pattern && space->base ? space->base->n : space->n;
    if (to_srgb && (n != wanted || !are_numbers(o, n))) {
        f->c->failures++;
        return;
    }
    for (size_t i = 0; i < wanted && i < SPACE_COMPONENTS; i++)
        colour[i] = operators_number(o, n, i);
    paint->converted = true;
    if (!pattern)
        put_colour(f, space, colour, stroke);
    else if (space->kind == SPACE_IS_PATTERN)
        put_pattern(f, space, colour);
}

/* Colours that were converted before would be by the new intent. */
static void set_intent(struct frame *f, const char *name)
{
    enum icc_intent intent = recolour_intent(name);

    f->c->other_intent |= intent != ICC_RELATIVE;
    f->c->failures += intent != f->now.intent && (f->now.fill.converted || f->now.stroke.converted);
    f->now.intent = intent;
    f->now.own_intent = true;
}

static void set_gstate(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj gstate = find_resource(f, "/ExtGState", name);
    AUTO_OBJ struct obj intent = gstate.q ? obj_key(gstate, "/RI") : OBJ_NONE;
    size_t n = 0;
    const char *bytes = intent.q && obj_is_name(intent) ? obj_bytes(intent, &n) : NULL;

    if (bytes)
        set_intent(f, bytes);
}

/* An image is converted by the intent where it is drawn. */
static void show_image(struct frame *f, struct obj image)
{
    size_t before;
    int64_t id = obj_is_stream(image) ? obj_id(image) : 0;

    if (!id || !obj_key_is(image, "/Subtype", "/Image") || obj_has(image, "/Intent"))
        return;
    before = idmap_find(&f->c->intents, id);
    f->c->failures += before != IDMAP_NONE && before != (size_t) f->now.intent;
    f->c->no_memory |= !idmap_add(&f->c->intents, id, (size_t) f->now.intent);
    f->c->inherited |= !f->now.own_intent;
}

/* Form XObjects and fonts without resources use those of the enclosing content. */
static void use_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj obj = find_resource(f, category, name);

    if (!obj.q)
        return;
    if (f->c->target == RECOLOUR_SRGB)
        show_image(f, obj);
    else if (obj_key_is(obj, "/Subtype", "/Form") && !obj_has(obj, "/Resources"))
        recolour_stream(f->c, obj, f->resources);
    else if (obj_key_is(obj, "/Subtype", "/Type3") && !obj_has(obj, "/Resources"))
        recolour_glyphs(f->c, obj, f->resources);
}

/* Whether an inline image names a space of the resources by a profile that is converted: it would
 * be left. */
static bool names_profile(struct frame *f)
{
    AUTO_OBJ struct obj spaces = f->resources.q ? obj_key(f->resources, "/ColorSpace") : OBJ_NONE;
    AUTO_KEYS char **keys = spaces.q && obj_is_dict(spaces) ? obj_keys(spaces) : NULL;
    bool named = false;

    for (size_t i = 0; keys && keys[i] && !named; i++) {
        AUTO_OBJ struct obj space = obj_key(spaces, keys[i]);

        named = recolour_profile_of(f->c, space) != IDMAP_NONE &&
                memmem(f->data + f->place.begin, f->place.image - f->place.begin, keys[i],
                       strlen(keys[i]));
    }
    return named;
}

static void replace_image(struct frame *f)
{
    AUTO_BUF struct buf image = BUF_EMPTY;
    size_t dict = f->place.begin + 2, data = f->place.image;

    while (dict < data && memcmp(f->data + dict - 2, "BI", 2) != 0)
        dict++;
    if (data < dict + 3 || f->place.end < data + 2 ||
        !recolour_inline_image(f->c, f->resources, (const char *) f->data + dict, data - 3 - dict,
                               f->data + data, f->place.end - 2 - data, &image))
        return;
    replace(f);
    buf_put(f->out, buf_text(&image), image.len);
    f->out->failed |= image.failed;
}

static void save(struct frame *f)
{
    if (f->n_saved < MAX_SAVED && LIST_ROOM(f->saved, f->n_saved, f->cap_saved))
        f->saved[f->n_saved++] = f->now;
    else
        f->c->failures++;
}

static bool is_one_of(const char *op, const char *const *list)
{
    while (*list && strcmp(op, *list) != 0)
        list++;
    return *list != NULL;
}

static void run_colour(struct frame *f, const char *op, const struct operand *o, size_t n)
{
    static const char *const device[] = { "g", "rg", "k", "G", "RG", "K", NULL };
    static const char *const colour[] = { "sc", "scn", "SC", "SCN", NULL };
    bool named = n > 0 && o[n - 1].type == OPERAND_NAME, stroke = *op >= 'A' && *op <= 'Z';

    if (is_one_of(op, device))
        set_device(f, op, o, n, stroke);
    else if (is_one_of(op, colour))
        set_colour(f, o, n, stroke);
    else if ((strcmp(op, "cs") == 0 || strcmp(op, "CS") == 0) && named)
        set_space(f, o[n - 1].bytes, stroke);
}

static bool run_operator(void *arg, const char *op, const struct operand *o, size_t n)
{
    struct frame *f = arg;
    bool named = n > 0 && o[n - 1].type == OPERAND_NAME, to_srgb = f->c->target == RECOLOUR_SRGB;

    recolour_spend(f->c, OPERATOR);
    if (strcmp(op, "q") == 0)
        save(f);
    else if (strcmp(op, "Q") == 0 && f->n_saved > 0)
        f->now = f->saved[--f->n_saved];
    else if (strcmp(op, "ri") == 0 && named && to_srgb)
        set_intent(f, o[n - 1].bytes);
    else if (strcmp(op, "gs") == 0 && named && to_srgb)
        set_gstate(f, o[n - 1].bytes);
    else if (strcmp(op, "Do") == 0 && named)
        use_resource(f, "/XObject", o[n - 1].bytes);
    else if (strcmp(op, "Tf") == 0 && n >= 2 && o[n - 2].type == OPERAND_NAME)
        use_resource(f, "/Font", o[n - 2].bytes);
    else if (strcmp(op, "EI") == 0 && to_srgb)
        f->c->failures += names_profile(f);
    else if (strcmp(op, "EI") == 0)
        replace_image(f);
    else
        run_colour(f, op, o, n);
    return !recolour_ends(f->c);
}

/* Converts content. True if it was changed: `out` is then the new one. */
static bool convert(struct recolour *c, struct obj resources, const struct state *first,
                    const unsigned char *data, size_t n, struct buf *out)
{
    struct frame f = { .c = c, .resources = resources, .data = data, .out = out, .now = *first };

    if (recolour_spend(c, BYTE * (double) n) &&
        !operators_read_at(data, n, run_operator, &f, &f.place))
        c->failures++;
    if (f.changed)
        buf_put(out, data + f.copied, n - f.copied);
    c->no_memory |= out->failed;
    for (size_t i = 0; i < f.n_names; i++) {
        free(f.names[i].name);
        space_close(&f.names[i].space);
    }
    free(f.names);
    free(f.saved);
    return f.changed && !out->failed;
}

/* Keeps what becomes of a page or stream, of which it takes the data. Returns the edit's index + 1,
 * 0 when out of memory. */
static size_t add_edit(struct recolour *c, int64_t id, bool page, struct buf *data)
{
    if (!LIST_ROOM(c->edits, c->n_edits, c->cap_edits)) {
        c->no_memory = true;
        return 0;
    }
    c->edits[c->n_edits++] = (struct recolour_edit){ id, page, *data };
    *data = BUF_EMPTY;
    return c->n_edits;
}

/* Whether a stream becomes the same as before, when it was read with other resources. */
static bool is_same(const struct recolour *c, size_t edit, bool changed, const struct buf *out)
{
    const struct buf *before = edit > 0 ? &c->edits[edit - 1].data : NULL;

    return changed ? before && before->len == out->len &&
                         memcmp(buf_text(before), buf_text(out), out->len) == 0
                   : !before;
}

/* To sRGB, a stream that was read before is checked again, because its resources may be others. */
static void read_stream(struct recolour *c, struct obj stream, struct obj resources,
                        const struct state *first)
{
    int64_t id = obj_id(stream);
    size_t before = idmap_find(&c->read, id), n;
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    bool changed;

    if (c->depth >= MAX_DEPTH || !obj_is_stream(stream) ||
        (before != IDMAP_NONE && c->target == RECOLOUR_GRAY))
        return;
    c->no_memory |= !idmap_add(&c->read, id, 0);
    if (!obj_stream_data(stream, &data, &n)) {
        c->failures++;
        return;
    }
    c->depth++;
    changed = convert(c, resources, first, data, n, &out);
    c->depth--;
    if (before != IDMAP_NONE)
        c->failures += !is_same(c, before, changed, &out);
    else if (changed)
        idmap_set(&c->read, id, add_edit(c, id, false, &out));
}

void recolour_page(struct recolour *c, struct obj page)
{
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj only = obj_item(contents, 0);
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t n;

    if (obj_is_null(contents))
        return;
    if (obj_is_stream(contents) || obj_count(contents) == 1)
        read_stream(c, obj_is_stream(contents) ? contents : only, resources, &of_page);
    else if (!obj_page_content(page, &data, &n))
        c->failures++;
    else if (convert(c, resources, &of_page, data, n, &out))
        add_edit(c, obj_id(page), true, &out);
}

void recolour_stream(struct recolour *c, struct obj stream, struct obj outer)
{
    AUTO_OBJ struct obj own = obj_key(stream, "/Resources");

    read_stream(c, stream, obj_is_dict(own) ? own : outer, &of_stream);
}

void recolour_glyphs(struct recolour *c, struct obj font, struct obj outer)
{
    AUTO_OBJ struct obj procs = obj_key(font, "/CharProcs");
    AUTO_OBJ struct obj own = obj_key(font, "/Resources");
    AUTO_KEYS char **keys = obj_is_dict(procs) ? obj_keys(procs) : NULL;

    for (size_t i = 0; keys && keys[i] && !recolour_ends(c); i++) {
        AUTO_OBJ struct obj glyph = obj_key(procs, keys[i]);

        read_stream(c, glyph, obj_is_dict(own) ? own : outer, &of_stream);
    }
}

bool recolour_appearance(struct recolour *c, const unsigned char *data, size_t n, struct buf *out)
{
    return convert(c, OBJ_NONE, &of_page, data, n, out);
}
