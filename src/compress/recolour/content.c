/* content: content streams whose colours are by a profile say them by sRGB, or gray. See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/list.h"
#include "base/scope.h"
#include "compress/gray/space.h"
#include "compress/recolour/part.h"
#include "pdf/content/operators.h"
#include "pdf/object/page_view.h"

#define MAX_SAVED 4096

/* Units of effort (base/effort.h). */
#define OPERATOR 250.0
#define BYTE     4.0
#define COLOUR   2000.0

enum painting {
    BY_OTHER,      /* by a space that stays */
    BY_PROFILE,    /* by one that is converted */
    BY_WHAT_CALLS, /* by whatever it was where this content is drawn */
};

struct paint {
    enum painting by;
    size_t profile;
    bool said; /* a colour of it, by the intent that was in force */
};

struct state {
    struct paint fill, stroke;
    enum icc_intent intent;
    bool own_intent; /* else it is of what calls the content, probably the usual one */
};

struct frame {
    struct recolour *r;
    struct obj resources; /* or OBJ_NONE */
    const unsigned char *data;
    struct operators_place place;
    size_t copied; /* input up to this offset is in `out` */
    struct buf out;
    bool changed;
    struct state now, *saved;
    size_t n_saved, cap_saved;
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

/* Writes a colour instead of the current operator. */
static void put_colour(struct frame *f, const struct paint *paint, const double *colour,
                       bool stroke)
{
    const struct recolour_profile *profile = &f->r->profiles[paint->profile];
    double rgb[3];

    if (!effort_spend(COLOUR) ||
        !icc_convert_colour(profile->convert, f->now.intent, colour, rgb)) {
        f->r->fails = true;
        return;
    }
    buf_put(&f->out, f->data + f->copied, f->place.begin - f->copied);
    if (profile->channels == 1) {
        space_put_level(&f->out, rgb[1]);
        buf_puts(&f->out, stroke ? "G" : "g");
    } else {
        for (size_t i = 0; i < 3; i++)
            space_put_level(&f->out, rgb[i]);
        buf_puts(&f->out, stroke ? "RG" : "rg");
    }
    f->copied = f->place.end;
    f->changed = true;
    f->r->taken_over |= !f->now.own_intent;
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

static void set_space(struct frame *f, const char *name, bool stroke)
{
    static const double first[ICC_CONVERT_CHANNELS] = { 0 };
    AUTO_OBJ struct obj space = find_resource(f, "/ColorSpace", name);
    struct paint *paint = stroke ? &f->now.stroke : &f->now.fill;
    size_t profile = space.q ? recolour_profile_of(f->r, space) : IDMAP_NONE;

    *paint = (struct paint){ .by = BY_OTHER };
    if (!is_device(name) && (!space.q || obj_is_null(space)))
        f->r->fails = true;
    if (profile == IDMAP_NONE)
        return;
    *paint = (struct paint){ BY_PROFILE, profile, false };
    put_colour(f, paint, first, stroke);
}

static void set_colour(struct frame *f, const struct operand *o, size_t n, bool stroke)
{
    struct paint *paint = stroke ? &f->now.stroke : &f->now.fill;
    double colour[ICC_CONVERT_CHANNELS] = { 0 };
    size_t channels;

    if (paint->by != BY_PROFILE) {
        f->r->fails |= paint->by == BY_WHAT_CALLS && !(n > 0 && o[n - 1].type == OPERAND_NAME);
        return;
    }
    channels = f->r->profiles[paint->profile].channels;
    if (n != channels) {
        f->r->fails = true;
        return;
    }
    for (size_t i = 0; i < channels; i++) {
        f->r->fails |= o[i].type != OPERAND_NUMBER;
        colour[i] = operators_number(o, n, i);
    }
    paint->said = true;
    put_colour(f, paint, colour, stroke);
}

/* Colours that were said before would be converted by the new intent. */
static void set_intent(struct frame *f, const char *name)
{
    enum icc_intent intent = recolour_intent(name);

    f->r->other_intent |= intent != ICC_RELATIVE;
    f->r->fails |= intent != f->now.intent && (f->now.fill.said || f->now.stroke.said);
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
static void show_image(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj image = find_resource(f, "/XObject", name);
    int64_t id = image.q && obj_is_stream(image) ? obj_id(image) : 0;
    size_t before;

    if (!id || !obj_key_is(image, "/Subtype", "/Image") || obj_has(image, "/Intent"))
        return;
    before = idmap_find(&f->r->intents, id);
    f->r->fails |= before != IDMAP_NONE && before != (size_t) f->now.intent;
    f->r->no_memory |= !idmap_add(&f->r->intents, id, (size_t) f->now.intent);
    f->r->taken_over |= !f->now.own_intent;
}

/* Whether an inline image names a space of the resources by a profile that is converted: it would
 * be left. */
static void check_inline(struct frame *f)
{
    AUTO_OBJ struct obj spaces = f->resources.q ? obj_key(f->resources, "/ColorSpace") : OBJ_NONE;
    AUTO_KEYS char **keys = spaces.q && obj_is_dict(spaces) ? obj_keys(spaces) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj space = obj_key(spaces, keys[i]);

        f->r->fails |= recolour_profile_of(f->r, space) != IDMAP_NONE &&
                       memmem(f->data + f->place.begin, f->place.image - f->place.begin, keys[i],
                              strlen(keys[i]));
    }
}

static void save(struct frame *f)
{
    if (f->n_saved < MAX_SAVED && LIST_ROOM(f->saved, f->n_saved, f->cap_saved))
        f->saved[f->n_saved++] = f->now;
    else
        f->r->fails = true;
}

static bool run_operator(void *cls, const char *op, const struct operand *o, size_t n)
{
    struct frame *f = cls;
    bool named = n > 0 && o[n - 1].type == OPERAND_NAME;

    if (!effort_spend(OPERATOR))
        f->r->fails = true;
    if ((strcmp(op, "cs") == 0 || strcmp(op, "CS") == 0) && named)
        set_space(f, o[n - 1].bytes, *op == 'C');
    else if (strcmp(op, "sc") == 0 || strcmp(op, "scn") == 0)
        set_colour(f, o, n, false);
    else if (strcmp(op, "SC") == 0 || strcmp(op, "SCN") == 0)
        set_colour(f, o, n, true);
    else if (strcmp(op, "g") == 0 || strcmp(op, "rg") == 0 || strcmp(op, "k") == 0)
        f->now.fill = (struct paint){ .by = BY_OTHER };
    else if (strcmp(op, "G") == 0 || strcmp(op, "RG") == 0 || strcmp(op, "K") == 0)
        f->now.stroke = (struct paint){ .by = BY_OTHER };
    else if (strcmp(op, "q") == 0)
        save(f);
    else if (strcmp(op, "Q") == 0 && f->n_saved > 0)
        f->now = f->saved[--f->n_saved];
    else if (strcmp(op, "ri") == 0 && named)
        set_intent(f, o[n - 1].bytes);
    else if (strcmp(op, "gs") == 0 && named)
        set_gstate(f, o[n - 1].bytes);
    else if (strcmp(op, "Do") == 0 && named)
        show_image(f, o[n - 1].bytes);
    else if (strcmp(op, "EI") == 0)
        check_inline(f);
    return !f->r->fails && !f->r->no_memory;
}

static bool is_equal(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && memcmp(buf_text(a), buf_text(b), a->len) == 0;
}

/* Keeps what becomes of a stream or page; with other resources it must become the same. */
static void note_edit(struct frame *f, int64_t id, bool page)
{
    struct recolour *r = f->r;
    size_t before = page ? IDMAP_NONE : idmap_find(&r->read, id);
    const struct buf none = BUF_EMPTY;

    r->no_memory |= f->out.failed;
    if (before != IDMAP_NONE) {
        r->fails |= !is_equal(before == 0 ? &none : &r->edits[before - 1].data, &f->out);
        return;
    }
    if (f->changed) {
        if (!LIST_ROOM(r->edits, r->n_edits, r->cap_edits)) {
            r->no_memory = true;
            return;
        }
        r->edits[r->n_edits++] = (struct recolour_edit){ id, page, f->out };
        f->out = BUF_EMPTY;
    }
    if (!page)
        r->no_memory |= !idmap_add(&r->read, id, f->changed ? r->n_edits : 0);
}

/* `first`: the state at its begin; `page`: the id is of a page, and the data of all its streams. */
static void read_data(struct recolour *r, struct obj resources, const struct state *first,
                      int64_t id, bool page, const unsigned char *data, size_t n)
{
    struct frame f = { .r = r, .resources = resources, .data = data, .now = *first };

    if (!effort_spend(BYTE * (double) n) || !operators_read_at(data, n, run_operator, &f, &f.place))
        r->fails = true;
    if (f.changed)
        buf_put(&f.out, data + f.copied, n - f.copied);
    if (!r->fails)
        note_edit(&f, id, page);
    buf_free(&f.out);
    free(f.saved);
}

static void read_stream(struct recolour *r, struct obj stream, struct obj resources, bool is_page)
{
    static const struct state page = { .intent = ICC_RELATIVE, .own_intent = true };
    static const struct state called = { .fill = { .by = BY_WHAT_CALLS },
                                         .stroke = { .by = BY_WHAT_CALLS },
                                         .intent = ICC_RELATIVE };
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_stream_data(stream, &data, &n))
        r->fails = true;
    else
        read_data(r, resources, is_page ? &page : &called, obj_id(stream), false, data, n);
}

static void read_page(struct recolour *r, struct obj page)
{
    static const struct state first = { .intent = ICC_RELATIVE, .own_intent = true };
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj only = obj_item(contents, 0);
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (obj_is_null(contents))
        return;
    if (obj_is_stream(contents) || obj_count(contents) == 1)
        read_stream(r, obj_is_stream(contents) ? contents : only, resources, true);
    else if (!obj_page_content(page, &data, &n))
        r->fails = true;
    else
        read_data(r, resources, &first, obj_id(page), true, data, n);
}

/* Forms, patterns and glyphs. */
static void read_any(struct recolour *r, struct obj obj)
{
    AUTO_OBJ struct obj resources = obj_key(obj, "/Resources");
    AUTO_OBJ struct obj procs = obj_key(obj, "/CharProcs");
    AUTO_KEYS char **keys = NULL;
    long long kind = 0;

    if (obj_is_stream(obj)) {
        if (obj_key_is(obj, "/Subtype", "/Form") ||
            (obj_key_int(obj, "/PatternType", &kind) && kind == 1))
            read_stream(r, obj, resources, false);
        return;
    }
    keys = obj_is_dict(procs) && obj_key_is(obj, "/Subtype", "/Type3") ? obj_keys(procs) : NULL;
    for (size_t i = 0; keys && keys[i] && !r->fails; i++) {
        AUTO_OBJ struct obj glyph = obj_key(procs, keys[i]);

        if (obj_is_stream(glyph))
            read_stream(r, glyph, resources, false);
    }
}

void recolour_read_content(struct recolour *r)
{
    for (size_t i = 0; i < r->doc->n_pages && !r->fails && !r->no_memory; i++) {
        AUTO_OBJ struct obj page = obj_page(r->q, i);

        read_page(r, page);
    }
    for (size_t i = 0; i < r->n_streams && !r->fails && !r->no_memory; i++) {
        AUTO_OBJ struct obj obj =
            obj_by_id(r->q, OBJ_NUMBER(r->streams[i]), OBJ_GEN(r->streams[i]));

        read_any(r, obj);
    }
    /* Which intent content has that is drawn by other content is not known. */
    r->fails |= r->other_intent && (r->taken_over || r->mapped);
}
