#include "pdf/properties/sanitize.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/properties/attach.h"
#include "pdf/properties/attached.h"
#include "pdf/properties/hidden_layers.h"
#include "pdf/properties/metadata.h"

#define MAX_DEPTH        50 /* of direct containers in one another */
#define HAS(kinds, kind) (((kinds) >> (kind)) & 1)

struct sanitizer {
    struct pdf_doc *doc;
    uint64_t kinds;
    size_t *removed;
    struct err *err;
};

/* The kind that an annotation is removed with; SANITIZE_KINDS: none of those asked for. */
static enum sanitize_kind annot_kind(const struct sanitizer *s, struct obj annot)
{
    enum sanitize_kind kind = SANITIZE_ANNOTATIONS;

    if (obj_key_is(annot, "/Subtype", "/Link"))
        kind = SANITIZE_LINKS;
    else if (obj_key_is(annot, "/Subtype", "/Widget"))
        kind = SANITIZE_FORMS;
    else if (obj_key_is(annot, "/Subtype", "/FileAttachment") &&
             HAS(s->kinds, SANITIZE_ATTACHMENTS))
        kind = SANITIZE_ATTACHMENTS;
    return HAS(s->kinds, kind) ? kind : SANITIZE_KINDS;
}

/* An annotation that tags or fields still name is null for them, too. */
static void clear_annots(const struct sanitizer *s, struct obj page)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = obj_new_array(s->doc->q);
    int n = obj_count(old);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(old, i);
        enum sanitize_kind kind = annot_kind(s, annot);

        if (kind == SANITIZE_KINDS) {
            obj_append(list, annot);
            continue;
        }
        if (kind != SANITIZE_ATTACHMENTS) /* those are counted with the files */
            s->removed[kind]++;
        if (obj_is_indirect(annot)) {
            AUTO_OBJ struct obj null = obj_parse(s->doc->q, "null");
            obj_replace(annot, null);
        }
    }
    if (obj_count(list) < n)
        obj_set(page, "/Annots", list);
}

static bool name_is_one_of(struct obj name, const char *const *list)
{
    for (; *list; list++)
        if (obj_name_is(name, *list))
            return true;
    return false;
}

/* The kind that an action is removed with. Structure elements have /S, too, and /P or /K. */
static enum sanitize_kind action_kind(const struct sanitizer *s, struct obj dict)
{
    static const char *const others[] = {
        "/Launch", "/SubmitForm", "/ImportData", "/ResetForm",        "/Hide",        "/GoToR",
        "/GoToE",  "/Sound",      "/Movie",      "/Rendition",        "/Named",       "/Thread",
        "/GoToDp", "/Trans",      "/GoTo3DView", "/RichMediaExecute", "/SetOCGState", NULL
    };
    AUTO_OBJ struct obj name = obj_key(dict, "/S");

    if (!obj_is_name(name) || obj_has(dict, "/P") || obj_has(dict, "/K"))
        return SANITIZE_KINDS;
    if (HAS(s->kinds, SANITIZE_SCRIPTS) &&
        (obj_name_is(name, "/JavaScript") || obj_has(dict, "/JS")))
        return SANITIZE_SCRIPTS;
    if (HAS(s->kinds, SANITIZE_LINKS) && obj_name_is(name, "/URI"))
        return SANITIZE_LINKS;
    if (HAS(s->kinds, SANITIZE_ACTIONS) && !obj_key_is(dict, "/Type", "/Trans") &&
        name_is_one_of(name, others))
        return SANITIZE_ACTIONS;
    return SANITIZE_KINDS;
}

/* An action without its kind and its parameters does nothing; those after it stay. */
static void empty_action(struct obj action)
{
    AUTO_KEYS char **keys = obj_keys(action);

    for (size_t i = 0; keys && keys[i]; i++)
        if (strcmp(keys[i], "/Next") != 0)
            obj_remove(action, keys[i]);
}

static void visit_object(const struct sanitizer *s, struct obj value, int depth)
{
    if (depth > MAX_DEPTH)
        return;
    if (obj_is_array(value)) {
        for (int i = 0, n = obj_count(value); i < n; i++) {
            AUTO_OBJ struct obj item = obj_item(value, i);

            if (!obj_is_indirect(item))
                visit_object(s, item, depth + 1);
        }
        return;
    }
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj one = obj_key(dict, keys[i]);

        if (!obj_is_indirect(one))
            visit_object(s, one, depth + 1);
    }
    if (!keys)
        return;
    enum sanitize_kind kind = action_kind(s, dict);
    if (kind != SANITIZE_KINDS) {
        s->removed[kind]++;
        empty_action(dict);
    }
    if (HAS(s->kinds, SANITIZE_ATTACHMENTS)) {
        obj_remove(dict, "/EF");
        obj_remove(dict, "/AF");
    }
}

static void visit_all(const struct sanitizer *s)
{
    static const char *const keys[] = { "/S", "/EF", "/AF", NULL }; /* what visit_object looks at */
    int n = pdf_doc_next_number(&(struct pdf_doc){ .q = s->doc->q, .miscounted = true });

    for (int id = 1; id < n; id++) {
        AUTO_OBJ struct obj object = obj_by_number(s->doc->q, id);

        if (obj_mentions(object, keys))
            visit_object(s, object, 0);
    }
}

static int remove_files(const struct sanitizer *s)
{
    AUTO_ATTACHED struct attached files = { 0 };
    AUTO_OBJ struct obj root = obj_root(s->doc->q);
    AUTO_FREE bool *all = NULL;

    if (attached_read(&files, s->doc->q, s->doc->n_pages, s->err) < 0)
        return -1;
    all = malloc(files.n + 1);
    if (!all)
        return pdf_doc_no_memory(s->err);
    memset(all, 1, files.n + 1);
    obj_remove(root, "/Collection");
    return attach_remove(s->doc, &files, all, &s->removed[SANITIZE_ATTACHMENTS], s->err);
}

/* What the catalog has of these kinds. */
static void clear_catalog(const struct sanitizer *s)
{
    AUTO_OBJ struct obj root = obj_root(s->doc->q);
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");

    if (HAS(s->kinds, SANITIZE_SCRIPTS)) {
        s->removed[SANITIZE_SCRIPTS] += obj_has(form, "/XFA");
        if (obj_is_dict(names))
            obj_remove(names, "/JavaScript");
        if (obj_is_dict(form))
            obj_remove(form, "/XFA");
        obj_remove(root, "/NeedsRendering");
    }
    if (HAS(s->kinds, SANITIZE_LINKS))
        obj_remove(root, "/URI");
    if (HAS(s->kinds, SANITIZE_FORMS))
        obj_remove(root, "/AcroForm");
}

int sanitize_run(struct pdf_doc *doc, uint64_t kinds, size_t removed[static SANITIZE_KINDS],
                 struct err *err)
{
    struct sanitizer s = { doc, kinds, removed, err };
    AUTO_METADATA struct metadata metadata = { 0 };

    memset(removed, 0, SANITIZE_KINDS * sizeof *removed);
    if (HAS(kinds, SANITIZE_LAYERS) &&
        hidden_layers_remove(doc, &removed[SANITIZE_LAYERS], err) < 0)
        return -1;
    if (HAS(kinds, SANITIZE_ATTACHMENTS) && remove_files(&s) < 0)
        return -1;
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        clear_annots(&s, page);
    }
    visit_all(&s);
    clear_catalog(&s);
    if (!HAS(kinds, SANITIZE_METADATA))
        return 0;
    return metadata_read(&metadata, doc->q, err) < 0
               ? -1
               : metadata_clear(&metadata, doc, &removed[SANITIZE_METADATA], err);
}
