/* walk: runs content streams as far as images and fonts go. See usage.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "compress/usage.h"
#include "pdf/list.h"
#include "pdf/operators.h"

#define MAX_DEPTH     24 /* forms within forms */
#define MAX_SAVED     4096
#define MAX_OPERATORS 40000000 /* in the whole document */
#define MAX_ANCESTORS 64

/* The linear part of a transformation [a b c d]: where something is does not matter. */
struct matrix {
    double a, b, c, d;
};

struct gstate {
    struct matrix ctm;
    size_t font; /* index in the usage, or IDMAP_NONE */
    double size, stretch;
};

struct walk {
    struct usage *usage;
    qpdf_data q;
    size_t operators;
    bool no_memory;
    struct idmap run_index; /* streams that ran, by id */
    struct ran {
        double x, y; /* scales */
        size_t font;
    } * ran;
    size_t n_ran, cap_ran;
};

/* One content stream that runs. */
struct frame {
    struct walk *walk;
    struct obj resources;
    struct matrix base, text;
    struct gstate now, *saved;
    size_t n_saved, cap_saved;
    int depth;
};

static void run_data(struct frame *outer, struct obj resources, const struct matrix *ctm,
                     const unsigned char *data, size_t n);

static struct matrix multiply(const struct matrix *m, const struct matrix *n)
{
    return (struct matrix){ m->a * n->a + m->b * n->c, m->a * n->b + m->b * n->d,
                            m->c * n->a + m->d * n->c, m->c * n->b + m->d * n->d };
}

static struct matrix read_matrix(struct obj holder, const char *key, double unit)
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

    if (f->depth >= MAX_DEPTH || !is_due(f->walk, stream, ctm, f->now.font))
        return;
    resources = obj_key(stream, "/Resources");
    if (!obj_is_dict(resources)) {
        obj_drop(&resources);
        resources = obj_same(f->resources);
    }
    if (!obj_stream_data(stream, &data, &n)) {
        f->walk->usage->partial = true;
        return;
    }
    run_data(f, resources, ctm, data, n);
}

static void run_form(struct frame *f, struct obj form, const struct matrix *ctm)
{
    struct matrix own = read_matrix(form, "/Matrix", 1);
    struct matrix inner = multiply(&own, ctm);

    run_stream(f, form, &inner);
}

static struct obj find_resource(struct frame *f, const char *category, const char *name)
{
    AUTO_OBJ struct obj all = obj_key(f->resources, category);

    return obj_key(all, name);
}

static void show_image(struct frame *f, struct obj image)
{
    static const char *const masks[] = { "/SMask", "/Mask" };
    const struct matrix *m = &f->now.ctm;
    double width = hypot(m->a, m->b), height = hypot(m->c, m->d);

    f->walk->no_memory |= !usage_note_image(f->walk->usage, obj_id(image), width, height, false);
    for (size_t i = 0; i < COUNT(masks); i++) {
        AUTO_OBJ struct obj mask = obj_key(image, masks[i]);

        if (obj_is_stream(mask))
            f->walk->no_memory |=
                !usage_note_image(f->walk->usage, obj_id(mask), width, height, true);
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
        run_form(f, xobject, &f->now.ctm);
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

    if (obj_is_stream(group))
        run_form(f, group, &f->now.ctm);
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

    if (obj_is_stream(pattern))
        run_form(f, pattern, &f->base);
}

/* Every glyph of a Type 3 font, as large as the text at hand. */
static void run_glyphs(struct frame *f, const struct usage_font *font)
{
    AUTO_OBJ struct obj dict = obj_by_id(f->walk->q, OBJ_NUMBER(font->id), OBJ_GEN(font->id));
    AUTO_OBJ struct obj procs = obj_key(dict, "/CharProcs");
    AUTO_OBJ struct obj resources = obj_key(dict, "/Resources");
    AUTO_KEYS char **keys = NULL;
    struct matrix own = read_matrix(dict, "/FontMatrix", 0.001);
    struct matrix scale = { f->now.size * f->now.stretch, 0, 0, f->now.size };
    struct matrix outer = multiply(&f->text, &f->now.ctm), inner;

    if (!obj_key_is(dict, "/Subtype", "/Type3") || !obj_is_dict(procs))
        return;
    scale = multiply(&own, &scale);
    inner = multiply(&scale, &outer);
    if (!is_due(f->walk, dict, &inner, 0))
        return;
    keys = obj_keys(procs);
    f->walk->no_memory |= !keys;
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj glyph = obj_key(procs, keys[i]);
        AUTO_FREE unsigned char *data = NULL;
        size_t n;

        if (obj_is_stream(glyph) && obj_stream_data(glyph, &data, &n))
            run_data(f, obj_is_dict(resources) ? resources : f->resources, &inner, data, n);
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

        f->now.ctm = multiply(&m, &f->now.ctm);
    } else if (strcmp(op, "Tm") == 0) {
        f->text = matrix_of(o, n);
    } else if (strcmp(op, "BT") == 0) {
        f->text = (struct matrix){ 1, 0, 0, 1 };
    } else if (strcmp(op, "Tz") == 0) {
        f->now.stretch = operators_number(o, n, 0) / 100;
    }
}

static bool run_operator(void *cls, const char *op, const struct operand *o, size_t n)
{
    struct frame *f = cls;
    bool named = n > 0 && o[n - 1].type == OPERAND_NAME;

    if (++f->walk->operators > MAX_OPERATORS || f->walk->no_memory)
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
    } else {
        run_state(f, op, o, n);
    }
    return true;
}

static void run_data(struct frame *outer, struct obj resources, const struct matrix *ctm,
                     const unsigned char *data, size_t n)
{
    struct frame f = { .walk = outer->walk,
                       .resources = resources,
                       .base = *ctm,
                       .text = { 1, 0, 0, 1 },
                       .now = outer->now,
                       .depth = outer->depth + 1 };

    f.now.ctm = *ctm;
    if (!operators_read(data, n, run_operator, &f))
        f.walk->usage->partial = true;
    free(f.saved);
}

/* A page's own or inherited dictionary (7.7.3.4). */
static struct obj inherited(struct obj page, const char *key)
{
    AUTO_OBJ struct obj node = obj_same(page);

    for (int i = 0; i < MAX_ANCESTORS && obj_is_dict(node) && !obj_has(node, key); i++) {
        struct obj parent = obj_key(node, "/Parent");

        obj_drop(&node);
        node = parent;
    }
    return obj_key(node, key);
}

static bool read_box(struct obj holder, const char *key, double *width, double *height)
{
    AUTO_OBJ struct obj box = obj_key(holder, key);
    double v[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(box, i);

        if (!obj_is_number(item, &v[i]))
            return false;
    }
    *width = fabs(v[2] - v[0]);
    *height = fabs(v[3] - v[1]);
    return *width > 0 && *height > 0;
}

/* An appearance stream fills the annotation's rectangle (12.5.5, algorithm 8). */
static void run_appearance(struct frame *f, struct obj annot, struct obj form)
{
    struct matrix own = read_matrix(form, "/Matrix", 1), scale = { 1, 0, 0, 1 }, ctm;
    double width, height, box_width, box_height;

    if (read_box(annot, "/Rect", &width, &height) &&
        read_box(form, "/BBox", &box_width, &box_height)) {
        double x = fabs(own.a) * box_width + fabs(own.c) * box_height;
        double y = fabs(own.b) * box_width + fabs(own.d) * box_height;

        scale = (struct matrix){ x > 0 ? width / x : 1, 0, 0, y > 0 ? height / y : 1 };
    }
    ctm = multiply(&scale, &f->base);
    run_form(f, form, &ctm);
}

static void run_annotations(struct frame *f, struct obj page)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    int n = obj_count(annots);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);
        AUTO_OBJ struct obj all = obj_key(annot, "/AP");

        for (size_t k = 0; k < COUNT(kinds); k++) {
            AUTO_OBJ struct obj appearance = obj_key(all, kinds[k]);
            AUTO_KEYS char **states = NULL;

            if (obj_is_stream(appearance)) {
                run_appearance(f, annot, appearance);
                continue;
            }
            states = obj_keys(appearance);
            for (size_t s = 0; states && states[s]; s++) {
                AUTO_OBJ struct obj state = obj_key(appearance, states[s]);

                if (obj_is_stream(state))
                    run_appearance(f, annot, state);
            }
        }
    }
}

static void run_page(struct walk *w, struct obj page)
{
    AUTO_OBJ struct obj resources = inherited(page, "/Resources");
    AUTO_OBJ struct obj unit = obj_key(page, "/UserUnit");
    AUTO_FREE unsigned char *data = NULL;
    double scale = 1;
    size_t n;
    struct frame f = { .walk = w,
                       .resources = resources,
                       .now = { .font = IDMAP_NONE, .stretch = 1 } };

    if (!obj_is_number(unit, &scale) || !(scale > 0))
        scale = 1;
    f.base = f.now.ctm = (struct matrix){ scale, 0, 0, scale };
    if (obj_page_content(page, &data, &n))
        run_data(&f, resources, &f.base, data, n);
    else
        w->usage->partial = true;
    run_annotations(&f, page);
}

int usage_read(struct usage *usage, struct pdf_doc *doc, usage_progress *progress, void *cls,
               struct err *err)
{
    struct walk w = { .usage = usage, .q = doc->q };

    *usage = (struct usage){ 0 };
    for (size_t i = 0; i < doc->n_pages && !w.no_memory; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        run_page(&w, page);
        progress(cls, (double) i / (double) doc->n_pages);
    }
    free(w.ran);
    idmap_free(&w.run_index);
    return w.no_memory ? pdf_no_memory(err) : 0;
}
