#include "pdf/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/text.h"
#include "pdf/forms/flatten.h"
#include "pdf/forms/unsign.h"
#include "pdf/graft/graft.h"
#include "pdf/graft/graft_share.h"
#include "pdf/merge/merge_arrange.h"
#include "pdf/merge/merge_form.h"

#define MAX_PAGES 1000000

/* Forms come before links are visited, and all before the pages are added. */
static const struct merge_part *const parts[] = { &merge_names,  &merge_tags,   &merge_fields,
                                                  &merge_labels, &merge_layers, &merge_outline,
                                                  &merge_catalog };

/* "report" of "report.pdf", else the document's title, else its number. */
static void find_title(struct merge *m, struct merge_source *s)
{
    const char *name = m->options->sources ? "" : m->run->inputs[s->number].name;
    struct obj title = obj_key(obj_key(obj_trailer(s->doc.q), "/Info"), "/Title");
    size_t n;

    if (m->options->sources) {
        snprintf(s->title, sizeof s->title, "%.200s %zu", m->run->stem, s->number + 1);
    } else if (*name) {
        snprintf(s->title, sizeof s->title, "%s", name);
        text_cut_extension(s->title);
    } else if (obj_is_string(title)) {
        const char *text = qpdf_oh_get_binary_utf8_value(title.q, title.oh, &n);
        text_for_message(text, n, s->title, sizeof s->title);
    }
    if (!*s->title)
        snprintf(s->title, sizeof s->title, "%zu", s->number + 1);
}

/*
 * Puts the pages into the bag. They must not know the page tree they were in, and qpdf must not
 * know them as pages, or it would not follow what refers to them.
 */
static int collect_pages(struct merge_source *s, struct err *err)
{
    struct obj kids = merge_put_array(s, "/Kids");

    if (qpdf_push_inherited_attributes_to_page(s->doc.q) & (QPDF_ERRORS))
        return pdf_doc_check(&s->doc, "pages", err);
    for (size_t i = 0; i < s->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(s->doc.q, i);
        obj_append(kids, page);
    }
    return 0;
}

static void hide_pages(struct merge_source *s)
{
    for (size_t i = 0; i < s->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(s->doc.q, i);
        obj_remove(page, "/Parent");
        obj_remove(page, "/DPart");
        obj_set_name(page, "/Type", "/HiddenPage");
    }
}

/* Whatever else leads to the catalog or to a tree of it shall not bring it along. */
static int strip_catalog(struct merge_source *s, struct err *err)
{
    struct obj root = obj_root(s->doc.q);
    AUTO_KEYS char **keys = obj_keys(root);
    AUTO_KEYS char **of_tree = obj_keys(obj_key(root, "/StructTreeRoot"));

    if (!keys || !of_tree)
        return merge_no_memory(err);
    for (char **key = of_tree; *key; key++)
        obj_remove(obj_key(root, "/StructTreeRoot"), *key);
    for (char **key = keys; *key; key++)
        if (strcmp(*key, "/Pages") != 0)
            obj_remove(root, *key);
    return 0;
}

static int add_pages(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj pages = obj_key(s->in, "/Kids");
    int n = obj_count(pages);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj page = obj_item_in(pages, i);
        obj_set_name(page, "/Type", "/Page");
        if (qpdf_add_page(m->to.q, m->to.q, page.oh, QPDF_FALSE) & (QPDF_ERRORS))
            return pdf_doc_check(&m->to, "add page", err);
    }
    return 0;
}

static int graft_source(struct merge *m, struct merge_source *s, struct graft_share *share,
                        struct err *err)
{
    struct merge_visit visit = { m, s };
    AUTO_GRAFT struct graft graft = { .from = s->doc.q,
                                      .to = m->to.q,
                                      .visit = merge_links_visit,
                                      .arg = &visit,
                                      .marks = MERGE_LINKS_MARKS };
    int copy = graft_copy(&graft, obj_by_id(s->doc.q, s->bag, 0), err);

    if (copy == 0 || graft_share(share, &graft, err) < 0)
        return -1;
    if (renames_failed(&s->dests) || s->functions.failed || m->functions.failed)
        return merge_no_memory(err);
    s->in = merge_at(m, copy);
    return 0;
}

static int add_source(struct merge *m, struct merge_source *s, struct graft_share *share,
                      struct err *err)
{
    int64_t n_pages = (int64_t) s->doc.n_pages;

    s->bag = merge_number(obj_indirect(obj_new_dict(s->doc.q)));
    find_title(m, s);
    if (m->options->flatten &&
        flatten_document(&s->doc, &(struct flatten_options){ .fields = true }, m->options->painter,
                         m->run, err) < 0)
        return -1;
    unsign_document(&s->doc);
    if (collect_pages(s, err) < 0)
        return -1;
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (parts[i]->add(m, s, err) < 0)
            return -1;
        obj_forget_all(s->doc.q);
        obj_forget_all(m->to.q);
    }
    hide_pages(s);
    if (strip_catalog(s, err) < 0 || graft_source(m, s, share, err) < 0)
        return -1;
    int copy = merge_number(s->in);
    if (add_pages(m, s, err) < 0)
        return -1;
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (parts[i]->join(m, s, err) < 0)
            return -1;
        obj_forget_all(m->to.q);
        s->in = merge_at(m, copy);
    }
    m->n_pages += n_pages;
    return pdf_doc_check(&m->to, "merge", err);
}

static void source_close(struct merge_source *s)
{
    struct renames *renames[] = {
        &s->dests, &s->files, &s->ids, &s->roles, &s->classes, &s->fields
    };

    for (size_t i = 0; i < COUNT(renames); i++)
        renames_free(renames[i]);
    key_map_free(&s->parents);
    key_map_free(&s->functions);
    merge_form_free(s->form);
    *s->lent = pdf_doc_close_lent(&s->doc);
}

static int open_source(struct merge *m, size_t i, struct pdf_doc *doc, struct err *err)
{
    const struct merge_sources *sources = m->options->sources;

    if (sources)
        return sources->open(sources->arg, i, doc, err);
    return pdf_doc_open(doc, m->run->inputs[i].path, m->options->password, m->run, err);
}

static int merge_file(struct merge *m, size_t i, struct graft_share *share, struct err *err)
{
    __attribute__((cleanup(source_close))) struct merge_source s = { .number = i,
                                                                     .lent = &m->lent[i] };

    if (open_source(m, i, &s.doc, err) < 0)
        return -1;
    if (m->n_pages + (int64_t) s.doc.n_pages > MAX_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       MAX_PAGES);
    if (m->options->arrangement && merge_arrange_first(m, i, s.doc.n_pages, &s.first, err) < 0)
        return -1;
    if (s.doc.encrypted)
        tool_warn(m->run, "encryption_removed",
                  "a file was encrypted: the result is not; protect it again if it has to be");
    return add_source(m, &s, share, err);
}

/* Says which file it is about, in words that fit. */
static int blame(struct merge *m, size_t i, struct err *err)
{
    const struct merge_sources *sources = m->options->sources;
    const char *name = sources ? "" : m->run->inputs[i].name;
    char shown[100];

    if (err->code == ERR_INTERNAL)
        return -1;
    if (sources)
        return err_wrap(err, "%s %zu", sources->what, i + 1);
    text_for_message(name, strlen(name), shown, sizeof shown);
    return *shown ? err_wrap(err, "file %zu (%s)", i + 1, shown) : err_wrap(err, "file %zu", i + 1);
}

static int set_up_merge(struct merge *m, struct err *err)
{
    int *const arrays[] = { &m->items,     &m->labels,  &m->fields,  &m->order,     &m->elements,
                            &m->languages, &m->parents, &m->threads, &m->associated };
    int *const dicts[] = { &m->layers, &m->resources, &m->structure };

    m->lent = calloc(m->n_files, sizeof *m->lent);
    m->starts = calloc(m->n_files + 1, sizeof *m->starts);
    if (!m->lent || !m->starts)
        return merge_no_memory(err);
    if (pdf_doc_new(&m->to, err) < 0)
        return -1;
    for (size_t i = 0; i < COUNT(arrays); i++)
        *arrays[i] = merge_new_array(m);
    for (size_t i = 0; i < COUNT(dicts); i++)
        *dicts[i] = merge_new_dict(m);
    m->same_intents = m->same_language = true;
    return pdf_doc_check(&m->to, "new document", err);
}

static void close_all(struct merge *m)
{
    for (size_t i = 0; i < MERGE_TREES; i++) {
        for (size_t k = 0; k < m->trees[i].n; k++)
            buf_free(&m->trees[i].entries[k].key);
        free(m->trees[i].entries);
        key_map_free(&m->trees[i].taken);
    }
    key_map_free(&m->field_names);
    key_map_free(&m->functions);
    key_map_free(&m->layer_texts);
    pdf_doc_close(&m->to);
    for (size_t i = 0; m->lent && i < m->n_files; i++)
        free(m->lent[i]);
    free(m->lent);
    free(m->starts);
}

/* All of the files that are wanted. */
static int merge_each(struct merge *m, struct graft_share *share, struct err *err)
{
    const struct arrangement *arrangement = m->options->arrangement;

    for (size_t i = 0; i < m->n_files; i++) {
        m->starts[i] = (size_t) m->n_pages;
        if ((!arrangement || merge_arrange_uses(m, i)) && merge_file(m, i, share, err) < 0)
            return *err->field && !m->options->sources ? -1 : blame(m, i, err);
        tool_progress(m->run, 0.7 * (double) (i + 1) / (double) m->n_files);
    }
    m->starts[m->n_files] = (size_t) m->n_pages;
    return 0;
}

static int finish_merge(struct merge *m, struct err *err)
{
    for (size_t i = 0; i < COUNT(parts); i++) {
        if (parts[i]->finish(m, err) < 0)
            return -1;
        obj_forget_all(m->to.q);
    }
    return 0;
}

static int write_arranged(struct merge *m, size_t *pages, struct err *err)
{
    __attribute__((cleanup(merge_order_free))) struct merge_order order = { 0 };

    if (merge_arrange(m, &order, err) < 0 || finish_merge(m, err) < 0 ||
        merge_arrange_save(m, &order, err) < 0)
        return -1;
    *pages = order.n;
    return 0;
}

int merge_files(struct tool_run *run, const struct merge_options *options, size_t *pages,
                struct err *err)
{
    __attribute__((cleanup(close_all))) struct merge m = { .run = run,
                                                           .options = options,
                                                           .n_files = options->sources
                                                                          ? options->sources->n
                                                                          : run->n_inputs };
    __attribute__((cleanup(graft_share_free))) struct graft_share share = { 0 };

    if (set_up_merge(&m, err) < 0 || (options->arrangement && merge_arrange_check(&m, err) < 0) ||
        merge_each(&m, &share, err) < 0)
        return -1;
    if (options->arrangement)
        return write_arranged(&m, pages, err);
    if (finish_merge(&m, err) < 0 || pdf_doc_save(&m.to, run->output, NULL, err) < 0)
        return -1;
    *pages = (size_t) m.n_pages;
    return 0;
}
