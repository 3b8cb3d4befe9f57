/* content: replaces the colours in content streams by gray levels. See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "compress/gray/part.h"
#include "pdf/content/operators.h"

#define MAX_DEPTH 24 /* limit of nested streams; deeper ones are converted separately */
#define MAX_SAVED 4096
#define MAX_NAMES 64

struct named {
    char *name;
    struct space *space;
};

struct paint {
    const struct space *fill, *stroke; /* NULL: gray */
};

struct frame {
    struct gray *gray;
    struct obj resources;
    const unsigned char *data;
    struct operators_place place;
    size_t copied; /* input up to this offset is in `out` */
    struct buf *out;
    bool changed;
    struct paint now, *saved;
    size_t n_saved, cap_saved;
    struct named names[MAX_NAMES]; /* cache of named colour spaces */
    size_t n_names;
};

/* Drops the current operator; the caller then appends its replacement to f->out. */
static void replace(struct frame *f)
{
    buf_put(f->out, f->data + f->copied, f->place.begin - f->copied);
    f->copied = f->place.end;
    f->changed = true;
}

static void put_level(struct frame *f, double level, bool stroke)
{
    replace(f);
    space_put_level(f->out, level);
    buf_puts(f->out, stroke ? "G" : "g");
}

/* A space that was evicted from the cache is opened again: spaces of a graphics state must stay. */
static const struct space *find_space(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj obj = OBJ_NONE;

    for (size_t i = 0; i < f->n_names; i++)
        if (strcmp(f->names[i].name, name) == 0)
            return f->names[i].space;
    if (f->n_names == MAX_NAMES) {
        f->gray->failures++;
        return NULL;
    }
    obj = obj_new_name(f->gray->q, name);
    f->names[f->n_names] = (struct named){ strdup(name), space_open(obj, f->resources) };
    if (!f->names[f->n_names].name || !f->names[f->n_names].space) {
        f->gray->no_memory = true;
        free(f->names[f->n_names].name);
        space_close(&f->names[f->n_names].space);
        return NULL;
    }
    return f->names[f->n_names++].space;
}

static void set_space(struct frame *f, const char *name, bool stroke)
{
    const struct space *space = find_space(f, name);

    if (stroke)
        f->now.stroke = space;
    else
        f->now.fill = space;
    if (space && space->kind == SPACE_IS_COLOUR)
        put_level(f, space_first(space), stroke);
    else if (space && space->kind == SPACE_IS_PATTERN && space->base)
        f->changed = true; /* its base is different now */
}

static void set_device(struct frame *f, const struct operand *o, size_t n, bool stroke)
{
    double colour[4] = { operators_number(o, n, 0), operators_number(o, n, 1),
                         operators_number(o, n, 2), operators_number(o, n, 3) };

    put_level(f, n == 3 ? space_gray_of_rgb(colour) : space_gray_of_cmyk(colour), stroke);
    if (stroke)
        f->now.stroke = NULL;
    else
        f->now.fill = NULL;
}

static void set_colour(struct frame *f, const struct operand *o, size_t n, bool stroke)
{
    const struct space *space = stroke ? f->now.stroke : f->now.fill;
    bool pattern = n > 0 && o[n - 1].type == OPERAND_NAME;
    double colour[SPACE_COMPONENTS] = { 0 };
    size_t wanted;

    /* A form XObject may use a colour space that was set outside. */
    if (!space && !pattern && (n == 3 || n == 4)) {
        set_device(f, o, n, stroke);
        return;
    }
    if (!space || (space->kind != SPACE_IS_COLOUR && (!pattern || !space->base)))
        return;
    wanted = pattern && space->base ? space->base->n : space->n;
    for (size_t i = 0; i < wanted && i < SPACE_COMPONENTS; i++)
        colour[i] = operators_number(o, n, i);
    if (!pattern) {
        put_level(f, space_gray(space, colour), stroke);
        return;
    }
    if (space->kind != SPACE_IS_PATTERN)
        return;
    replace(f);
    space_put_level(f->out, space_gray(space, colour));
    /* Finds the name as it is written: after the last operand that is not part of it. */
    for (size_t at = f->place.end; at > f->place.begin; at--)
        if (f->data[at - 1] == '/') {
            buf_put(f->out, f->data + at - 1, f->place.end - at + 1);
            break;
        }
}

static struct obj find_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj all = f->resources.q ? obj_key(f->resources, category) : OBJ_NONE;

    return all.q ? obj_key(all, name) : OBJ_NONE;
}

/* Form XObjects and fonts without resources use those of the enclosing content. */
static void use_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj obj = find_resource(f, category, name);

    if (!obj.q)
        return;
    if (obj_key_is(obj, "/Subtype", "/Form") && !obj_has(obj, "/Resources"))
        gray_stream(f->gray, obj, f->resources);
    if (obj_key_is(obj, "/Subtype", "/Type3") && !obj_has(obj, "/Resources"))
        gray_glyphs(f->gray, obj, f->resources);
}

static void replace_image(struct frame *f)
{
    AUTO_BUF struct buf image = BUF_EMPTY;
    size_t dict = f->place.begin + 2, data = f->place.image;

    while (dict < data && memcmp(f->data + dict - 2, "BI", 2) != 0)
        dict++;
    if (data < dict + 3 || f->place.end < data + 2 ||
        !gray_inline_image(f->gray, f->resources, (const char *) f->data + dict, data - 3 - dict,
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
        f->gray->failures++;
}

static bool run_operator(void *cls, const char *op, const struct operand *o, size_t n)
{
    struct frame *f = cls;
    bool named = n > 0 && o[n - 1].type == OPERAND_NAME;
    bool stroke = *op == 'R' || *op == 'K' || *op == 'C' || *op == 'S' || *op == 'G';

    if (((strcmp(op, "rg") == 0 || strcmp(op, "RG") == 0) && n == 3) ||
        ((strcmp(op, "k") == 0 || strcmp(op, "K") == 0) && n == 4))
        set_device(f, o, n, stroke);
    else if ((strcmp(op, "cs") == 0 || strcmp(op, "CS") == 0) && named)
        set_space(f, o[n - 1].bytes, stroke);
    else if (strcmp(op, "sc") == 0 || strcmp(op, "scn") == 0 || strcmp(op, "SC") == 0 ||
             strcmp(op, "SCN") == 0)
        set_colour(f, o, n, stroke);
    else if (strcmp(op, "g") == 0)
        f->now.fill = NULL;
    else if (strcmp(op, "G") == 0)
        f->now.stroke = NULL;
    else if (strcmp(op, "q") == 0)
        save(f);
    else if (strcmp(op, "Q") == 0 && f->n_saved > 0)
        f->now = f->saved[--f->n_saved];
    else if (strcmp(op, "EI") == 0)
        replace_image(f);
    else if (strcmp(op, "Do") == 0 && named)
        use_resource(f, "/XObject", o[n - 1].bytes);
    else if (strcmp(op, "Tf") == 0 && n >= 2 && o[n - 2].type == OPERAND_NAME)
        use_resource(f, "/Font", o[n - 2].bytes);
    return !f->gray->no_memory;
}

bool gray_content(struct gray *gray, struct obj resources, const unsigned char *data, size_t n,
                  struct buf *out)
{
    struct frame f = { .gray = gray, .resources = resources, .data = data, .out = out };

    if (!operators_read_at(data, n, run_operator, &f, &f.place))
        gray->failures++;
    if (f.changed)
        buf_put(out, data + f.copied, n - f.copied);
    gray->no_memory |= out->failed;
    gray->changes += f.changed;
    for (size_t i = 0; i < f.n_names; i++) {
        free(f.names[i].name);
        space_close(&f.names[i].space);
    }
    free(f.saved);
    return f.changed && !out->failed;
}

void gray_stream(struct gray *gray, struct obj stream, struct obj outer)
{
    AUTO_OBJ struct obj own = OBJ_NONE;
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    bool changed;
    size_t n;

    if (gray->depth >= MAX_DEPTH || !obj_is_stream(stream) ||
        idmap_find(&gray->done, obj_id(stream)) != IDMAP_NONE)
        return;
    gray->no_memory |= !idmap_add(&gray->done, obj_id(stream), 0);
    own = obj_key(stream, "/Resources");
    if (!obj_stream_data(stream, &data, &n)) {
        gray->failures++;
        return;
    }
    gray->depth++;
    changed = gray_content(gray, obj_is_dict(own) ? own : outer, data, n, &out);
    gray->depth--;
    if (!changed)
        return;
    obj_remove(stream, "/Filter");
    obj_remove(stream, "/DecodeParms");
    obj_set_stream(stream, buf_text(&out), out.len);
}

void gray_glyphs(struct gray *gray, struct obj font, struct obj outer)
{
    AUTO_OBJ struct obj procs = obj_key(font, "/CharProcs");
    AUTO_OBJ struct obj own = obj_key(font, "/Resources");
    AUTO_KEYS char **keys = obj_is_dict(procs) ? obj_keys(procs) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj glyph = obj_key(procs, keys[i]);

        gray_stream(gray, glyph, obj_is_dict(own) ? own : outer);
    }
}
