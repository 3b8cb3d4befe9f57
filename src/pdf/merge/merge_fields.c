/*
 * Forms (ISO 32000-1, 12.7): the fields of all files in one form. A field gets another name only if
 * one of the same fully qualified name is there already; a field that only holds others is joined
 * with its namesake if neither says anything that the fields below inherit.
 */
#include <string.h>

#include "base/scope.h"
#include "pdf/merge/merge_form.h"

#define MAX_DEPTH 64

struct walk {
    struct merge *m;
    struct merge_source *s;
    struct key_map seen;
    struct obj form, speakers;
    bool orphans; /* widgets that no list of fields leads to */
    struct err *err;
};

static bool says_nothing(struct obj field)
{
    static const char *const inherited[] = { "/FT",  "/Ff",     "/V",  "/DV", "/DA", "/Q",
                                             "/Opt", "/MaxLen", "/TI", "/I",  "/DS", "/RV" };

    for (size_t i = 0; i < COUNT(inherited); i++)
        if (obj_has(field, inherited[i]))
            return false;
    return true;
}

static bool inherits(struct obj field, const char *key)
{
    for (int i = 0; i < MAX_DEPTH && obj_is_dict(field); i++) {
        if (obj_has(field, key))
            return true;
        field = obj_key(field, "/Parent");
    }
    return false;
}

/* A form says once what its fields mean that say nothing: in the result that would be for all. */
static void push_defaults(struct walk *w, struct obj field)
{
    static const char *const defaults[] = { "/DA", "/Q" };

    for (size_t k = 0; k < COUNT(defaults); k++) {
        AUTO_OBJ struct obj value = obj_key(w->form, defaults[k]);
        if (!obj_is_null(value) && !inherits(field, defaults[k]))
            obj_set(field, defaults[k], value);
    }
}

/* Notes what a field and those below are called. `parent`: what the field above is called now. */
static int register_field(struct walk *w, struct obj field, const char *parent, int depth)
{
    AUTO_BUF struct buf name = BUF_EMPTY;
    AUTO_OBJ struct obj title = obj_key(field, "/T");
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    int64_t id = obj_id(field);
    int n = obj_count(kids);

    if (!obj_is_dict(field) || depth > MAX_DEPTH || (id && !key_map_add_id(&w->seen, id)))
        return 0;
    if (!w->orphans && !merge_form_holds(field))
        push_defaults(w, field);
    if (obj_has(field, "/DA"))
        obj_append(w->speakers, field);
    merge_form_qualify(&name, parent, title);
    if (obj_is_string(title) &&
        merge_form_note(w->s, &name, merge_form_holds(field) ? field : OBJ_NONE, w->err) < 0)
        return -1;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        if (register_field(w, kid, buf_text(&name), depth + 1) < 0)
            return -1;
    }
    return name.failed ? merge_no_memory(w->err) : 0;
}

static int rename_field(struct walk *w, struct obj field, const char *parent, const struct buf *old)
{
    const struct buf *known = renames_find(&w->s->fields, buf_text(old), old->len);
    AUTO_BUF struct buf new = BUF_EMPTY;

    if (known) /* a second field of that name in one file: both are one field */
        buf_put(&new, buf_text(known), known->len);
    else
        renames_unique(&w->m->field_names, &w->s->form->own, buf_text(old), old->len,
                       w->s->number + 1, &new);
    if (!known)
        renames_put(&w->s->fields, buf_text(old), old->len, &new);
    if (new.failed || renames_failed(&w->s->fields))
        return merge_no_memory(w->err);
    obj_set(field, "/T", merge_text(field.q, buf_text(&new) + (*parent ? strlen(parent) + 1 : 0)));
    return merge_form_renamed_below(w->s, field, buf_text(old), buf_text(&new), w->err);
}

/* Decides about a field that will lie below field `below` of the result, 0: below none. */
static int place_field(struct walk *w, struct obj field, const char *parent, int below, int depth)
{
    AUTO_BUF struct buf name = BUF_EMPTY;
    struct obj title = obj_key(field, "/T"), kids = obj_key(field, "/Kids");
    int64_t there = 0;

    merge_form_qualify(&name, parent, title);
    if (obj_is_string(title) &&
        key_map_find(&w->m->field_names, buf_text(&name), name.len, &there)) {
        if (!w->orphans && there && depth < MAX_DEPTH && merge_form_holds(field) &&
            says_nothing(field) && says_nothing(merge_at(w->m, (int) there))) {
            key_map_add_id(&w->seen, obj_id(field));
            for (int i = 0; i < obj_count(kids); i++)
                if (obj_is_dict(obj_item(kids, i)) &&
                    place_field(w, obj_item(kids, i), buf_text(&name), (int) there, depth + 1) < 0)
                    return -1;
            return 0;
        }
        if (rename_field(w, field, parent, &name) < 0)
            return -1;
    }
    if (register_field(w, field, parent, depth) < 0)
        return -1;
    if (w->orphans)
        return 0;
    if (below)
        obj_remove(field, "/Parent");
    return merge_form_place(w->s, field, below, w->err);
}

static bool is_seen(struct walk *w, struct obj field)
{
    int64_t value;

    return key_map_find_id(&w->seen, obj_id(field), &value);
}

/* Viewers add_source_fields widgets for fields even when no list of fields leads to them. */
static int add_widgets(struct walk *w)
{
    w->orphans = true;
    for (size_t i = 0; i < w->s->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(w->s->doc.q, i);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
        for (int k = 0; k < obj_count(annots); k++) {
            AUTO_OBJ struct obj annot = obj_item(annots, k);
            if (!obj_is_indirect(annot) || !obj_key_is(annot, "/Subtype", "/Widget"))
                continue;
            struct obj field = annot;
            for (int d = 0; d < MAX_DEPTH && obj_is_dict(obj_key(field, "/Parent")); d++)
                field = obj_key(field, "/Parent");
            if (!is_seen(w, annot) && !is_seen(w, field) && place_field(w, field, "", 0, 0) < 0)
                return -1;
        }
    }
    return 0;
}

static int add_fields(struct walk *w)
{
    struct obj fields = obj_key(w->form, "/Fields");
    int n = obj_count(fields);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(fields, i);
        if (!obj_is_dict(field))
            continue;
        if (!obj_is_indirect(field))
            obj_set_item(fields, i, obj_indirect(field));
        if (merge_form_own(w->s->form, field, "", w->err) < 0)
            return -1;
    }
    for (int i = 0; i < n; i++) {
        struct obj field = obj_item(fields, i);
        if (!obj_is_dict(field) || is_seen(w, field))
            continue;
        if (place_field(w, field, "", 0, 0) < 0)
            return -1;
    }
    return 0;
}

static int read_fields(struct merge *m, struct merge_source *s, struct err *err)
{
    struct walk w = { .m = m, .s = s, .err = err };
    struct obj form = obj_key(obj_root(s->doc.q), "/AcroForm");
    long long flags = 0;
    QPDF_BOOL needed = QPDF_FALSE;

    s->form = merge_form_new(s, err);
    if (!s->form)
        return -1;
    w.form = form;
    w.speakers = obj_by_id(s->doc.q, s->form->speakers, 0);
    if (obj_is_dict(form)) {
        m->has_form = true;
        if (obj_has(form, "/XFA"))
            tool_warn(m->run, "xfa_dropped",
                      "the XML form (XFA) of a file was left out; its ordinary fields are kept");
        if (obj_key_int(form, "/SigFlags", &flags))
            m->signature_flags |= flags & 1; /* not AppendOnly: that is over */
        struct obj need = obj_key(form, "/NeedAppearances");
        if (qpdf_oh_get_value_as_bool(need.q, need.oh, &needed) && needed)
            m->need_appearances = true;
        merge_put(s, "/DR", obj_key(form, "/DR"));
        merge_put(s, "/CO", obj_key(form, "/CO"));
    }
    int done = add_fields(&w);
    if (done == 0)
        done = add_widgets(&w);
    if (done == 0 && w.seen.failed)
        done = merge_no_memory(err);
    key_map_free(&w.seen);
    return done;
}

static void join_field(struct merge *m, struct obj field, int below)
{
    struct obj parent = below ? merge_at(m, below) : OBJ_NONE;
    struct obj list = below ? obj_key(parent, "/Kids") : merge_at(m, m->fields);

    if (below)
        obj_set(field, "/Parent", parent);
    obj_append(list, field);
}

static int join_fields(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj roots = obj_key(s->in, "/Fields"), holders = obj_key(s->in, "/Holders");
    struct merge_form *form = s->form;

    for (size_t i = 0; i < form->n_below; i++)
        join_field(m, obj_item(roots, (int) i), form->below[i]);
    for (size_t i = 0; i < form->n_notes; i++) {
        const struct merge_note *note = &form->notes[i];
        int number = note->at < 0 ? 0 : merge_number(obj_item(holders, note->at));
        key_map_put(&m->field_names, buf_text(&note->name), note->name.len, number);
    }
    merge_append_all(merge_at(m, m->order), obj_key(s->in, "/CO"));
    return m->field_names.failed ? merge_no_memory(err) : merge_resources(m, s, err);
}

static int finish_fields(struct merge *m, struct err *err)
{
    struct obj form = obj_new_dict(m->to.q), resources = merge_at(m, m->resources);
    AUTO_KEYS char **keys = obj_keys(resources);

    if (!m->has_form)
        return 0;
    if (!keys)
        return merge_no_memory(err);
    obj_set(form, "/Fields", merge_at(m, m->fields));
    if (obj_count(merge_at(m, m->order)) > 0)
        obj_set(form, "/CO", merge_at(m, m->order));
    if (*keys)
        obj_set(form, "/DR", resources);
    if (m->need_appearances)
        obj_set(form, "/NeedAppearances", obj_parse(m->to.q, "true"));
    if (m->signature_flags)
        obj_set_int(form, "/SigFlags", m->signature_flags);
    obj_set(obj_root(m->to.q), "/AcroForm", obj_indirect(form));
    return 0;
}

const struct merge_part merge_fields = { read_fields, join_fields, finish_fields };
