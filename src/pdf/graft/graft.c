#include "pdf/graft/graft.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

/* How deep qpdf may recurse, counting direct containers too: a frame of its takes some 500 bytes.
 */
#define MAX_DEPTH 3000
#define FORGET    64 /* objects after which the handles are released: qpdf searches among them */

struct frame {
    uint32_t object;
    uint32_t next;
    uint32_t depth;
};

struct path {
    struct frame *frames;
    size_t n, cap;
};

static int out_of_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs more memory than a job may use");
}

static int grow_array(void *array, size_t *cap, size_t n, size_t size, struct err *err)
{
    void **p = array;

    if (n < *cap)
        return 0;
    size_t more = *cap ? *cap * 2 : 256;
    void *moved = more < UINT32_MAX ? reallocarray(*p, more, size) : NULL;
    if (!moved)
        return out_of_memory(err);
    *p = moved;
    *cap = more;
    return 0;
}

static int64_t key_of(int id, int gen)
{
    return (int64_t) id << 20 | gen;
}

/* The index of an object, which is added if it is new. */
static int find_or_add(struct graft *g, int id, int gen, uint32_t *index, struct err *err)
{
    int64_t at;

    if (key_map_find_id(&g->index, key_of(id, gen), &at)) {
        *index = (uint32_t) at;
        return 0;
    }
    if (grow_array(&g->objects, &g->cap_objects, g->n_objects, sizeof *g->objects, err) < 0)
        return -1;
    key_map_put_id(&g->index, key_of(id, gen), (int64_t) g->n_objects);
    if (g->index.failed)
        return out_of_memory(err);
    g->objects[g->n_objects] = (struct graft_object){ .id = id, .gen = gen };
    *index = (uint32_t) g->n_objects++;
    return 0;
}

static struct obj object_of(struct graft *g, size_t index)
{
    return obj_by_id(g->from, g->objects[index].id, g->objects[index].gen);
}

static const char *text_of(struct obj object, bool is_stream, size_t *n)
{
    const char *text;

    if (is_stream) {
        qpdf_oh dict = qpdf_oh_get_dict(object.q, object.oh);
        text = qpdf_oh_unparse_resolved(object.q, dict);
        *n = strlen(text);
        qpdf_oh_release(object.q, dict);
        return text;
    }
    text = qpdf_oh_unparse_resolved(object.q, object.oh);
    *n = strlen(text);
    return text;
}

const char *graft_object_text(struct graft *graft, size_t index, size_t *n)
{
    AUTO_OBJ struct obj object = object_of(graft, index);

    return text_of(object, graft->objects[index].stream, n);
}

static int keep_refs(struct graft *g, uint32_t index, struct err *err)
{
    const struct graft_text *text = &g->text;
    size_t first = g->n_refs;

    for (size_t i = 0; i < text->n_refs; i++) {
        const struct graft_ref *ref = &text->refs[i];
        uint32_t to;

        if (find_or_add(g, ref->id, ref->gen, &to, err) < 0 ||
            grow_array(&g->refs, &g->cap_refs, g->n_refs, sizeof *g->refs, err) < 0)
            return -1;
        /* What an appearance dictionary refers to are appearances; what a stream does are not. */
        if (ref->appearance || (g->objects[index].appearance && !g->objects[index].stream))
            g->objects[to].appearance = true;
        g->refs[g->n_refs++] = (struct graft_edge){ to, ref->depth };
    }
    g->objects[index].first_ref = first;
    g->objects[index].n_refs = (uint32_t) (g->n_refs - first);
    return 0;
}

/* Reads a new object, after the visitor has had it. */
static int read_new_object(struct graft *g, uint32_t index, struct err *err)
{
    AUTO_OBJ struct obj object = object_of(g, index);
    bool is_stream = obj_is_stream(object);
    size_t n;
    const char *text = text_of(object, is_stream, &n);

    graft_text_read(&g->text, text, n);
    if (g->visit && g->text.marks & g->marks && !(g->text.marks & GRAFT_PAGE)) {
        g->visit(g->arg, object, g->text.marks);
        text = text_of(object, is_stream, &n);
        graft_text_read(&g->text, text, n);
    }
    if (g->text.failed)
        return out_of_memory(err);
    struct graft_object *o = &g->objects[index];
    o->marks = (uint16_t) g->text.marks;
    o->stream = is_stream;
    if (g->text.marks & GRAFT_PAGE) {
        o->state = GRAFT_SKIPPED;
        return 0;
    }
    o->state = GRAFT_OPEN;
    o->closed = !(g->text.marks & GRAFT_LONER);
    return keep_refs(g, index, err);
}

static int push(struct graft *g, struct path *path, uint32_t index, uint32_t depth, struct err *err)
{
    if (read_new_object(g, index, err) < 0)
        return -1;
    if (g->objects[index].state == GRAFT_SKIPPED)
        return 0;
    if (grow_array(&path->frames, &path->cap, path->n, sizeof *path->frames, err) < 0)
        return -1;
    /* grow_array() gave them: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    path->frames[path->n++] = (struct frame){ index, 0, depth };
    return 0;
}

static int cut(struct graft *g, uint32_t index, struct err *err)
{
    if (grow_array(&g->cuts, &g->cap_cuts, g->n_cuts, sizeof *g->cuts, err) < 0)
        return -1;
    g->objects[index].state = GRAFT_CUT;
    g->cuts[g->n_cuts++] = index;
    return 0;
}

static int finish_path(struct graft *g, struct path *path, struct err *err)
{
    uint32_t index = path->frames[--path->n].object;

    if (grow_array(&g->order, &g->cap_order, g->n_order, sizeof *g->order, err) < 0)
        return -1;
    g->order[g->n_order++] = index;
    g->objects[index].state = GRAFT_DONE;
    if (path->n > 0 && !g->objects[index].closed)
        g->objects[path->frames[path->n - 1].object].closed = false;
    return 0;
}

/* Follows the next reference of the path's last object, or ends it. */
static int step_path(struct graft *g, struct path *path, struct err *err)
{
    struct frame *top = &path->frames[path->n - 1];
    uint32_t from = top->object;

    if (top->next == g->objects[from].n_refs)
        return finish_path(g, path, err);
    const struct graft_edge *edge = &g->refs[g->objects[from].first_ref + top->next++];
    uint32_t to = edge->to, depth = top->depth + edge->depth + 1;
    if (g->objects[to].state == GRAFT_NEW) {
        if ((depth <= MAX_DEPTH ? push(g, path, to, depth, err) : cut(g, to, err)) < 0)
            return -1;
        if (g->objects[to].state == GRAFT_OPEN)
            return 0; /* what it is shows when it is done */
    }
    if (g->objects[to].state != GRAFT_DONE || !g->objects[to].closed)
        g->objects[from].closed = false;
    return 0;
}

static int walk_objects(struct graft *g, uint32_t root, struct err *err)
{
    struct path path = { 0 };
    size_t n_read = g->n_order;
    int done = push(g, &path, root, 0, err);

    while (done == 0 && path.n > 0) {
        done = step_path(g, &path, err);
        if (g->n_order > n_read + FORGET) {
            obj_forget_all(g->from);
            n_read = g->n_order;
        }
    }
    free(path.frames);
    return done;
}

/* An object that was cut out: what it held lies in an array of its own meanwhile. */
struct shell {
    uint32_t object;
    char **keys; /* NULL for an array */
    int held;    /* number of the array, in the source; 0: there was nothing to hold */
};

static bool stays(const char *key)
{
    return strcmp(key, "/Length") == 0 || strcmp(key, "/Filter") == 0 ||
           strcmp(key, "/DecodeParms") == 0;
}

static int empty(struct graft *g, struct shell *shell, struct err *err)
{
    AUTO_OBJ struct obj object = object_of(g, shell->object);
    AUTO_OBJ struct obj array = obj_new_array(g->from);
    AUTO_OBJ struct obj held = obj_indirect(array);

    if (obj_is_array(object)) {
        for (int i = 0; i < obj_count(object); i++) {
            AUTO_OBJ struct obj item = obj_item(object, i);
            obj_append(held, item);
        }
        for (int i = obj_count(object); i > 0; i--)
            qpdf_oh_erase_item(g->from, object.oh, i - 1);
    } else if (obj_is_dict(object) || obj_is_stream(object)) {
        shell->keys = obj_keys(object);
        if (!shell->keys)
            return out_of_memory(err);
        for (char **key = shell->keys; *key; key++) {
            AUTO_OBJ struct obj value = obj_key(object, *key);
            obj_append(held, value);
            if (!obj_is_stream(object) || !stays(*key))
                obj_remove(object, *key);
        }
    } else {
        return 0;
    }
    shell->held = (int) (obj_id(held) >> 20);
    struct obj copy = obj_copy(g->to, object);
    obj_drop(&copy);
    return 0;
}

static void fill_shell(struct graft *g, struct shell *shell)
{
    AUTO_OBJ struct obj object = obj_by_id(g->to, graft_copied(g, shell->object), 0);
    AUTO_OBJ struct obj source = obj_by_id(g->from, shell->held, 0);
    AUTO_OBJ struct obj held = obj_copy(g->to, source);

    for (int i = 0; i < obj_count(held); i++) {
        AUTO_OBJ struct obj value = obj_item(held, i);
        if (!shell->keys)
            obj_append(object, value);
        else if (!stays(shell->keys[i]))
            obj_set(object, shell->keys[i], value);
    }
}

static int copy_with_shells(struct graft *g, uint32_t root, struct shell *shells, struct err *err)
{
    struct pdf_doc from = { .q = g->from };
    AUTO_OBJ struct obj object = object_of(g, root);

    for (size_t i = 0; i < g->n_cuts; i++) {
        shells[i].object = g->cuts[i];
        if (g->objects[g->cuts[i]].state != GRAFT_SKIPPED && empty(g, &shells[i], err) < 0)
            return -1;
    }
    struct obj copy = obj_copy(g->to, object);
    obj_drop(&copy);
    for (size_t i = 0; i < g->n_cuts; i++)
        if (shells[i].held)
            fill_shell(g, &shells[i]);
    return pdf_doc_check(&from, "copy", err);
}

int graft_copy(struct graft *graft, struct obj root, struct err *err)
{
    int64_t id = obj_id(root);
    uint32_t index = 0;

    if (find_or_add(graft, (int) (id >> 20), (int) (id & 0xfffff), &index, err) < 0 ||
        walk_objects(graft, index, err) < 0)
        return 0;
    for (size_t i = 0; i < graft->n_cuts; i++)
        if (walk_objects(graft, graft->cuts[i], err) < 0)
            return 0;
    struct shell *shells = calloc(graft->n_cuts + 1, sizeof *shells);
    int done = shells ? copy_with_shells(graft, index, shells, err) : out_of_memory(err);
    for (size_t i = 0; shells && i < graft->n_cuts; i++)
        obj_keys_free(&shells[i].keys);
    free(shells);
    obj_forget_all(graft->from);
    obj_forget_all(graft->to);
    return done < 0 ? 0 : graft_copied(graft, index);
}

int graft_copied(struct graft *graft, size_t index)
{
    struct graft_object *o = &graft->objects[index];

    if (o->copy == 0 && o->state == GRAFT_DONE) {
        AUTO_OBJ struct obj object = object_of(graft, index);
        AUTO_OBJ struct obj copy = obj_copy(graft->to, object);
        o->copy = (int) (obj_id(copy) >> 20);
    }
    return o->copy;
}

void graft_free(struct graft *graft)
{
    free(graft->objects);
    free(graft->refs);
    free(graft->order);
    free(graft->cuts);
    key_map_free(&graft->index);
    graft_text_free(&graft->text);
}
