#include "pdf/pages/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "pdf/content/overlay.h"
#include "pdf/extract/part.h"
#include "pdf/forms/unsign.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/page_compose.h"
#include "pdf/pages/page_form.h"
#include "pdf/pages/page_order.h"
#include "pdf/pages/page_resize.h"
#include "pdf/pages/page_sheets.h"
#include "pdf/pages/page_tiles.h"

/* A version of the document, and what must be kept until the last one is written. */
struct version {
    struct pdf_doc doc;
    struct part_source *source; /* the next version is part of this one */
};

struct making {
    const struct pages_job *job;
    struct version versions[PAGE_OPERATIONS_ITEMS + 1];
    size_t n; /* number of versions: the last one is the current one */
    struct overlay *overlays[PAGE_OPERATIONS_ITEMS];
    size_t n_overlays;
    struct pdf_doc other;
    bool dropped;       /* annotations of the other document */
    size_t lost_extras; /* number of pages that had something besides what moves along */
};

static struct pdf_doc *current(struct making *m)
{
    return &m->versions[m->n - 1].doc;
}

/* The pages of a list, in its order. */
static int resolve(struct making *m, const char *list, struct page_list *pages, struct err *err)
{
    size_t n = current(m)->n_pages;

    if (page_list_resolve(list ? list : "all", n, pages, err) < 0)
        return -1;
    if (pages->clamped)
        tool_warn(m->job->run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", n);
    return 0;
}

static bool *wanted_pages(struct making *m, const char *list, struct err *err)
{
    AUTO_PAGE_LIST struct page_list pages = { 0 };

    return resolve(m, list, &pages, err) < 0 ? NULL
                                             : page_list_map(&pages, current(m)->n_pages, err);
}

static struct overlay *new_overlay(struct making *m, bool under, const char *name, struct err *err)
{
    struct overlay_style style = { .under = under, .artifact = "/Header", .name = name };
    struct overlay *overlay = overlay_new(current(m)->q, &style, err);

    if (overlay)
        m->overlays[m->n_overlays++] = overlay;
    return overlay;
}

/* Makes a version of some pages of the current one. */
static int make_part(struct making *m, const size_t *pages, size_t n, struct err *err)
{
    struct version *from = &m->versions[m->n - 1], *to = from + 1;

    if (n > PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    from->source = part_source_open(&from->doc, PART_REDUCED, err);
    if (!from->source)
        return -1;
    m->n++;
    return part_make(from->source, pages, n, &to->doc, err);
}

static int crop_page(struct making *m, const struct page_operation *op, size_t index,
                     const double area[4], struct err *err)
{
    AUTO_OBJ struct obj page = obj_page(current(m)->q, index);
    const double *cut = op->margins, pad = op->padding;
    double part[4];
    struct page_view view;

    page_view_read(page, &view);
    memcpy(part, op->box, sizeof part);
    if (op->automatic && area[2] <= 0)
        return 0;
    if (op->automatic) {
        const double padded[4] = { area[0] - pad, area[1] - pad, area[2] + 2 * pad,
                                   area[3] + 2 * pad };
        memcpy(part, padded, sizeof part);
    } else if (op->has_margins) {
        const double rest[4] = { cut[3], cut[0], view.width - cut[1] - cut[3],
                                 view.height - cut[0] - cut[2] };
        memcpy(part, rest, sizeof part);
    }
    if (page_resize_crop(page, part))
        return 0;
    if (op->automatic)
        return 0; /* a dot, which is less than a page can be */
    return err_set(err, ERR_INVALID_PARAMETER,
                   "nothing of page %zu, which has %.0f by %.0f points, would be left", index + 1,
                   view.width, view.height);
}

static int crop(struct making *m, const struct page_operation *op, const bool *wanted,
                struct err *err)
{
    struct pdf_doc *doc = current(m);
    AUTO_FREE double(*areas)[4] = calloc(doc->n_pages, sizeof *areas);
    size_t blank = 0;

    if (!areas)
        return pdf_doc_no_memory(err);
    if (op->automatic && m->job->measure(m->job, doc, wanted, areas, err) < 0)
        return -1;
    page_order_begin(doc);
    for (size_t i = 0; i < doc->n_pages; i++) {
        if (!wanted[i])
            continue;
        blank += op->automatic && areas[i][2] <= 0;
        if (crop_page(m, op, i, areas[i], err) < 0)
            return -1;
    }
    if (blank > 0)
        tool_warn(m->job->run, "blank_pages_kept",
                  "%zu blank pages keep their size, as nothing is drawn on them", blank);
    return 0;
}

static int resize(struct making *m, const struct page_operation *op, const bool *wanted,
                  struct err *err)
{
    struct overlay *overlay = new_overlay(m, false, "/Page", err);

    return overlay ? page_resize_make(current(m), overlay, op, wanted, err) : -1;
}

static int compose_step(struct making *m, const struct page_operation *op, const bool *wanted,
                        struct err *err)
{
    struct overlay *overlay = new_overlay(m, op->under, "/Compose", err);

    if (!overlay)
        return -1;
    if (!m->other.q && pdf_doc_open(&m->other, m->job->other->path, NULL, m->job->run, err) < 0)
        return err_wrap(err, "with");
    return page_compose_make(current(m), &m->other, overlay, op, wanted, &m->dropped, err);
}

static int tile(struct making *m, const struct page_operation *op, const bool *wanted,
                struct err *err)
{
    size_t cut;

    if (page_tiles_make(current(m), op, wanted, &cut, err) < 0)
        return -1;
    if (cut == 0)
        tool_warn(m->job->run, "no_page_split", "no page is wider than it is high: none was split");
    return 0;
}

static int remove_pages(struct making *m, const struct page_operation *op, const bool *wanted,
                        struct err *err)
{
    size_t n = 0, n_pages = current(m)->n_pages;
    AUTO_FREE size_t *kept = calloc(n_pages, sizeof *kept);

    (void) op;
    if (!kept)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < n_pages; i++)
        if (!wanted[i])
            kept[n++] = i;
    if (n == 0)
        return err_set(err, ERR_PAGE_OUT_OF_RANGE, "no page would be left");
    return make_part(m, kept, n, err);
}

static int duplicate(struct making *m, const struct page_operation *op, const bool *wanted,
                     struct err *err)
{
    size_t n = 0, n_pages = current(m)->n_pages, most = 0;
    AUTO_FREE size_t *all = NULL;

    for (size_t i = 0; i < n_pages; i++)
        most += wanted[i] ? (size_t) op->count + 1 : 1;
    if (most > PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    all = calloc(most, sizeof *all);
    if (!all)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < n_pages; i++)
        for (int64_t k = 0; k <= (wanted[i] ? op->count : 0); k++)
            all[n++] = i;
    return make_part(m, all, n, err);
}

/* Puts the pages in another order, in which each is once. */
static int permute(struct making *m, const size_t *order, struct err *err)
{
    struct pdf_doc *doc = current(m);
    AUTO_FREE int64_t *ids = calloc(doc->n_pages, sizeof *ids);

    if (!ids)
        return pdf_doc_no_memory(err);
    page_order_begin(doc);
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, order[i]);

        ids[i] = obj_id(page);
    }
    return page_order_set(doc, ids, order, doc->n_pages, err);
}

static int reverse(struct making *m, const struct page_operation *op, const bool *wanted,
                   struct err *err)
{
    size_t n = current(m)->n_pages;
    AUTO_FREE size_t *order = calloc(n, sizeof *order);

    (void) op;
    (void) wanted;
    if (!order)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < n; i++)
        order[i] = n - 1 - i;
    return permute(m, order, err);
}

static int reorder(struct making *m, const struct page_operation *op, const bool *wanted,
                   struct err *err)
{
    AUTO_PAGE_LIST struct page_list pages = { 0 };
    size_t n = 0, n_pages = current(m)->n_pages;
    AUTO_FREE size_t *order = calloc(n_pages, sizeof *order);
    AUTO_FREE bool *seen = calloc(n_pages, sizeof *seen);

    (void) wanted;
    if (!order || !seen)
        return pdf_doc_no_memory(err);
    if (resolve(m, op->pages, &pages, err) < 0)
        return -1;
    for (size_t i = 0; i < pages.n_items; i++)
        for (size_t k = 0; k < pages.items[i].n; k++) {
            size_t page = pages.items[i].pages[k];

            if (seen[page])
                return err_set(err, ERR_INVALID_PARAMETER,
                               "the order names page %zu twice: use duplicate for copies",
                               page + 1);
            seen[page] = true;
            order[n++] = page;
        }
    for (size_t i = 0; i < n_pages; i++) /* pages that are not named come after those that are */
        if (!seen[i])
            order[n++] = i;
    return permute(m, order, err);
}

static int64_t new_blank(struct pdf_doc *doc, const struct page_operation *op, size_t like)
{
    AUTO_OBJ struct obj page = obj_page(doc->q, like);
    AUTO_OBJ struct obj resources = obj_new_dict(doc->q);
    struct buf nothing = BUF_EMPTY;
    struct page_view view;

    page_view_read(page, &view);
    AUTO_OBJ struct obj blank =
        page_form_page(doc->q, op->has_paper ? op->paper.width : view.width,
                       op->has_paper ? op->paper.height : view.height, &nothing, resources);
    return obj_id(blank);
}

static int insert_at(struct making *m, const struct page_operation *op, const bool *wanted,
                     struct err *err)
{
    struct pdf_doc *doc = current(m);
    size_t n = 0, most = doc->n_pages, count = (size_t) op->count;
    AUTO_FREE int64_t *ids = NULL;
    AUTO_FREE size_t *before = NULL;

    for (size_t i = 0; i <= doc->n_pages; i++)
        most += wanted[i] ? count : 0;
    if (most > PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    ids = calloc(most, sizeof *ids);
    before = calloc(most, sizeof *before);
    if (!ids || !before)
        return pdf_doc_no_memory(err);
    page_order_begin(doc);
    for (size_t i = 0; i <= doc->n_pages; i++) {
        if (i > 0) {
            AUTO_OBJ struct obj page = obj_page(doc->q, i - 1);

            before[n] = i - 1;
            ids[n++] = obj_id(page);
        }
        for (size_t k = 0; wanted[i] && k < count; k++) {
            before[n] = i > 0 ? i - 1 : 0;
            ids[n++] = new_blank(doc, op, i > 0 ? i - 1 : 0);
        }
    }
    return page_order_set(doc, ids, before, n, err);
}

static int insert(struct making *m, const struct page_operation *op, const bool *wanted,
                  struct err *err)
{
    size_t n = current(m)->n_pages;
    AUTO_FREE bool *after = calloc(n + 1, sizeof *after); /* page i, counted from 1; 0: the front */

    (void) wanted;
    if (!after)
        return pdf_doc_no_memory(err);
    if (strcmp(op->after, "0") == 0) {
        after[0] = true;
    } else {
        AUTO_FREE bool *listed = wanted_pages(m, op->after, err);

        if (!listed)
            return -1;
        memcpy(after + 1, listed, n * sizeof *after);
    }
    return insert_at(m, op, after, err);
}

static int impose(struct making *m, const struct page_operation *op, const bool *wanted,
                  struct err *err)
{
    (void) wanted;
    return page_sheets_make(current(m), op, err);
}

/* What each kind of operation does. `wanted` says which pages it is for; it is for all pages where
 * the operation has no list, and not set where it finds its pages itself. */
static const struct step {
    int (*run)(struct making *m, const struct page_operation *op, const bool *wanted,
               struct err *err);
    bool selects;
} steps[] = {
    [PAGE_CROP] = { crop, true },
    [PAGE_RESIZE] = { resize, true },
    [PAGE_SCALE] = { resize, true },
    [PAGE_NUP] = { impose, false },
    [PAGE_BOOKLET] = { impose, false },
    [PAGE_BLANK] = { insert, false },
    [PAGE_DELETE] = { remove_pages, true },
    [PAGE_REORDER] = { reorder, false },
    [PAGE_REVERSE] = { reverse, false },
    [PAGE_DUPLICATE] = { duplicate, true },
    [PAGE_POSTER] = { tile, true },
    [PAGE_SPLIT] = { tile, true },
    [PAGE_COMPOSE] = { compose_step, true },
};

/* What pages have besides content, tags, annotations and destinations (ISO 32000-2, table 31), and
 * what a page that is made of a part of one, or of several, cannot have. */
static bool has_extras(struct obj page)
{
    static const char *const keys[] = { "/AA",       "/Trans", "/Dur",      "/VP",
                                        "/Metadata", "/AF",    "/PresSteps" };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (obj_has(page, keys[i]))
            return true;
    return false;
}

static void note_extras(struct making *m, const struct page_operation *op, const bool *wanted)
{
    struct pdf_doc *doc = current(m);

    if (op->kind != PAGE_NUP && op->kind != PAGE_BOOKLET && op->kind != PAGE_POSTER &&
        op->kind != PAGE_SPLIT)
        return;
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        struct page_view view;

        page_view_read(page, &view);
        if ((wanted && !wanted[i]) ||
            (op->kind == PAGE_SPLIT && !op->every && view.width <= view.height))
            continue;
        m->lost_extras += has_extras(page);
    }
}

static int operate(struct making *m, const struct page_operation *op, struct err *err)
{
    const struct step *step = &steps[op->kind];
    AUTO_FREE bool *wanted = step->selects ? wanted_pages(m, op->pages, err) : NULL;

    if (step->selects && !wanted)
        return -1;
    note_extras(m, op, wanted);
    return step->run(m, op, wanted, err);
}

static int make(struct making *m, size_t *n_pages, struct err *err)
{
    const struct pages_job *job = m->job;
    size_t n = job->operations->n;

    if (pdf_doc_open(&m->versions[0].doc, job->run->inputs[0].path, job->password, job->run, err) <
        0)
        return -1;
    m->n = 1;
    unsign_document(current(m));
    for (size_t i = 0; i < n; i++) {
        if (operate(m, &job->operations->items[i], err) < 0)
            return page_operations_blame(job->name, i, err);
        tool_progress(job->run, 0.8 * (double) (i + 1) / (double) n);
    }
    if (m->dropped)
        tool_warn(job->run, "annotations_dropped",
                  "the document that was put over or under the pages has annotations that are not "
                  "links to addresses: they were left out");
    if (m->lost_extras > 0)
        tool_warn(job->run, "page_extras_dropped",
                  "%zu pages had transitions, display times, actions, viewports, metadata or files "
                  "of their own: the pages that were made of them do not have these",
                  m->lost_extras);
    pdf_doc_warn(&m->versions[0].doc);
    *n_pages = current(m)->n_pages;
    return pdf_doc_save(current(m), job->run->output, NULL, err);
}

int pages_make(const struct pages_job *job, size_t *n_pages, struct err *err)
{
    struct making *m = calloc(1, sizeof *m);
    int done;

    if (!m)
        return pdf_doc_no_memory(err);
    m->job = job;
    done = make(m, n_pages, err);
    for (size_t i = m->n; i-- > 0;) {
        pdf_doc_close(&m->versions[i].doc);
        if (i > 0)
            part_source_close(m->versions[i - 1].source);
    }
    for (size_t i = 0; i < m->n_overlays; i++)
        overlay_free(&m->overlays[i]);
    if (m->other.q)
        pdf_doc_close(&m->other);
    free(m);
    return done;
}
