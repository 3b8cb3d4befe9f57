#include "pdf/pages/page_resize.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/content/overlay.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_moves.h"
#include "pdf/pages/page_numbers.h"
#include "pdf/pages/page_order.h"

static const char *const inner_boxes[] = { "/BleedBox", "/TrimBox", "/ArtBox" };

/* What is left of the other boxes within the new ones (14.11.2). */
static void clip_boxes(struct obj page, const double limit[4])
{
    for (size_t i = 0; i < COUNT(inner_boxes); i++) {
        AUTO_OBJ struct obj old = obj_key(page, inner_boxes[i]);
        double box[4];

        if (!page_numbers_box(old, box))
            continue;
        for (int k = 0; k < 2; k++) {
            box[k] = fmax(box[k], limit[k]);
            box[k + 2] = fmin(box[k + 2], limit[k + 2]);
        }
        AUTO_OBJ struct obj clipped = page_numbers_new(page.q, box, 4);
        if (box[2] - box[0] >= 1 && box[3] - box[1] >= 1)
            obj_set(page, inner_boxes[i], clipped);
        else
            obj_remove(page, inner_boxes[i]);
    }
}

bool page_resize_crop(struct obj page, const double part[static 4])
{
    struct page_view view;
    double box[4];

    page_view_read(page, &view);
    box[0] = fmax(part[0], 0);
    box[2] = fmin(part[0] + part[2], view.width);
    box[3] = view.height - fmax(part[1], 0);
    box[1] = fmax(view.height - part[1] - part[3], 0);
    if (box[2] - box[0] < PAPER_POINT_MIN || box[3] - box[1] < PAPER_POINT_MIN)
        return false;
    matrix_box(view.matrix, box, box);
    AUTO_OBJ struct obj crop = page_numbers_new(page.q, box, 4);
    obj_set(page, "/CropBox", crop);
    clip_boxes(page, box);
    obj_remove(page, "/Thumb");
    return true;
}

/* From the old coordinates of the page to the new ones, and the size of the page there, before it
 * is turned. */
static bool plan(const struct page_view *view, const struct page_operation *op, double matrix[6],
                 double size[2])
{
    const double *b = view->box;
    double w = b[2] - b[0], h = b[3] - b[1];
    bool sideways = view->rotation % 180 != 0;
    double x = op->factor * view->unit, y = x;

    size[0] = w * x;
    size[1] = h * y;
    if (op->kind == PAGE_RESIZE) {
        bool turn =
            op->paper.named && (view->width > view->height) != (op->paper.width > op->paper.height);

        size[0] = sideways != turn ? op->paper.height : op->paper.width;
        size[1] = sideways != turn ? op->paper.width : op->paper.height;
        x = size[0] / w;
        y = size[1] / h;
        if (!op->stretch)
            x = y = fmin(x, y);
    }
    const double m[6] = {
        x, 0, 0, y, (size[0] - w * x) / 2 - b[0] * x, (size[1] - h * y) / 2 - b[1] * y
    };

    memcpy(matrix, m, sizeof m);
    return size[0] >= PAPER_POINT_MIN && size[1] >= PAPER_POINT_MIN && size[0] <= PAPER_POINT_MAX &&
           size[1] <= PAPER_POINT_MAX;
}

static void set_boxes(struct obj page, const double matrix[6], const double size[2])
{
    const double whole[4] = { 0, 0, size[0], size[1] };
    AUTO_OBJ struct obj media = page_numbers_new(page.q, whole, 4);

    for (size_t i = 0; i < COUNT(inner_boxes); i++) {
        AUTO_OBJ struct obj old = obj_key(page, inner_boxes[i]);
        double box[4];

        if (!page_numbers_box(old, box))
            continue;
        matrix_box(matrix, box, box);
        AUTO_OBJ struct obj moved = page_numbers_new(page.q, box, 4);
        obj_set(page, inner_boxes[i], moved);
    }
    obj_set(page, "/MediaBox", media);
    obj_remove(page, "/CropBox");
    obj_remove(page, "/UserUnit");
    obj_remove(page, "/Thumb");
    clip_boxes(page, whole);
}

/* The areas of measurements (12.9). */
static void move_viewports(struct obj page, const double matrix[6])
{
    AUTO_OBJ struct obj list = obj_key(page, "/VP");
    int n = obj_count(list);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj one = obj_item(list, i);
        AUTO_OBJ struct obj old = obj_key(one, "/BBox");
        double box[4];

        if (!page_numbers_box(old, box))
            continue;
        matrix_box(matrix, box, box);
        AUTO_OBJ struct obj moved = page_numbers_new(page.q, box, 4);
        obj_set(one, "/BBox", moved);
    }
}

/* Patterns are drawn in the coordinates of the page, and not in those of its content (8.7.2). */
static void move_patterns(struct obj page, const double matrix[6])
{
    AUTO_OBJ struct obj resources = obj_key(page, "/Resources");
    AUTO_OBJ struct obj patterns = obj_key(resources, "/Pattern");
    AUTO_KEYS char **names = obj_keys(patterns);

    if (!names || !names[0])
        return;
    AUTO_OBJ struct obj own = obj_shallow_copy(resources);
    AUTO_OBJ struct obj list = obj_new_dict(page.q);
    for (size_t i = 0; names[i]; i++) {
        AUTO_OBJ struct obj old = obj_key(patterns, names[i]);
        AUTO_OBJ struct obj moved = page_numbers_moved(old, matrix);

        obj_set(list, names[i], moved);
    }
    if (!own.q)
        return;
    obj_set(own, "/Pattern", list);
    obj_set(page, "/Resources", own);
}

static int resize_page(struct obj page, struct overlay *overlay, const struct page_operation *op,
                       struct page_moves *moves, size_t number, struct err *err)
{
    struct page_view view;
    struct page_move move = { .from = obj_id(page), .to = obj_id(page), .alone = true };
    double size[2];

    page_view_read(page, &view);
    if (!plan(&view, op, move.matrix, size))
        return err_set(err, ERR_INVALID_PARAMETER,
                       "page %zu would be %.1f by %.1f points: a side has from 3 to 14400", number,
                       size[0], size[1]);
    memcpy(move.window, view.box, sizeof move.window);
    if (overlay_transform(overlay, page, move.matrix, err) < 0)
        return -1;
    move_patterns(page, move.matrix);
    set_boxes(page, move.matrix, size);
    move_viewports(page, move.matrix);
    return page_moves_add(moves, &move, err);
}

int page_resize_make(struct pdf_doc *doc, struct overlay *overlay, const struct page_operation *op,
                     const bool *wanted, struct err *err)
{
    AUTO_PAGE_MOVES struct page_moves moves = { 0 };

    page_order_begin(doc);
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        if (wanted[i] && resize_page(page, overlay, op, &moves, i + 1, err) < 0)
            return -1;
    }
    return page_moves_apply(&moves, doc->q, err);
}
