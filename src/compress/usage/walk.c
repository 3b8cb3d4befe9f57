#include "compress/usage/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/operators.h"

#define MAX_DEPTH 24 /* forms within forms */
#define MAX_SAVED 4096

/* Units of effort (base/effort.h). */
#define OPERATOR 250.0
#define BYTE     4.0     /* of a stream that is unpacked and read */
#define STREAM   20000.0 /* any, however short */
#define LOOK_UP  5000.0  /* a resource is looked up by its name */

struct matrix walk_multiply(const struct matrix *m, const struct matrix *n)
{
    return (struct matrix){ m->a * n->a + m->b * n->c, m->a * n->b + m->b * n->d,
                            m->c * n->a + m->d * n->c, m->c * n->b + m->d * n->d };
}

struct matrix walk_matrix(struct obj holder, const char *key, double unit)
{
    AUTO_OBJ struct obj array = obj_key(holder, key);
    double v[4] = { unit, 0, 0, unit };

    for (int i = 0; i < 4 && obj_count(array) == 6; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        if (!obj_is_number(item, &v[i]))
            v[i] = 0;
    }
    return (struct matrix){ v[0], v[1], v[2], v[3] };
}

/* Interprets form XObjects again if they are larger than before: nested calls would do so
 * endlessly. False: the budget is used up, and further uses are unknown. */
static bool spend(struct walk *w, double units)
{
    if (effort_spend(units))
        return true;
    w->usage->partial = true;
    return false;
}

/* Whether the stream is to run: for the first time, or larger, or in another font than before. */
static bool is_due(struct walk *w, struct obj stream, const struct matrix *m, size_t font)
{
    int64_t id = obj_id(stream);
    size_t i = idmap_find(&w->run_index, id);
    double x = hypot(m->a, m->b), y = hypot(m->c, m->d);
    struct ran *ran;

    if (i == IDMAP_NONE) {
        w->no_memory |=
            !LIST_ROOM(w->ran, w->n_ran, w->cap_ran) || !idmap_add(&w->run_index, id, w->n_ran);
        if (w->no_memory)
            return false;
        w->ran[w->n_ran++] = (struct ran){ x, y, font };
        return true;
    }
    ran = &w->ran[i];
    if (x <= ran->x * 1.01 && y <= ran->y * 1.01 && font == ran->font)
        return false;
    *ran = (struct ran){ fmax(x, ran->x), fmax(y, ran->y), font };
    return true;
}

/* A form, pattern or glyph, with `ctm` where its own matrix is in it already. */
static void run_stream(struct frame *f, struct obj stream, const struct matrix *ctm)
{
    AUTO_OBJ struct obj resources = OBJ_NONE;
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (f->depth >= MAX_DEPTH) {
        f->walk->usage->partial = true;
        return;
    }
    f->walk->no_memory |= !usage_note_scale(f->walk->usage, obj_id(stream),
                                            fmax(hypot(ctm->a, ctm->b), hypot(ctm->c, ctm->d)));
    resources = obj_key(stream, "/Resources");
    /* it uses the resources around it, which may differ every time */
    if (!obj_is_dict(resources)) {
        obj_drop(&resources);
        resources = obj_same(f->resources);
    } else if (!is_due(f->walk, stream, ctm, f->now.font)) {
        return;
    }
    if (obj_has(stream, "/Resources"))
        f->walk->no_memory |= !usage_note_holder(f->walk->usage, obj_id(stream));
    if (!spend(f->walk, STREAM))
        return;
    if (!obj_stream_data(stream, &data, &n)) {
        f->walk->usage->partial = true;
        return;
    }
    walk_data(f, resources, ctm, data, n);
}

void walk_form(struct frame *f, struct obj form, const struct matrix *ctm)
{
    struct matrix own = walk_matrix(form, "/Matrix", 1);
    struct matrix inner = walk_multiply(&own, ctm);

    run_stream(f, form, &inner);
}

static struct obj find_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj all = obj_key(f->resources, category);
    AUTO_OBJ struct obj found = obj_key(all, name);
    int64_t id = obj_is_indirect(found) ? obj_id(found) : 0;

    spend(f->walk, LOOK_UP);
    /* A name that is not there may be found in resources further out: it counts everywhere. */
    f->walk->no_memory |=
        !usage_note_drawn(f->walk->usage, id ? id : usage_name_key(category, name));
    return obj_same(found);
}

/* A name that only has to be there. */
static void note_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj found = find_resource(f, category, name);

    (void) found;
}

/* A rendering intent (8.6.5.8) that an image or a graphics state asks for. */
static void note_intent(struct frame *f, struct obj holder, const char *key)
{
    if (obj_has(holder, key) && !obj_key_is(holder, key, "/RelativeColorimetric"))
        f->walk->usage->intents = true;
}

/* An image, or the mask of one, that covers this share of the page. */
static void note_image(struct frame *f, const struct usage_image *use, double share)
{
    f->walk->no_memory |=
        !usage_note_image(f->walk->usage, use) || !usage_note_share(f->walk->usage, use->id, share);
}

static bool has_one_bit(struct obj image)
{
    AUTO_OBJ struct obj stencil = obj_key(image, "/ImageMask");
    long long bits;
    bool yes;

    return (obj_is_bool(stencil, &yes) && yes) ||
           (obj_key_int(image, "/BitsPerComponent", &bits) && bits == 1);
}

static void show_image(struct frame *f, struct obj image)
{
    static const char *const masks[] = { "/SMask", "/Mask" };
    const struct matrix *m = &f->now.ctm;
    double area = fabs(m->a * m->d - m->b * m->c), page = f->walk->page_area;
    struct usage_image use = { .id = obj_id(image),
                               .width = hypot(m->a, m->b),
                               .height = hypot(m->c, m->d) };

    note_intent(f, image, "/Intent");
    note_image(f, &use, has_one_bit(image) ? 0 : area < page ? area / page : 1);
    use.mask = true;
    for (size_t i = 0; i < COUNT(masks); i++) {
        AUTO_OBJ struct obj mask = obj_key(image, masks[i]);

        use.id = obj_is_stream(mask) ? obj_id(mask) : 0;
        note_image(f, &use, 0);
    }
}

static void show_xobject(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj xobject = find_resource(f, "/XObject", name);

    if (!obj_is_stream(xobject))
        return;
    if (obj_key_is(xobject, "/Subtype", "/Image"))
        show_image(f, xobject);
    else if (obj_key_is(xobject, "/Subtype", "/Form"))
        walk_form(f, xobject, &f->now.ctm);
}

static void set_font(struct frame *f, struct obj font, double size)
{
    f->now.font = IDMAP_NONE;
    f->now.size = size;
    if (!obj_is_dict(font))
        return;
    f->walk->no_memory |= !usage_note_font(f->walk->usage, font, &f->now.font);
}

static void set_gstate(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj gstate = find_resource(f, "/ExtGState", name);
    AUTO_OBJ struct obj mask = obj_key(gstate, "/SMask");
    AUTO_OBJ struct obj group = obj_key(mask, "/G");
    AUTO_OBJ struct obj font = obj_key(gstate, "/Font");

    note_intent(f, gstate, "/RI");
    if (obj_is_stream(group))
        walk_form(f, group, &f->now.ctm);
    if (obj_count(font) == 2) {
        AUTO_OBJ struct obj dict = obj_item(font, 0);
        AUTO_OBJ struct obj number = obj_item(font, 1);
        double size = 0;

        obj_is_number(number, &size);
        set_font(f, dict, size);
    }
}

static void set_pattern(struct frame *f, const char *name)
{
    AUTO_OBJ struct obj pattern = find_resource(f, "/Pattern", name);
    AUTO_OBJ struct obj gstate = obj_key(pattern, "/ExtGState");
    AUTO_OBJ struct obj mask = obj_key(gstate, "/SMask");
    AUTO_OBJ struct obj group = obj_key(mask, "/G");

    if (obj_is_stream(group)) /* of a shading pattern */
        walk_form(f, group, &f->base);

    if (obj_is_stream(pattern))
        walk_form(f, pattern, &f->base);
}

/* Every glyph of a Type 3 font, as large as the text at hand. */
static void run_glyphs(struct frame *f, const struct usage_font *font)
{
    AUTO_OBJ struct obj dict = obj_by_id(f->walk->q, OBJ_NUMBER(font->id), OBJ_GEN(font->id));
    AUTO_OBJ struct obj procs = obj_key(dict, "/CharProcs");
    AUTO_OBJ struct obj resources = obj_key(dict, "/Resources");
    AUTO_KEYS char **keys = NULL;
    struct matrix own = walk_matrix(dict, "/FontMatrix", 0.001);
    struct matrix scale = { f->now.size * f->now.stretch, 0, 0, f->now.size };
    struct matrix outer = walk_multiply(&f->text, &f->now.ctm), inner;

    if (!obj_key_is(dict, "/Subtype", "/Type3") || !obj_is_dict(procs))
        return;
    scale = walk_multiply(&own, &scale);
    inner = walk_multiply(&scale, &outer);
    if (!is_due(f->walk, dict, &inner, 0))
        return;
    keys = obj_keys(procs);
    f->walk->no_memory |= !keys;
    if (obj_is_dict(resources))
        f->walk->no_memory |= !usage_note_holder(f->walk->usage, font->id);
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj glyph = obj_key(procs, keys[i]);
        AUTO_FREE unsigned char *data = NULL;
        size_t n;

        if (!obj_is_stream(glyph) || !spend(f->walk, STREAM))
            continue;
        if (!obj_stream_data(glyph, &data, &n))
            f->walk->usage->partial = true;
        else
            walk_data(f, obj_is_dict(resources) ? resources : f->resources, &inner, data, n);
    }
}

static void show_text(struct frame *f, const struct operand *operands, size_t n)
{
    struct usage_font *font;

    if (f->now.font == IDMAP_NONE)
        return;
    font = &f->walk->usage->fonts[f->now.font];
    for (size_t i = 0; i < n; i++)
        if (operands[i].type == OPERAND_STRING)
            usage_note_text(font, operands[i].bytes, operands[i].n);
    run_glyphs(f, font);
}

static void save(struct frame *f)
{
    if (f->n_saved >= MAX_SAVED || !LIST_ROOM(f->saved, f->n_saved, f->cap_saved))
        f->walk->usage->partial = true;
    else
        f->saved[f->n_saved++] = f->now;
}

static struct matrix matrix_of(const struct operand *o, size_t n)
{
    return (struct matrix){ operators_number(o, n, 0), operators_number(o, n, 1),
                            operators_number(o, n, 2), operators_number(o, n, 3) };
}

static void run_state(struct frame *f, const char *op, const struct operand *o, size_t n)
{
    if (strcmp(op, "q") == 0) {
        save(f);
    } else if (strcmp(op, "Q") == 0) {
        if (f->n_saved > 0)
            f->now = f->saved[--f->n_saved];
    } else if (strcmp(op, "cm") == 0) {
        struct matrix m = matrix_of(o, n);

        f->now.ctm = walk_multiply(&m, &f->now.ctm);
    } else if (strcmp(op, "Tm") == 0) {
        f->text = matrix_of(o, n);
    } else if (strcmp(op, "BT") == 0) {
        f->text = (struct matrix){ 1, 0, 0, 1 };
    } else if (strcmp(op, "Tz") == 0) {
        f->now.stretch = operators_number(o, n, 0) / 100;
    }
}

static bool run_operator(void *arg, const char *op, const struct operand *o, size_t n)
{
    struct frame *f = arg;
    bool named = n > 0 && o[n - 1].type == OPERAND_NAME;

    if (!spend(f->walk, OPERATOR) || f->walk->no_memory)
        return false;
    if (strcmp(op, "Tj") == 0 || strcmp(op, "TJ") == 0 || strcmp(op, "'") == 0 ||
        strcmp(op, "\"") == 0) {
        show_text(f, o, n);
    } else if (strcmp(op, "Tf") == 0 && n >= 2 && o[n - 2].type == OPERAND_NAME) {
        AUTO_OBJ struct obj font = find_resource(f, "/Font", o[n - 2].bytes);

        set_font(f, font, operators_number(o, n, n - 1));
    } else if (strcmp(op, "Do") == 0 && named) {
        show_xobject(f, o[n - 1].bytes);
    } else if (strcmp(op, "gs") == 0 && named) {
        set_gstate(f, o[n - 1].bytes);
    } else if ((strcmp(op, "scn") == 0 || strcmp(op, "SCN") == 0) && named) {
        set_pattern(f, o[n - 1].bytes);
    } else if ((strcmp(op, "cs") == 0 || strcmp(op, "CS") == 0) && named) {
        note_resource(f, "/ColorSpace", o[n - 1].bytes);
    } else if (strcmp(op, "sh") == 0 && named) {
        note_resource(f, "/Shading", o[n - 1].bytes);
    } else if (strcmp(op, "ri") == 0 && named) {
        f->walk->usage->intents |= strcmp(o[n - 1].bytes, "/RelativeColorimetric") != 0;
    } else if (strcmp(op, "EI") == 0) {
        f->walk->usage->inline_image = true;
    } else {
        run_state(f, op, o, n);
    }
    return true;
}

void walk_data(struct frame *outer, struct obj resources, const struct matrix *ctm,
               const unsigned char *data, size_t n)
{
    struct frame f = { .walk = outer->walk,
                       .resources = resources,
                       .base = *ctm,
                       .text = { 1, 0, 0, 1 },
                       .now = outer->now,
                       .depth = outer->depth + 1 };

    f.now.ctm = *ctm;
    if (!spend(f.walk, BYTE * (double) n))
        return;
    if (!operators_read(data, n, run_operator, &f))
        f.walk->usage->partial = true;
    free(f.saved);
}
