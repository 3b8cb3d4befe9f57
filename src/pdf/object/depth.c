#include "pdf/object/depth.h"

#include "base/buf.h"
#include "syntax/pdf/lex.h"

#define MAX_LEVELS 1000 /* sound documents stay below 50 */

/* How many levels are below an object; more than MAX_LEVELS as soon as there are too many. */
static size_t measure_depth(struct depth *d, struct obj obj, size_t level);

/* Where an object's text is read. */
struct measuring {
    struct depth *depth;
    qpdf_data q;
    size_t level;   /* of the object */
    size_t open;    /* arrays and dictionaries that are open there */
    size_t height;  /* of what was read */
    int id, gen;    /* the last two tokens, */
    int n_integers; /* as far as they are integers */
};

static void reach(struct measuring *m, size_t below)
{
    if (m->open + below > m->height)
        m->height = m->open + below;
}

static void follow_reference(struct measuring *m)
{
    size_t known = idmap_find(&m->depth->heights, OBJ_ID(m->id, m->gen));

    if (known == IDMAP_NONE) {
        AUTO_OBJ struct obj obj = obj_by_id(m->q, m->id, m->gen);

        known = measure_depth(m->depth, obj, m->level + m->open);
    }
    reach(m, known);
}

static void see(struct measuring *m, const struct lex_token *token)
{
    switch (token->kind) {
    case LEX_NUMBER:
        m->id = m->gen;
        m->gen = (int) lex_number(token, NULL);
        m->n_integers++;
        return;
    case LEX_ARRAY_BEGIN:
    case LEX_DICT_BEGIN:
        m->open++;
        reach(m, 0);
        break;
    case LEX_ARRAY_END:
    case LEX_DICT_END:
        m->open--;
        break;
    case LEX_WORD:
        if (m->n_integers >= 2 && lex_is(token, "R"))
            follow_reference(m);
        break;
    case LEX_NAME:
    case LEX_STRING:
    case LEX_HEX:
    case LEX_STRAY:
        break;
    }
    m->n_integers = 0;
}

static size_t measure_text(struct depth *d, struct obj obj, size_t level)
{
    AUTO_OBJ struct obj dict = obj_is_stream(obj) ? obj_dict(obj) : obj_same(obj);
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct measuring m = { .depth = d, .q = obj.q, .level = level };
    struct lex_token token;

    buf_puts(&text, obj_value_text(dict)); /* copied: qpdf keeps its text until the next call */
    struct lex lex = { (const unsigned char *) buf_text(&text),
                       (const unsigned char *) buf_text(&text) + text.len };
    if (text.failed)
        return MAX_LEVELS + 1;
    while (m.height <= MAX_LEVELS && lex_next(&lex, &token))
        see(&m, &token);
    return m.height;
}

static size_t measure_depth(struct depth *d, struct obj obj, size_t level)
{
    int64_t id = obj_id(obj);
    size_t known = idmap_find(&d->heights, id), height = 0;

    if (known != IDMAP_NONE)
        return known;
    if (!obj_is_dict(obj) && !obj_is_array(obj) && !obj_is_stream(obj))
        return 0;
    if (level > MAX_LEVELS)
        return MAX_LEVELS + 1;
    if (level > 0 && (obj_key_is(obj, "/Type", "/Page") || obj_key_is(obj, "/Type", "/Pages")))
        return 0;
    /* Met again below itself it counts as nothing: the copy ends there too. */
    idmap_add(&d->heights, id, 0);
    height = measure_text(d, obj, level);
    idmap_set(&d->heights, id, height);
    return height;
}

bool depth_is_safe(struct depth *depth, struct obj obj)
{
    return measure_depth(depth, obj, 0) <= MAX_LEVELS;
}

void depth_free(struct depth *depth)
{
    idmap_free(&depth->heights);
}
