#include "pdf/merge/merge_form.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define MAX_DEPTH 64

struct merge_form *merge_form_new(struct merge_source *s, struct err *err)
{
    struct merge_form *form = calloc(1, sizeof *form);

    if (!form) {
        merge_no_memory(err);
        return NULL;
    }
    form->roots = merge_number(merge_put_array(s, "/Fields"));
    form->holders = merge_number(merge_put_array(s, "/Holders"));
    form->speakers = merge_number(merge_put_array(s, "/Speakers"));
    return form;
}

void merge_form_free(struct merge_form *form)
{
    if (!form)
        return;
    for (size_t i = 0; i < form->n_notes; i++)
        buf_free(&form->notes[i].name);
    free(form->notes);
    free(form->below);
    key_map_free(&form->own);
    key_map_free(&form->seen);
    free(form);
}

void merge_form_qualify(struct buf *out, const char *parent, struct obj title)
{
    size_t n;

    buf_puts(out, parent);
    if (!obj_is_string(title))
        return;
    if (*parent)
        buf_putc(out, '.');
    const char *text = qpdf_oh_get_binary_utf8_value(title.q, title.oh, &n);
    buf_put(out, text, strnlen(text, n));
}

bool merge_form_holds(struct obj field)
{
    struct obj kids = obj_key(field, "/Kids");

    return !obj_has(field, "/Subtype") && obj_has(obj_item(kids, 0), "/T");
}

static int gather(struct merge_form *form, struct obj field, const char *parent, int depth,
                  struct err *err)
{
    AUTO_BUF struct buf name = BUF_EMPTY;
    int64_t id = obj_id(field);

    if (!obj_is_dict(field) || depth > MAX_DEPTH || (id && !key_map_add_id(&form->seen, id)))
        return 0;
    AUTO_OBJ struct obj title = obj_key(field, "/T");
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    int n = obj_count(kids);
    merge_form_qualify(&name, parent, title);
    key_map_add(&form->own, buf_text(&name), name.len);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        if (gather(form, kid, buf_text(&name), depth + 1, err) < 0)
            return -1;
    }
    return name.failed || form->own.failed || form->seen.failed ? merge_no_memory(err) : 0;
}

int merge_form_own(struct merge_form *form, struct obj field, const char *parent, struct err *err)
{
    return gather(form, field, parent, 0, err);
}

static int rename_below(struct merge_source *s, struct obj field, const char *old, const char *new,
                        struct key_map *seen, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    int n = obj_count(kids);

    for (int i = 0; i < n && depth < MAX_DEPTH; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);
        AUTO_OBJ struct obj title = obj_key(kid, "/T");
        AUTO_BUF struct buf was = BUF_EMPTY;
        AUTO_BUF struct buf is = BUF_EMPTY;
        if (!obj_is_dict(kid) || !key_map_add_id(seen, obj_id(kid)))
            continue;
        merge_form_qualify(&was, old, title);
        merge_form_qualify(&is, new, title);
        if (obj_is_string(title))
            renames_put(&s->fields, buf_text(&was), was.len, &is);
        if (was.failed || is.failed ||
            rename_below(s, kid, buf_text(&was), buf_text(&is), seen, depth + 1) < 0)
            return -1;
    }
    return 0;
}

int merge_form_renamed_below(struct merge_source *s, struct obj field, const char *old,
                             const char *new, struct err *err)
{
    struct key_map seen = { 0 };
    int done = rename_below(s, field, old, new, &seen, 0);
    bool failed = seen.failed;

    key_map_free(&seen);
    return done < 0 || failed || renames_failed(&s->fields) ? merge_no_memory(err) : 0;
}

int merge_form_note(struct merge_source *s, const struct buf *name, struct obj field,
                    struct err *err)
{
    struct merge_form *form = s->form;

    if (form->n_notes == form->cap_notes) {
        size_t cap = form->cap_notes ? form->cap_notes * 2 : 64;
        struct merge_note *more = reallocarray(form->notes, cap, sizeof *more);
        if (!more)
            return merge_no_memory(err);
        form->notes = more;
        form->cap_notes = cap;
    }
    struct merge_note *note = &form->notes[form->n_notes++];
    *note = (struct merge_note){ .at = -1 };
    buf_put(&note->name, buf_text(name), name->len);
    if (!obj_is_null(field)) {
        AUTO_OBJ struct obj holders = obj_by_id(s->doc.q, form->holders, 0);
        note->at = obj_count(holders);
        obj_append(holders, field);
    }
    return note->name.failed ? merge_no_memory(err) : 0;
}

int merge_form_place(struct merge_source *s, struct obj field, int below, struct err *err)
{
    struct merge_form *form = s->form;
    AUTO_OBJ struct obj roots = obj_by_id(s->doc.q, form->roots, 0);

    if (form->n_below == form->cap_below) {
        size_t cap = form->cap_below ? form->cap_below * 2 : 64;
        int *more = reallocarray(form->below, cap, sizeof *more);
        if (!more)
            return merge_no_memory(err);
        form->below = more;
        form->cap_below = cap;
    }
    form->below[form->n_below++] = below;
    obj_append(roots, field);
    return 0;
}
