#include "pdf/pages/page_sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "pdf/content/overlay.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_form.h"
#include "pdf/pages/page_moves.h"
#include "pdf/pages/page_order.h"

#define EMPTY SIZE_MAX /* a cell without a page */

struct sheets {
    struct pdf_doc *doc;
    size_t columns, rows;
    double width, height; /* of a sheet */
    double margin, gap;
    bool by_columns, right_to_left;
    size_t *cells; /* which page each cell has, sheet after sheet */
    size_t n_sheets;
    int64_t *ids;   /* of the sheets */
    size_t *labels; /* the page that each sheet's label is from */
    struct page_moves moves;
};

static double cell_width(const struct sheets *s, double width)
{
    double n = (double) s->columns;

    return (width - 2 * s->margin - (n - 1) * s->gap) / n;
}

static double cell_height(const struct sheets *s, double height)
{
    double n = (double) s->rows;

    return (height - 2 * s->margin - (n - 1) * s->gap) / n;
}

/* How large a page becomes on a sheet of this size. */
static double scale_on(const struct sheets *s, double width, double height,
                       const struct page_view *view)
{
    return fmin(cell_width(s, width) / view->width, cell_height(s, height) / view->height);
}

/* The size of the sheets: the paper, or the first page (two of them for a booklet), lying or
 * standing, as its pages become larger. */
static int choose_size(struct sheets *s, const struct page_operation *op, struct err *err)
{
    AUTO_OBJ struct obj first = obj_page(s->doc->q, 0);
    struct page_view view;

    page_view_read(first, &view);
    s->width = op->has_paper ? op->paper.width : view.width;
    s->height = op->has_paper ? op->paper.height : view.height;
    if (!op->has_paper && op->kind == PAGE_BOOKLET)
        s->width = fmin(2 * view.width + s->gap + 2 * s->margin, PAPER_POINT_MAX);
    else if ((!op->has_paper || op->paper.named) &&
             scale_on(s, s->height, s->width, &view) > scale_on(s, s->width, s->height, &view)) {
        double turned = s->width;

        s->width = s->height;
        s->height = turned;
    }
    if (cell_width(s, s->width) < PAPER_POINT_MIN || cell_height(s, s->height) < PAPER_POINT_MIN)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "margin and gap leave nothing of a sheet of %.0f by %.0f points for %zu by "
                       "%zu pages",
                       s->width, s->height, s->columns, s->rows);
    return 0;
}

static int make_room(struct sheets *s, size_t n_sheets, struct err *err)
{
    s->n_sheets = n_sheets;
    s->cells = calloc(n_sheets * s->columns * s->rows, sizeof *s->cells);
    s->ids = calloc(n_sheets, sizeof *s->ids);
    s->labels = calloc(n_sheets, sizeof *s->labels);
    return s->cells && s->ids && s->labels ? 0 : pdf_doc_no_memory(err);
}

static int fill_nup(struct sheets *s, struct err *err)
{
    size_t each = s->columns * s->rows, n = s->doc->n_pages;

    if (make_room(s, (n + each - 1) / each, err) < 0)
        return -1;
    for (size_t i = 0; i < s->n_sheets * each; i++)
        s->cells[i] = i < n ? i : EMPTY;
    return 0;
}

/* The sheets are folded in the middle and put into one another: the front of the first has the last
 * page and the first one. */
static int fill_booklet(struct sheets *s, struct err *err)
{
    size_t n = s->doc->n_pages, all = (n + 3) / 4 * 4;

    if (make_room(s, all / 2, err) < 0)
        return -1;
    for (size_t i = 0; i < s->n_sheets; i++) {
        size_t low = i, high = all - 1 - i;
        bool front = i % 2 == 0;

        s->cells[2 * i] = front ? high : low;
        s->cells[2 * i + 1] = front ? low : high;
    }
    for (size_t i = 0; i < all; i++)
        if (s->cells[i] >= n)
            s->cells[i] = EMPTY;
    return 0;
}

/* The place of cell k: its left bottom corner. */
static void place_cell(const struct sheets *s, size_t k, double *x, double *y)
{
    size_t column = s->by_columns ? k / s->rows : k % s->columns;
    size_t row = s->by_columns ? k % s->rows : k / s->columns;

    if (s->right_to_left)
        column = s->columns - 1 - column;
    *x = s->margin + (double) column * (cell_width(s, s->width) + s->gap);
    *y = s->height - s->margin - cell_height(s, s->height) -
         (double) row * (cell_height(s, s->height) + s->gap);
}

/* From the coordinates of a page's content to those of a sheet, where it is in the middle of cell
 * k. */
static void place_page(const struct sheets *s, const struct page_view *view, size_t k,
                       double matrix[6])
{
    double scale = scale_on(s, s->width, s->height, view), x, y;
    double seen[6] = { 1, 0, 0, 1, 0, 0 };

    place_cell(s, k, &x, &y);
    x += (cell_width(s, s->width) - scale * view->width) / 2;
    y += (cell_height(s, s->height) - scale * view->height) / 2;
    matrix_invert(view->matrix, seen);
    overlay_multiply(seen, (const double[6]){ scale, 0, 0, scale, x, y }, matrix);
}

static int put_in_cell(struct sheets *s, size_t page, size_t k, struct page_move *move,
                       struct buf *content, struct obj forms, struct err *err)
{
    AUTO_OBJ struct obj from = obj_page(s->doc->q, page);
    AUTO_OBJ struct obj form = OBJ_NONE;
    struct page_view view;
    char name[32];

    page_view_read(from, &view);
    place_page(s, &view, k, move->matrix);
    if (page_form_make(from, &view, true, &form, err) < 0)
        return -1;
    page_form_name(k, name, sizeof name);
    obj_set(forms, name, form);
    page_form_draw(content, move->matrix, k);
    move->from = obj_id(from);
    move->form = obj_id(form);
    memcpy(move->window, view.box, sizeof move->window);
    return 0;
}

static int make_sheet(struct sheets *s, size_t i, struct err *err)
{
    size_t each = s->columns * s->rows, first = s->moves.n;
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_OBJ struct obj forms = obj_new_dict(s->doc->q);
    AUTO_OBJ struct obj resources = obj_new_dict(s->doc->q);

    s->labels[i] = EMPTY;
    for (size_t k = 0; k < each; k++) {
        size_t page = s->cells[i * each + k];
        struct page_move move = { .alone = each == 1 };

        if (page == EMPTY)
            continue;
        if (s->labels[i] == EMPTY || page < s->labels[i])
            s->labels[i] = page;
        if (put_in_cell(s, page, k, &move, &content, forms, err) < 0 ||
            page_moves_add(&s->moves, &move, err) < 0)
            return -1;
    }
    if (content.failed)
        return pdf_doc_no_memory(err);
    if (s->labels[i] == EMPTY)
        s->labels[i] = 0;
    obj_set(resources, "/XObject", forms);
    AUTO_OBJ struct obj sheet = page_form_page(s->doc->q, s->width, s->height, &content, resources);
    s->ids[i] = obj_id(sheet);
    for (size_t k = first; k < s->moves.n; k++)
        s->moves.items[k].to = s->ids[i];
    return 0;
}

static int make_sheets(struct sheets *s, const struct page_operation *op, struct err *err)
{
    bool booklet = op->kind == PAGE_BOOKLET;

    s->columns = booklet ? 2 : (size_t) op->columns;
    s->rows = booklet ? 1 : (size_t) op->rows;
    if (choose_size(s, op, err) < 0 || (booklet ? fill_booklet(s, err) : fill_nup(s, err)) < 0)
        return -1;
    page_order_begin(s->doc);
    for (size_t i = 0; i < s->n_sheets; i++)
        if (make_sheet(s, i, err) < 0)
            return -1;
    if (page_moves_apply(&s->moves, s->doc->q, err) < 0)
        return -1;
    return page_order_set(s->doc, s->ids, s->labels, s->n_sheets, err);
}

int page_sheets_make(struct pdf_doc *doc, const struct page_operation *op, struct err *err)
{
    struct sheets sheets = { .doc = doc,
                             .margin = op->margin,
                             .gap = op->gap,
                             .by_columns = op->by_columns,
                             .right_to_left = op->right_to_left };
    int done = make_sheets(&sheets, op, err);

    free(sheets.cells);
    free(sheets.ids);
    free(sheets.labels);
    page_moves_free(&sheets.moves);
    return done;
}
