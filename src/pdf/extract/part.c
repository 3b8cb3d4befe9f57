#include "pdf/extract/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/dest.h"
#include "pdf/document/labels.h"
#include "pdf/document/layers.h"
#include "pdf/document/tags.h"
#include "pdf/extract/annots.h"
#include "pdf/extract/attachments.h"
#include "pdf/extract/kept.h"
#include "pdf/extract/prune.h"
#include "pdf/extract/scripts.h"
#include "pdf/extract/unplaced.h"
#include "pdf/object/action.h"

struct part_source {
    struct pdf_doc *doc;
    enum part_kind kind;
    qpdf_data q;
    size_t n_pages;
    struct idmap pages; /* ids to numbers */
    struct dest_names names;
    struct outline outline;
    struct labels labels;
    struct tags tags;
    struct annots annots;
    struct unplaced unplaced; /* fields that are on no page */
    struct prune prune;
    struct depth depth;
    struct dest opening; /* where readers start */
    struct obj kept;     /* what every part gets: see kept_collect */
    struct source_page {
        bool ready;
        struct annots_page annots;
    } * list;
    size_t *at; /* while a part is made: where each page is there; else all DEST_NOWHERE */
};

static void read_opening(struct part_source *s)
{
    AUTO_OBJ struct obj root = obj_root(s->q);
    AUTO_OBJ struct obj opening = obj_key(root, "/OpenAction");
    AUTO_OBJ struct obj inner = obj_key(opening, "/D");

    if (obj_is_dict(opening) && !obj_key_is(opening, "/S", "/GoTo"))
        s->opening = (struct dest){ .page = DEST_NOWHERE, .name = DEST_NOWHERE };
    else
        dest_resolve(&s->names, obj_is_dict(opening) ? inner : opening, &s->opening);
}

/* The number of pieces of content whose tags do not name their page: they are on none. */
static size_t without_page(const struct tags *tags)
{
    size_t n = 0;

    for (size_t i = 0; i < tags->n; i++)
        n += tags->items[i].kind == TAG_CONTENT && tags->items[i].page == TAG_NONE;
    return n;
}

static void warn(const struct part_source *s, struct obj scripts)
{
    size_t lost = without_page(&s->tags);
    AUTO_KEYS char **ways = obj_keys(scripts);
    AUTO_OBJ struct obj root = obj_root(s->q);
    AUTO_OBJ struct obj trees = obj_key(root, "/Names");
    AUTO_OBJ struct obj files = obj_key(trees, "/EmbeddedFiles");
    AUTO_OBJ struct obj names = obj_key(files, "/Names");
    AUTO_OBJ struct obj kids = obj_key(files, "/Kids");
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    struct tool_run *run = s->doc->run;

    if (!run)
        return;
    if (s->kind == PART_OF_IT && (obj_count(names) > 0 || obj_count(kids) > 0))
        tool_warn(run, "attachments_dropped",
                  "attachments belong to the whole document and are not copied into its parts");
    if (s->kind == PART_OF_IT && ways && *ways)
        tool_warn(run, "scripts_dropped",
                  "document scripts are not copied into the parts; scripts of form fields are");
    if (obj_has(form, "/XFA"))
        tool_warn(run, "xfa_dropped",
                  "the XFA form is not copied into the parts, which keep its plain fields");
    if (s->kind == PART_OF_IT && s->unplaced.n_lost > 0)
        tool_warn(run, "fields_dropped",
                  "form fields that are on no page belong to the whole document and are not copied "
                  "into its parts: %zu, the first is \"%.100s\"",
                  s->unplaced.n_lost, buf_text(&s->unplaced.first));
    if (s->tags.too_many)
        tool_warn(run, "tags_dropped", "the document has too many tags to sort them out");
    else if (lost > 0)
        tool_warn(run, "tags_dropped",
                  "tags of %zu pieces of content do not say which page it is on, and are dropped",
                  lost);
}

static int read_source(struct part_source *s, struct err *err)
{
    if (qpdf_push_inherited_attributes_to_page(s->q) & (QPDF_ERRORS))
        return pdf_doc_check(s->doc, "pages", err);
    for (size_t i = 0; i < s->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(s->q, i);

        if (!idmap_add(&s->pages, obj_id(page), i))
            return pdf_doc_no_memory(err);
        s->at[i] = DEST_NOWHERE;
    }
    if (dest_names_read(&s->names, s->q, &s->pages, s->n_pages, err) < 0 ||
        outline_read(&s->outline, s->q, &s->names, err) < 0 ||
        labels_read(&s->labels, s->q, err) < 0 ||
        unplaced_find(&s->unplaced, s->q, &s->pages, s->n_pages, err) < 0 ||
        annots_open(&s->annots, s->q, &s->depth, err) < 0 ||
        unplaced_cut(&s->unplaced, &s->annots, &s->names, s->kind == PART_REDUCED, err) < 0 ||
        tags_read(&s->tags, s->q, &s->pages, s->n_pages, err) < 0)
        return -1;
    read_opening(s);
    s->kept = kept_collect(s->q);
    AUTO_OBJ struct obj scripts = scripts_collect(s->q, err);
    if (!scripts.q)
        return -1;
    if (s->kind == PART_REDUCED) {
        AUTO_OBJ struct obj files = attachments_collect(s->q, err);

        if (!files.q)
            return -1;
        obj_set(s->kept, "/Files", files);
        obj_set(s->kept, "/Scripts", scripts);
        outline_keep_actions(&s->outline, &s->depth);
    }
    warn(s, scripts);
    AUTO_OBJ struct obj root = obj_root(s->q);
    AUTO_OBJ struct obj layers = obj_key(root, "/OCProperties");
    if (!depth_is_safe(&s->depth, s->kept) || !depth_is_safe(&s->depth, layers))
        return pdf_doc_too_deep(err);
    return 0;
}

struct part_source *part_source_open(struct pdf_doc *doc, enum part_kind kind, struct err *err)
{
    struct part_source *s = calloc(1, sizeof *s);

    if (!s) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    s->doc = doc;
    s->kind = kind;
    s->q = doc->q;
    s->n_pages = doc->n_pages;
    s->list = calloc(s->n_pages, sizeof *s->list);
    s->at = calloc(s->n_pages, sizeof *s->at);
    if (!s->list || !s->at)
        pdf_doc_no_memory(err);
    else if (read_source(s, err) == 0)
        return s;
    part_source_close(s);
    return NULL;
}

void part_source_close(struct part_source *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->list && i < s->n_pages; i++)
        free(s->list[i].annots.items);
    free(s->list);
    free(s->at);
    idmap_free(&s->pages);
    dest_names_free(&s->names);
    outline_free(&s->outline);
    labels_free(&s->labels);
    tags_free(&s->tags);
    annots_close(&s->annots);
    unplaced_free(&s->unplaced);
    prune_free(&s->prune);
    depth_free(&s->depth);
    obj_drop(&s->kept);
    free(s);
}

const struct outline *part_source_outline(const struct part_source *s)
{
    return &s->outline;
}

/* What a page keeps (ISO 32000-2, table 31); the rest belongs to the document, or to programs that
 * put more into it than one page. */
static bool strip_page(struct obj page)
{
    static const char *const own[] = {
        "/Type",         "/Parent",       "/Contents", "/Resources", "/MediaBox",      "/CropBox",
        "/BleedBox",     "/Group",        "/TrimBox",  "/ArtBox",    "/Rotate",        "/Thumb",
        "/BoxColorInfo", "/Annots",       "/Tabs",     "/Metadata",  "/UserUnit",      "/VP",
        "/Trans",        "/LastModified", "/Dur",      "/AA",        "/StructParents",
    };
    AUTO_KEYS char **keys = obj_keys(page);

    for (size_t i = 0; keys && keys[i]; i++) {
        bool stays = false;

        for (size_t k = 0; k < COUNT(own); k++)
            stays |= strcmp(keys[i], own[k]) == 0;
        if (!stays)
            obj_remove(page, keys[i]);
    }
    action_confine_triggers(page);
    return keys != NULL;
}

/* Makes a page of the source fit to be copied. */
static int prepare_page(struct part_source *s, size_t number, struct err *err)
{
    struct source_page *ready = &s->list[number];
    AUTO_OBJ struct obj page = obj_page(s->q, number);

    if (ready->ready)
        return 0;
    ready->ready = true;
    if (!strip_page(page) || !prune_page(&s->prune, page))
        return pdf_doc_no_memory(err);
    if (annots_read(&s->annots, page, &s->names, &ready->annots, err) < 0)
        return -1;
    return depth_is_safe(&s->depth, page) ? 0 : pdf_doc_too_deep(err);
}

static int add_pages(struct part_source *s, const size_t *pages, size_t n, struct pdf_doc *part,
                     struct err *err)
{
    qpdf_data to = part->q;

    for (size_t i = 0; i < n; i++) {
        if (prepare_page(s, pages[i], err) < 0)
            return -1;
        AUTO_OBJ struct obj page = obj_page(s->q, pages[i]);
        if (qpdf_add_page(to, s->q, page.oh, QPDF_FALSE) & (QPDF_ERRORS))
            return pdf_doc_check(part, "copy a page", err);
        if (s->at[pages[i]] == DEST_NOWHERE) {
            s->at[pages[i]] = i;
        } else {
            /* Tags belong to the first of two copies. */
            AUTO_OBJ struct obj copy = obj_page(to, i);
            obj_remove(copy, "/StructParents");
        }
    }
    return 0;
}

static int add_annots(struct part_source *s, const size_t *pages, size_t n, qpdf_data to,
                      struct obj kept, struct err *err)
{
    struct fields_part fields = { .fields = &s->annots.fields };
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj form = obj_key(kept, "/Form");
    AUTO_OBJ struct obj resources = obj_key(kept, "/Resources");
    int done = 0;

    for (size_t i = 0; i < n && done == 0; i++) {
        AUTO_OBJ struct obj page = obj_page(to, i);
        done =
            annots_put(&s->annots, &s->list[pages[i]].annots, page, &s->names, s->at, &fields, err);
    }
    if (done == 0)
        done = unplaced_put(&s->unplaced, &s->annots, to, &s->names, s->at, &fields, err);
    if (done == 0 && fields_part_end(&fields, form)) {
        obj_set(form, "/DR", resources);
        obj_set(root, "/AcroForm", form);
    }
    fields_part_free(&fields);
    return done;
}

/* Both kinds of named destinations that lead into the part. */
static void add_names(struct part_source *s, qpdf_data to)
{
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj pairs = obj_new_array(to);
    AUTO_OBJ struct obj old = obj_new_dict(to);
    bool any_old = false;

    for (size_t i = 0; i < s->names.n; i++) {
        const struct dest_name *name = &s->names.items[i];

        if (s->at[name->page] == DEST_NOWHERE)
            continue;
        AUTO_OBJ struct obj page = obj_page(to, s->at[name->page]);
        AUTO_OBJ struct obj value = dest_array(page, name->view);
        any_old |= name->old;
        if (name->old) {
            obj_set(old, name->text, value);
        } else {
            AUTO_OBJ struct obj text = obj_new_string(to, name->text, name->n);
            obj_append(pairs, text);
            obj_append(pairs, value);
        }
    }
    if (any_old)
        obj_set(root, "/Dests", old);
    if (obj_count(pairs) > 0) {
        AUTO_OBJ struct obj names = obj_parse(to, "<</Dests<<>>>>");
        AUTO_OBJ struct obj tree = obj_key(names, "/Dests");
        obj_set(tree, "/Names", pairs);
        obj_set(root, "/Names", names);
    }
}

/* Puts what was collected of the whole document into a name tree and the catalog. */
static void add_whole(qpdf_data to, struct obj from, const char *name, const char *const *keys)
{
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj pairs = obj_key(from, "/Names");
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_new_dict(to);
    AUTO_OBJ struct obj none = obj_new_dict(to);

    for (; *keys; keys++) {
        AUTO_OBJ struct obj value = obj_key(from, *keys);

        if (!obj_is_null(value))
            obj_set(root, *keys, value);
    }
    if (obj_count(pairs) <= 0)
        return;
    obj_set(tree, "/Names", pairs);
    obj_set(obj_is_dict(names) ? names : none, name, tree);
    if (!obj_is_dict(names))
        obj_set(root, "/Names", none);
}

static void add_files_and_scripts(qpdf_data to, struct obj kept)
{
    static const char *const of_files[] = { "/AF", NULL };
    static const char *const of_scripts[] = { "/AA", "/OpenAction", NULL };
    AUTO_OBJ struct obj files = obj_key(kept, "/Files");
    AUTO_OBJ struct obj scripts = obj_key(kept, "/Scripts");

    add_whole(to, files, "/EmbeddedFiles", of_files);
    add_whole(to, scripts, "/JavaScript", of_scripts);
}

static int add_tags(struct part_source *s, const size_t *pages, size_t n, qpdf_data to,
                    struct obj kept, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj plain = obj_key(kept, "/Tags");
    AUTO_FREE size_t *list = calloc(n, sizeof *list);
    size_t n_list = 0;
    bool tagged;

    if (!list)
        return pdf_doc_no_memory(err);
    if (s->tags.n == 0)
        return 0;
    obj_set_name(plain, "/Type", "/StructTreeRoot");
    AUTO_OBJ struct obj tree = obj_indirect(plain);
    for (size_t i = 0; i < n; i++)
        if (s->at[pages[i]] == i)
            list[n_list++] = pages[i];
    if (tags_copy(&s->tags, to, list, n_list, s->at, tree, &tagged, err) < 0)
        return -1;
    if (tagged)
        obj_set(root, "/StructTreeRoot", tree);
    return 0;
}

/* What does not depend on pages, and what depends on what else is there. */
static void add_catalog(struct part_source *s, qpdf_data to, struct obj kept)
{
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj trailer = obj_trailer(to);
    AUTO_OBJ struct obj catalog = obj_key(kept, "/Catalog");
    AUTO_OBJ struct obj viewer = obj_key(kept, "/Viewer");
    AUTO_OBJ struct obj info = obj_key(kept, "/Info");
    AUTO_KEYS char **keys = obj_keys(catalog);
    AUTO_KEYS char **preferences = obj_keys(viewer);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(catalog, keys[i]);
        obj_set(root, keys[i], value);
    }
    if (preferences && *preferences)
        obj_set(root, "/ViewerPreferences", viewer);
    if (obj_is_indirect(info))
        obj_set(trailer, "/Info", info);
    if (!obj_has(root, "/StructTreeRoot"))
        obj_remove(root, "/MarkInfo");
    if ((s->kind == PART_OF_IT && obj_key_is(root, "/PageMode", "/UseAttachments")) ||
        (obj_key_is(root, "/PageMode", "/UseOutlines") && !obj_has(root, "/Outlines")) ||
        (obj_key_is(root, "/PageMode", "/UseOC") && !obj_has(root, "/OCProperties")))
        obj_remove(root, "/PageMode");
    if (s->opening.page != DEST_NOWHERE && s->at[s->opening.page] != DEST_NOWHERE) {
        AUTO_OBJ struct obj page = obj_page(to, s->at[s->opening.page]);
        AUTO_OBJ struct obj value = dest_array(page, s->opening.view);
        obj_set(root, "/OpenAction", value);
    }
}

static int fill_part(struct part_source *s, const size_t *pages, size_t n, struct pdf_doc *part,
                     struct err *err)
{
    qpdf_data to = part->q;

    if (add_pages(s, pages, n, part, err) < 0)
        return -1;
    AUTO_OBJ struct obj kept = obj_copy(to, s->kept);
    if (add_annots(s, pages, n, to, kept, err) < 0 || layers_copy(to, s->q, err) < 0 ||
        add_tags(s, pages, n, to, kept, err) < 0 ||
        outline_write(&s->outline, to, &s->names, pages, n, s->at, err) < 0)
        return -1;
    add_names(s, to);
    add_files_and_scripts(to, kept);
    labels_write(&s->labels, to, pages, n);
    add_catalog(s, to, kept);
    return 0;
}

int part_make(struct part_source *s, const size_t *pages, size_t n, struct pdf_doc *part,
              struct err *err)
{
    int done;

    if (n > PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a part would have more than %d pages",
                       PDF_DOC_PAGES);
    if (pdf_doc_new_like(part, s->doc, err) < 0)
        return -1;
    done = fill_part(s, pages, n, part, err);
    for (size_t i = 0; i < n; i++)
        s->at[pages[i]] = DEST_NOWHERE;
    if (done < 0 || pdf_doc_check(part, "copy pages", err) < 0)
        return -1;
    part->n_pages = n;
    return 0;
}
