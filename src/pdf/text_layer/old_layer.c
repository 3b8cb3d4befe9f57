#include "pdf/text_layer/old_layer.h"

#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "pdf/content/operators.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

#define INVISIBLE     3  /* the text render mode */
#define SAVED         64 /* limit of graphics states that are followed */
#define DEPTH         8  /* limit of forms in forms */
#define FORMS_OF_PAGE 500

/* What became of a form; above these, the id of the form without its hidden text. */
enum { FORM_SAME, FORM_EMPTY, FORM_UNSOUND };

/* A content stream while it is read, twice: first to find the text objects of which nothing is
 * seen, then to write it without them. A text object that has both kinds stays: what is seen in it
 * may have its place from the rest. */
struct strip {
    struct old_layers *layers;
    struct obj owner;     /* the page, or the new form: gets the names of new forms */
    struct obj resources; /* in which the stream's names are looked up */
    const unsigned char *data;
    int depth, *n_forms;
    int mode, saved[SAVED];
    size_t n_saved;
    struct operators_place place;
    struct buf hidden; /* of each text object: 'h' when all of it is hidden */
    size_t text;       /* number of the current text object, from 1; 0: none was begun */
    bool in_text, shows_hidden, shows_seen;
    struct buf out;
    size_t copied; /* bytes of data that are in `out`, or left out */
    bool writing, removed, unsound, paints;
    struct err *err;
    bool failed; /* err is set */
};

static bool is_among_operators(const char *op, const char *list)
{
    const char *found = strstr(list, op);
    size_t n = strlen(op);

    for (; found; found = strstr(found + 1, op))
        if ((found == list || found[-1] == ' ') && (found[n] == ' ' || found[n] == '\0'))
            return true;
    return false;
}

static bool shows_text(const char *op)
{
    return is_among_operators(op, "Tj TJ ' \"");
}

static void end_text(struct strip *s)
{
    if (!s->writing && s->in_text) {
        buf_putc(&s->hidden, s->shows_hidden && !s->shows_seen ? 'h' : '-');
        s->unsound |= s->shows_hidden && s->shows_seen;
    }
    s->in_text = s->shows_hidden = s->shows_seen = false;
}

/* Follows the text render mode and the text objects. */
static void follow(struct strip *s, const char *op, const struct operand *operands, size_t n)
{
    if (strcmp(op, "q") == 0 && s->n_saved < SAVED)
        s->saved[s->n_saved++] = s->mode;
    else if (strcmp(op, "q") == 0)
        s->unsound = true;
    else if (strcmp(op, "Q") == 0 && s->n_saved > 0)
        s->mode = s->saved[--s->n_saved];
    else if (strcmp(op, "Tr") == 0)
        s->mode = operators_number(operands, n, 0) == INVISIBLE ? INVISIBLE : 0;
    else if (strcmp(op, "BT") == 0) {
        end_text(s);
        s->in_text = true;
        s->text++;
    } else if (strcmp(op, "ET") == 0)
        end_text(s);
    else if (shows_text(op)) {
        s->shows_hidden |= s->mode == INVISIBLE;
        s->shows_seen |= s->mode != INVISIBLE;
        s->unsound |= s->mode == INVISIBLE && !s->in_text;
    }
}

static bool note_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct strip *s = arg;

    follow(s, op, operands, n);
    return !s->hidden.failed;
}

/* Leaves the current operator out; the caller may put others in its place. */
static void leave_out(struct strip *s)
{
    buf_put(&s->out, (const char *) s->data + s->copied, s->place.begin - s->copied);
    s->copied = s->place.end;
    s->removed = true;
}

/* Of a hidden text object only what lasts longer than itself stays: states, marked content. */
static void strip_text(struct strip *s, const char *op, const struct operand *operands, size_t n)
{
    if (!shows_text(op) && !is_among_operators(op, "Td TD Tm T*"))
        return;
    leave_out(s);
    if (strcmp(op, "TD") == 0)
        buf_printf(&s->out, "%.5f TL\n", -operators_number(operands, n, 1));
    else if (strcmp(op, "\"") == 0)
        buf_printf(&s->out, "%.5f Tw %.5f Tc\n", operators_number(operands, n, 0),
                   operators_number(operands, n, 1));
}

static int64_t strip_form(struct strip *around, struct obj form);

static void strip_shown(struct strip *s, const char *name)
{
    AUTO_OBJ struct obj objects = obj_key(s->resources, "/XObject");
    AUTO_OBJ struct obj object = obj_key(objects, name);
    char fresh[PAGE_RESOURCES_NAME];
    int64_t became = FORM_SAME;

    s->paints = true;
    if (!obj_is_stream(object) || !obj_key_is(object, "/Subtype", "/Form"))
        return;
    became = strip_form(s, object);
    if (became == FORM_UNSOUND || (became > FORM_UNSOUND && ++*s->n_forms > FORMS_OF_PAGE)) {
        s->unsound = true;
    } else if (became == FORM_EMPTY) {
        leave_out(s);
        s->paints = false;
    } else if (became != FORM_SAME) {
        AUTO_OBJ struct obj other = obj_by_id(object.q, OBJ_NUMBER(became), OBJ_GEN(became));

        leave_out(s);
        s->failed = s->failed || page_resources_add(&s->layers->resources, s->owner, "/XObject",
                                                    "/Stripped", other, fresh, s->err) < 0;
        if (!s->failed)
            buf_printf(&s->out, "%s Do\n", fresh);
    }
}

static bool write_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct strip *s = arg;
    bool painted = s->paints;

    follow(s, op, operands, n);
    if (s->in_text && s->text <= s->hidden.len && s->hidden.data[s->text - 1] == 'h')
        strip_text(s, op, operands, n);
    if (strcmp(op, "Do") == 0 && n == 1 && operands[0].type == OPERAND_NAME)
        strip_shown(s, operands[0].bytes);
    else if (is_among_operators(op, "f F f* B B* b b* S s sh EI"))
        s->paints = true;
    else if (shows_text(op) && s->mode != INVISIBLE)
        s->paints = true;
    s->paints |= painted;
    return !s->failed && !s->unsound && !s->out.failed;
}

/* Whether the stream could be read, and was written to `out`. */
static bool strip_data(struct strip *s, size_t n)
{
    int mode = s->mode;

    if (!operators_read(s->data, n, note_operator, s))
        s->unsound = true;
    end_text(s);
    s->writing = true;
    s->mode = mode;
    s->n_saved = s->text = 0;
    if (!s->unsound && !operators_read_at(s->data, n, write_operator, s, &s->place))
        s->unsound = true;
    if (!s->unsound && s->copied < n)
        buf_put(&s->out, (const char *) s->data + s->copied, n - s->copied);
    if ((s->out.failed || s->hidden.failed) && !s->failed) {
        pdf_doc_no_memory(s->err);
        s->failed = true;
    }
    return !s->unsound && !s->failed;
}

static void strip_end(struct strip *s)
{
    buf_free(&s->hidden);
    buf_free(&s->out);
}
#define AUTO_STRIP __attribute__((cleanup(strip_end)))

/* A form with the same dictionary and resources of its own. */
static struct obj copy_form(struct obj form, struct obj resources)
{
    AUTO_OBJ struct obj dict = obj_dict(form);
    AUTO_KEYS char **keys = obj_keys(dict);
    AUTO_OBJ struct obj own = page_resources_copy(resources);
    struct obj copy = obj_new_stream(form.q, "", 0);

    for (char **key = keys; key && *key; key++) {
        AUTO_OBJ struct obj value = obj_key(dict, *key);

        if (!is_among_operators(*key,
                                "/Length /Filter /DecodeParms /Resources /StructParents /Parent"))
            obj_set(copy, *key, value);
    }
    obj_set(copy, "/Resources", own);
    return copy;
}

static int64_t strip_form_now(struct strip *around, struct obj form)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_OBJ struct obj named = obj_key(form, "/Resources");
    struct obj resources = obj_is_dict(named) ? named : around->resources;
    AUTO_OBJ struct obj copy = copy_form(form, resources);
    AUTO_OBJ struct obj own = obj_key(copy, "/Resources");
    AUTO_STRIP struct strip s = { .layers = around->layers,
                                  .owner = copy,
                                  .resources = own,
                                  .depth = around->depth + 1,
                                  .n_forms = around->n_forms,
                                  .mode = around->mode,
                                  .err = around->err };
    size_t n = 0;

    if (!obj_stream_data(form, &data, &n) || !data)
        return FORM_SAME;
    s.data = data;
    if (!strip_data(&s, n)) {
        around->failed |= s.failed;
        return FORM_UNSOUND;
    }
    if (!s.removed)
        return FORM_SAME;
    if (!s.paints)
        return FORM_EMPTY;
    obj_set_stream(copy, buf_text(&s.out), s.out.len);
    return obj_id(copy);
}

/* What became of a form that is shown in the current mode. */
static int64_t strip_form(struct strip *around, struct obj form)
{
    struct key_map *forms = &around->layers->forms;
    int64_t key = obj_id(form) * 4 + around->mode, became;

    if (key_map_find_id(forms, key, &became))
        return became;
    if (around->depth == DEPTH)
        return FORM_SAME;
    key_map_put_id(forms, key, FORM_SAME); /* a form that shows itself */
    became = strip_form_now(around, form);
    key_map_put_id(forms, key, became);
    return became;
}

int old_layer_remove(struct old_layers *layers, struct obj page, bool *removed, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_OBJ struct obj from = OBJ_NONE;
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", &from);
    int n_forms = 0;
    AUTO_STRIP struct strip s = {
        .layers = layers, .owner = page, .resources = resources, .n_forms = &n_forms, .err = err
    };
    size_t n = 0;

    *removed = false;
    if (obj_content_is_excessive(page) || !obj_page_content(page, &data, &n) || !data)
        return 0;
    s.data = data;
    if (!strip_data(&s, n) || !s.removed)
        return s.failed ? -1 : 0;
    AUTO_OBJ struct obj stream = obj_new_stream(page.q, buf_text(&s.out), s.out.len);
    obj_set(page, "/Contents", stream);
    *removed = true;
    return 0;
}

void old_layers_free(struct old_layers *layers)
{
    page_resources_free(&layers->resources);
    key_map_free(&layers->forms);
}
