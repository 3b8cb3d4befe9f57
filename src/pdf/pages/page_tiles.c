#include "pdf/pages/page_tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/overlay.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_form.h"
#include "pdf/pages/page_moves.h"
#include "pdf/pages/page_order.h"

struct tiles {
    struct pdf_doc *doc;
    const struct page_operation *op;
    struct page_moves moves;
    int64_t *ids; /* of the new pages */
    size_t n, cap;
    size_t *labels; /* the page that each new page's label is from */
    size_t n_labels, labels_cap;
};

/* How a page is cut: all in points as it is shown. */
struct cut {
    struct page_view view;
    size_t columns, rows;
    double matrix[6];     /* from the page's content to the whole poster */
    double width, height; /* of a tile; of the left one, where two differ */
    double step_x, step_y;
    double total; /* width of the poster */
};

static int add_page(struct tiles *t, int64_t id, size_t label, struct err *err)
{
    if (t->n >= PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    if (!LIST_ROOM(t->ids, t->n, t->cap) || !LIST_ROOM(t->labels, t->n_labels, t->labels_cap))
        return pdf_doc_no_memory(err);
    t->ids[t->n++] = id;
    t->labels[t->n_labels++] = label;
    return 0;
}

static int plan_poster(const struct page_operation *op, struct cut *cut, struct err *err)
{
    const struct page_view *view = &cut->view;
    double columns = (double) op->columns, rows = (double) op->rows, scale, high;
    double seen[6] = { 1, 0, 0, 1, 0, 0 };
    bool turn =
        op->has_paper && op->paper.named &&
        (view->width / columns > view->height / rows) != (op->paper.width > op->paper.height);

    cut->columns = (size_t) op->columns;
    cut->rows = (size_t) op->rows;
    cut->width = !op->has_paper ? view->width : turn ? op->paper.height : op->paper.width;
    cut->height = !op->has_paper ? view->height : turn ? op->paper.width : op->paper.height;
    cut->step_x = cut->width - op->overlap;
    cut->step_y = cut->height - op->overlap;
    if (cut->step_x < PAPER_POINT_MIN || cut->step_y < PAPER_POINT_MIN)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "the overlap leaves nothing of a page of %.0f by %.0f points", cut->width,
                       cut->height);
    cut->total = cut->step_x * (columns - 1) + cut->width;
    high = cut->step_y * (rows - 1) + cut->height;
    scale = fmin(cut->total / view->width, high / view->height);
    matrix_invert(view->matrix, seen);
    overlay_multiply(seen,
                     (const double[6]){ scale, 0, 0, scale, (cut->total - scale * view->width) / 2,
                                        (high - scale * view->height) / 2 },
                     cut->matrix);
    return 0;
}

static void plan_split(const struct page_operation *op, struct cut *cut)
{
    cut->columns = 2;
    cut->rows = 1;
    cut->width = cut->step_x = cut->view.width * op->at;
    cut->height = cut->step_y = cut->view.height;
    cut->total = cut->view.width;
    matrix_invert(cut->view.matrix, cut->matrix);
}

/* One tile, whose left bottom corner is at x, y of the poster. */
static int add_tile(struct tiles *t, const struct cut *cut, struct obj from, struct obj form,
                    const double corner[4], size_t index, struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_OBJ struct obj forms = obj_new_dict(t->doc->q);
    AUTO_OBJ struct obj resources = obj_new_dict(t->doc->q);
    const double box[4] = { 0, 0, corner[2], corner[3] };
    struct page_move move = { .from = obj_id(from), .form = obj_id(form), .alone = true };
    double back[6] = { 1, 0, 0, 1, 0, 0 };
    char name[32];

    overlay_multiply(cut->matrix, (const double[6]){ 1, 0, 0, 1, -corner[0], -corner[1] },
                     move.matrix);
    matrix_invert(move.matrix, back);
    matrix_box(back, box, move.window);
    page_form_name(0, name, sizeof name);
    obj_set(forms, name, form);
    obj_set(resources, "/XObject", forms);
    page_form_draw(&content, move.matrix, 0);
    if (content.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj page = page_form_page(t->doc->q, corner[2], corner[3], &content, resources);
    move.to = obj_id(page);
    if (add_page(t, move.to, index, err) < 0)
        return -1;
    return page_moves_add(&t->moves, &move, err);
}

static void place_tile(const struct tiles *t, const struct cut *cut, size_t k, double corner[4])
{
    size_t column = k % cut->columns, row = k / cut->columns;

    if (t->op->right_to_left)
        column = cut->columns - 1 - column;
    corner[0] = (double) column * cut->step_x;
    corner[1] = (double) (cut->rows - 1 - row) * cut->step_y;
    corner[2] = cut->width;
    corner[3] = cut->height;
    if (t->op->kind == PAGE_SPLIT && column == 1)
        corner[2] = cut->total - cut->width;
}

/* The first tile has the tags of the page; the others, if there are tags, a form without them. */
static int cut_page(struct tiles *t, const struct cut *cut, struct obj from, size_t index,
                    struct err *err)
{
    AUTO_OBJ struct obj form = OBJ_NONE;
    AUTO_OBJ struct obj plain = OBJ_NONE;

    if (page_form_make(from, &cut->view, true, &form, err) < 0)
        return -1;
    if (!obj_has(form, "/StructParents"))
        plain = obj_same(form);
    else if (page_form_make(from, &cut->view, false, &plain, err) < 0)
        return -1;
    for (size_t k = 0; k < cut->columns * cut->rows; k++) {
        double corner[4];

        place_tile(t, cut, k, corner);
        if (add_tile(t, cut, from, k ? plain : form, corner, index, err) < 0)
            return -1;
    }
    return 0;
}

static int make_tiles(struct tiles *t, const bool *wanted, size_t *n_cut, struct err *err)
{
    bool split = t->op->kind == PAGE_SPLIT;

    *n_cut = 0;
    page_order_begin(t->doc);
    for (size_t i = 0; i < t->doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(t->doc->q, i);
        struct cut cut = { .columns = 1 };

        page_view_read(page, &cut.view);
        if (!wanted[i] || (split && !t->op->every && cut.view.width <= cut.view.height)) {
            if (add_page(t, obj_id(page), i, err) < 0)
                return -1;
            continue;
        }
        if (split)
            plan_split(t->op, &cut);
        else if (plan_poster(t->op, &cut, err) < 0)
            return -1;
        if (cut_page(t, &cut, page, i, err) < 0)
            return -1;
        ++*n_cut;
    }
    if (page_moves_apply(&t->moves, t->doc->q, err) < 0)
        return -1;
    return page_order_set(t->doc, t->ids, t->labels, t->n, err);
}

int page_tiles_make(struct pdf_doc *doc, const struct page_operation *op, const bool *wanted,
                    size_t *cut, struct err *err)
{
    struct tiles tiles = { .doc = doc, .op = op };
    int done = make_tiles(&tiles, wanted, cut, err);

    free(tiles.ids);
    free(tiles.labels);
    page_moves_free(&tiles.moves);
    return done;
}
