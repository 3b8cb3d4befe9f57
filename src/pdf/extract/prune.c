#include "pdf/extract/prune.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/content.h"

#define MAX_DEPTH 40 /* forms within forms */
#define MAX_NAMES 65536

/* One resource dictionary and what is known to be named in it. */
struct scope {
    struct prune *prune;
    struct obj resources;
    struct idmap known; /* by a hash of kind and name */
    struct idmap read;  /* streams without resources of their own that were read in it, by id */
    struct name {
        enum content_kind kind;
        char *text;
    } * names;
    size_t n, cap;
    bool unreadable; /* keep all */
    bool no_memory;
    int depth;
};

static void scope_end(struct scope *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->names[i].text);
    free(s->names);
    idmap_free(&s->known);
    idmap_free(&s->read);
    obj_drop(&s->resources);
}

static int64_t hash_of(enum content_kind kind, const char *name)
{
    return (int64_t) (fnv_text(FNV_START ^ (uint64_t) kind, name) | 1);
}

static bool add_name(void *arg, enum content_kind kind, const char *name)
{
    struct scope *s = arg;
    int64_t hash = hash_of(kind, name);

    if (idmap_find(&s->known, hash) != IDMAP_NONE)
        return true;
    if (s->n >= MAX_NAMES)
        return false;
    if (!idmap_add(&s->known, hash, s->n) || !LIST_ROOM(s->names, s->n, s->cap)) {
        s->no_memory = true;
        return false;
    }
    s->names[s->n].kind = kind;
    s->names[s->n].text = strdup(name);
    s->no_memory = !s->names[s->n].text;
    s->n += !s->no_memory;
    return !s->no_memory;
}

static void read_content(struct scope *s, bool unpacked, const unsigned char *data, size_t n)
{
    if (!unpacked || !content_names(data, n, add_name, s))
        s->unreadable = true;
}

static void read_stream(struct scope *s, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;
    bool unpacked = obj_stream_data(stream, &data, &n);

    read_content(s, unpacked, data, n);
}

static void read_page_content(struct scope *s, struct obj page)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;
    bool unpacked = obj_page_content(page, &data, &n);

    read_content(s, unpacked, data, n);
}

static void read_glyphs(struct scope *s, struct obj font)
{
    AUTO_OBJ struct obj procs = obj_key(font, "/CharProcs");
    AUTO_KEYS char **keys = obj_keys(procs);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj glyph = obj_key(procs, keys[i]);

        if (obj_is_stream(glyph))
            read_stream(s, glyph);
    }
    s->no_memory |= !keys;
}

/* Whether a stream or font of this id comes for the first time. */
static bool is_new(struct idmap *seen, struct obj obj)
{
    int64_t id = obj_id(obj);

    return idmap_find(seen, id) == IDMAP_NONE && idmap_add(seen, id, 0);
}

static void prune_scope(struct scope *s, struct obj holder);

/* A stream with content, or a Type 3 font. Without resources of its own it uses those around it,
 * as programs did before PDF 1.2. */
static void visit_content(struct scope *s, struct obj inner,
                          void (*read)(struct scope *, struct obj))
{
    struct scope own = { .prune = s->prune, .depth = s->depth + 1 };

    if (s->depth >= MAX_DEPTH)
        return;
    own.resources = obj_key(inner, "/Resources");
    if (!obj_is_dict(own.resources)) {
        if (is_new(&s->read, inner)) /* thousands of annotations may share one appearance */
            read(s, inner);
    } else if (is_new(&s->prune->seen, inner)) {
        read(&own, inner);
        prune_scope(&own, inner);
        s->no_memory |= own.no_memory;
    }
    scope_end(&own);
}

static void visit_gstate(struct scope *s, struct obj gstate)
{
    AUTO_OBJ struct obj mask = obj_key(gstate, "/SMask");
    AUTO_OBJ struct obj group = obj_key(mask, "/G");

    if (obj_is_stream(group))
        visit_content(s, group, read_stream);
}

static void visit_named(struct scope *s, const struct name *name)
{
    AUTO_OBJ struct obj category = obj_key(s->resources, content_categories[name->kind]);
    AUTO_OBJ struct obj value = obj_key(category, name->text);

    switch (name->kind) {
    case CONTENT_XOBJECT:
        if (obj_is_stream(value) && obj_key_is(value, "/Subtype", "/Form"))
            visit_content(s, value, read_stream);
        return;
    case CONTENT_PATTERN:
        if (obj_is_stream(value))
            visit_content(s, value, read_stream);
        return;
    case CONTENT_FONT:
        if (obj_key_is(value, "/Subtype", "/Type3"))
            visit_content(s, value, read_glyphs);
        return;
    case CONTENT_GSTATE:
        visit_gstate(s, value);
        return;
    case CONTENT_SHADING:
    case CONTENT_COLORSPACE:
    case CONTENT_PROPERTIES:
    case CONTENT_KINDS:
        return;
    }
}

static void keep_resource(struct scope *s, struct obj pruned, enum content_kind kind,
                          const char *name)
{
    AUTO_OBJ struct obj from = obj_key(s->resources, content_categories[kind]);
    AUTO_OBJ struct obj value = obj_key(from, name);

    if (obj_is_null(value))
        return;
    if (!obj_has(pruned, content_categories[kind])) {
        AUTO_OBJ struct obj fresh = obj_new_dict(pruned.q);
        obj_set(pruned, content_categories[kind], fresh);
    }
    AUTO_OBJ struct obj to = obj_key(pruned, content_categories[kind]);
    obj_set(to, name, value);
}

/* Follows what is named, then gives holder the pruned dictionary. */
static void prune_scope(struct scope *s, struct obj holder)
{
    /* These stand in for device colour spaces without being named (8.6.5.6). */
    static const char *const defaults[] = { "/DefaultGray", "/DefaultRGB", "/DefaultCMYK" };

    for (size_t i = 0; i < s->n && !s->no_memory; i++) {
        struct name name = s->names[i]; /* the list may move */
        visit_named(s, &name);
    }
    if (s->unreadable || s->no_memory)
        return;
    AUTO_OBJ struct obj pruned = obj_new_dict(holder.q);
    AUTO_OBJ struct obj procedures = obj_key(s->resources, "/ProcSet");
    if (obj_is_array(procedures))
        obj_set(pruned, "/ProcSet", procedures);
    for (size_t i = 0; i < s->n; i++)
        keep_resource(s, pruned, s->names[i].kind, s->names[i].text);
    for (size_t i = 0; i < COUNT(defaults); i++)
        keep_resource(s, pruned, CONTENT_COLORSPACE, defaults[i]);
    obj_set(holder, "/Resources", pruned);
}

/* The streams of an appearance dictionary: one a state, or one (12.5.5). */
static void visit_appearance(struct scope *s, struct obj appearance)
{
    AUTO_KEYS char **keys = NULL;

    if (obj_is_null(appearance))
        return;
    if (obj_is_stream(appearance)) {
        visit_content(s, appearance, read_stream);
        return;
    }
    keys = obj_keys(appearance);
    s->no_memory |= !keys;
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj state = obj_key(appearance, keys[i]);

        if (obj_is_stream(state))
            visit_content(s, state, read_stream);
    }
}

static void visit_annotations(struct scope *s, struct obj page)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    int n = obj_count(annots);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item_in(annots, i);
        AUTO_OBJ struct obj appearances = obj_key(annot, "/AP");
        bool has_any = !obj_is_null(appearances); /* most links have none */

        for (size_t k = 0; k < COUNT(kinds) && has_any; k++) {
            AUTO_OBJ struct obj appearance = obj_key(appearances, kinds[k]);
            visit_appearance(s, appearance);
        }
    }
}

bool prune_page(struct prune *prune, struct obj page)
{
    struct scope s = { .prune = prune, .resources = obj_key(page, "/Resources") };
    bool fits;

    read_page_content(&s, page);
    visit_annotations(&s, page);
    prune_scope(&s, page);
    fits = !s.no_memory;
    scope_end(&s);
    return fits;
}

void prune_free(struct prune *prune)
{
    idmap_free(&prune->seen);
}
