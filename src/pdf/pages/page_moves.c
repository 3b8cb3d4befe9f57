#include "pdf/pages/page_moves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/dest.h"
#include "pdf/document/doc.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_numbers.h"

#define MAX_DEPTH 50 /* of direct containers in one another */

int page_moves_add(struct page_moves *moves, const struct page_move *move, struct err *err)
{
    if (!LIST_ROOM(moves->items, moves->n, moves->cap) ||
        !idmap_add(&moves->index, move->from, moves->n))
        return pdf_doc_no_memory(err);
    moves->items[moves->n++] = *move;
    return 0;
}

void page_moves_free(struct page_moves *moves)
{
    free(moves->items);
    idmap_free(&moves->index);
    annot_mover_free(&moves->mover);
    *moves = (struct page_moves){ 0 };
}

/* The first move of a page, or NULL. */
static const struct page_move *first_of(const struct page_moves *moves, int64_t id)
{
    size_t i = id ? idmap_find(&moves->index, id) : IDMAP_NONE;

    return i == IDMAP_NONE ? NULL : &moves->items[i];
}

/* How far a point is outside of what is seen of a page. */
static double outside(const double window[4], double x, double y)
{
    return fmax(0, fmax(window[0] - x, x - window[2])) +
           fmax(0, fmax(window[1] - y, y - window[3]));
}

/* The move by which a point of the page is seen, or the one that comes nearest. */
static const struct page_move *move_at(const struct page_moves *moves,
                                       const struct page_move *first, double x, double y)
{
    const struct page_move *best = first, *end = moves->items + moves->n;

    for (const struct page_move *one = first; one < end && one->from == first->from; one++)
        if (outside(one->window, x, y) < outside(best->window, x, y))
            best = one;
    return best;
}

static struct obj by_id(qpdf_data q, int64_t id)
{
    return obj_by_id(q, OBJ_NUMBER(id), OBJ_GEN(id));
}

static int move_annot(struct page_moves *moves, const struct page_move *first, struct obj given,
                      struct err *err)
{
    AUTO_OBJ struct obj annot = obj_is_indirect(given) ? obj_same(given) : obj_indirect(given);
    const struct page_move *move = first;
    double x, y;

    if (annot_move_middle(annot, &x, &y))
        move = move_at(moves, first, x, y);
    AUTO_OBJ struct obj page = by_id(annot.q, move->to);
    AUTO_OBJ struct obj list = obj_key(page, "/Annots");
    if (!obj_is_array(list)) {
        obj_drop(&list);
        list = obj_new_array(annot.q);
        obj_set(page, "/Annots", list);
    }
    obj_set(annot, "/P", page);
    obj_append(list, annot);
    return annot_move(&moves->mover, annot, move->matrix, err);
}

/* Moves the annotations of a page, which has none afterwards unless it keeps them. */
static int move_annots(struct page_moves *moves, const struct page_move *first, qpdf_data q,
                       struct err *err)
{
    AUTO_OBJ struct obj page = by_id(q, first->from);
    AUTO_OBJ struct obj list = obj_key(page, "/Annots");
    int n = obj_count(list);

    obj_remove(page, "/Annots");
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(list, i);

        if (obj_is_dict(annot) && move_annot(moves, first, annot, err) < 0)
            return -1;
    }
    return 0;
}

static bool is_view(struct obj name)
{
    size_t n;
    const char *bytes = obj_is_name(name) ? obj_bytes(name, &n) : NULL;

    return bytes && (strncmp(bytes, "/XYZ", 4) == 0 || strncmp(bytes, "/Fit", 4) == 0);
}

struct view {
    char name[16];
    double v[4];
    bool given[4];
};

static void read_view(struct obj array, struct view *view)
{
    AUTO_OBJ struct obj name = obj_item(array, 1);
    size_t n;

    snprintf(view->name, sizeof view->name, "%s", obj_bytes(name, &n));
    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i + 2);

        view->v[i] = 0;
        view->given[i] = obj_is_number(item, &view->v[i]);
    }
}

static void put_coordinate(char *out, size_t cap, bool given, double value)
{
    size_t used = strlen(out);

    if (given)
        snprintf(out + used, cap - used, " %.2f", value);
    else
        snprintf(out + used, cap - used, " null");
}

/* /XYZ: a corner, and a zoom factor that keeps what is seen as large as it was. */
static void write_corner(const struct view *view, const struct page_move *move, char *out,
                         size_t cap)
{
    bool turned = matrix_turn(move->matrix) % 180 != 0, alone = move->from == move->to;
    double x = view->given[0] ? view->v[0] : move->window[0];
    double y = view->given[1] ? view->v[1] : move->window[3], scale = matrix_scale(move->matrix);
    bool has_x = !alone || view->given[turned], has_y = !alone || view->given[!turned];

    matrix_point(move->matrix, &x, &y);
    snprintf(out, cap, "/XYZ");
    put_coordinate(out, cap, has_x, x);
    put_coordinate(out, cap, has_y, y);
    put_coordinate(out, cap, view->given[2], scale > 0 ? view->v[2] / scale : view->v[2]);
}

static void write_area(const double box[4], const struct page_move *move, char *out, size_t cap)
{
    double moved[4];

    matrix_box(move->matrix, box, moved);
    snprintf(out, cap, "/FitR");
    for (int i = 0; i < 4; i++)
        put_coordinate(out, cap, true, moved[i]);
}

/* /FitH, /FitV and their relatives: one edge. */
static void write_edge(const struct view *view, const struct page_move *move, char *out, size_t cap)
{
    bool bounds = view->name[4] == 'B', across = view->name[bounds ? 5 : 4] == 'H';
    bool turned = matrix_turn(move->matrix) % 180 != 0, now_across = across != turned;
    double x = across ? move->window[0] : view->v[0], y = across ? view->v[0] : move->window[3];

    matrix_point(move->matrix, &x, &y);
    snprintf(out, cap, "/Fit%s%s", bounds ? "B" : "", now_across ? "H" : "V");
    put_coordinate(out, cap, view->given[0], now_across ? y : x);
}

/* The destination after the move of its page. */
static struct obj moved_dest(const struct page_moves *moves, const struct page_move *first,
                             struct obj array)
{
    const double *w = first->window;
    const struct page_move *move;
    char text[DEST_VIEW] = "";
    struct view view;

    read_view(array, &view);
    double x = w[0], y = w[3];
    if (strcmp(view.name, "/XYZ") == 0 || strcmp(view.name, "/FitR") == 0) {
        x = view.given[0] ? view.v[0] : x;
        y = view.given[1] ? view.v[1] : y;
    }
    move = move_at(moves, first, x, y);
    if (strcmp(view.name, "/XYZ") == 0)
        write_corner(&view, move, text, sizeof text);
    else if (strcmp(view.name, "/FitR") == 0)
        write_area(view.v, move, text, sizeof text);
    else if (strchr(view.name + 4, 'H') || strchr(view.name + 4, 'V'))
        write_edge(&view, move, text, sizeof text);
    else if (move->alone)
        snprintf(text, sizeof text, "%s", strcmp(view.name, "/FitB") == 0 ? "/FitB" : "/Fit");
    else
        write_area(move->window, move, text, sizeof text);
    AUTO_OBJ struct obj page = by_id(array.q, move->to);
    return dest_array(page, text);
}

/* A reference to marked content that is in a form now (14.7.5.2). */
static struct obj marked_content(const struct page_move *move, struct obj mcid)
{
    struct obj mcr = obj_new_dict(mcid.q);
    AUTO_OBJ struct obj page = by_id(mcid.q, move->to);

    obj_set_name(mcr, "/Type", "/MCR");
    obj_set(mcr, "/Pg", page);
    if (move->form) {
        AUTO_OBJ struct obj form = by_id(mcid.q, move->form);
        obj_set(mcr, "/Stm", form);
    }
    obj_set(mcr, "/MCID", mcid);
    return mcr;
}

/* Names the page where an annotation is now (14.7.5.3). */
static void move_object(const struct page_move *move, struct obj tag)
{
    AUTO_OBJ struct obj object = obj_key(tag, "/Obj");
    AUTO_OBJ struct obj at = obj_key(object, "/P");
    AUTO_OBJ struct obj page = by_id(tag.q, move->to);

    obj_set(tag, "/Pg", obj_key_is(at, "/Type", "/Page") ? at : page);
}

/* One kid of an element: a number becomes a reference; one without a page gets it. */
static struct obj moved_kid(const struct page_move *move, struct obj kid)
{
    long long mcid;

    if (obj_is_int(kid, &mcid))
        return marked_content(move, kid);
    if (obj_is_dict(kid) && obj_has(kid, "/MCID") && !obj_has(kid, "/Pg") &&
        !obj_has(kid, "/Stm")) {
        AUTO_OBJ struct obj page = by_id(kid.q, move->to);

        obj_set(kid, "/Pg", page);
        if (move->form) {
            AUTO_OBJ struct obj form = by_id(kid.q, move->form);
            obj_set(kid, "/Stm", form);
        }
    }
    if (obj_is_dict(kid) && obj_has(kid, "/Obj") && !obj_has(kid, "/Pg"))
        move_object(move, kid);
    return obj_same(kid);
}

static void move_kids(const struct page_move *move, struct obj element)
{
    AUTO_OBJ struct obj kids = obj_key(element, "/K");
    int n = obj_count(kids);

    if (obj_is_null(kids))
        return;
    if (!obj_is_array(kids)) {
        AUTO_OBJ struct obj kid = moved_kid(move, kids);
        obj_set(element, "/K", kid);
        return;
    }
    AUTO_OBJ struct obj moved = obj_new_array(element.q);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(kids, i);
        AUTO_OBJ struct obj kid = moved_kid(move, item);

        obj_append(moved, kid);
    }
    obj_set(element, "/K", moved);
}

static void move_box(const struct page_move *move, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj old = obj_key(dict, key);
    double box[4];

    if (!page_numbers_box(old, box))
        return;
    matrix_box(move->matrix, box, box);
    AUTO_OBJ struct obj moved = page_numbers_new(dict.q, box, 4);
    obj_set(dict, key, moved);
}

/* The boxes of an element's layout attributes (14.8.5.4). */
static void move_attributes(const struct page_move *move, struct obj element)
{
    AUTO_OBJ struct obj list = obj_key(element, "/A");
    int n = obj_count(list);

    if (obj_is_dict(list))
        move_box(move, list, "/BBox");
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj one = obj_item(list, i);

        if (obj_is_dict(one))
            move_box(move, one, "/BBox");
    }
}

/* A structure element, or a reference to marked content or to an object (14.7.5). */
static void move_tag(const struct page_move *move, struct obj tag)
{
    AUTO_OBJ struct obj page = by_id(tag.q, move->to);

    if (obj_has(tag, "/S"))
        move_attributes(move, tag);
    if (move->from == move->to)
        return;
    if (obj_has(tag, "/Obj")) {
        move_object(move, tag);
        return;
    }
    if (obj_has(tag, "/MCID")) {
        if (!obj_has(tag, "/Stm") && move->form) {
            AUTO_OBJ struct obj form = by_id(tag.q, move->form);
            obj_set(tag, "/Stm", form);
        }
    } else {
        move_kids(move, tag);
    }
    obj_set(tag, "/Pg", page);
}

/* What belongs to a page by /P: an annotation that no page lists, or a bead. */
static void move_owned(const struct page_moves *moves, const struct page_move *first,
                       struct obj dict)
{
    AUTO_OBJ struct obj rect = obj_key(dict, "/R");
    const struct page_move *move = first;
    double box[4];

    if (page_numbers_box(rect, box)) {
        move = move_at(moves, first, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
        move_box(move, dict, "/R");
    }
    AUTO_OBJ struct obj page = by_id(dict.q, move->to);
    obj_set(dict, "/P", page);
}

static bool visit(const struct page_moves *moves, struct obj value, struct obj *moved, int depth);

static void visit_array(const struct page_moves *moves, struct obj array, int depth)
{
    int n = obj_count(array);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);
        AUTO_OBJ struct obj moved = OBJ_NONE;

        if (!obj_is_indirect(item) && visit(moves, item, &moved, depth))
            obj_set_item(array, i, moved);
    }
}

static void visit_dict(const struct page_moves *moves, struct obj dict, int depth)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    AUTO_OBJ struct obj tagged = obj_key(dict, "/Pg");
    AUTO_OBJ struct obj owner = obj_key(dict, "/P");
    const struct page_move *tag = first_of(moves, obj_id(tagged));
    const struct page_move *owned = first_of(moves, obj_id(owner));

    if (tag)
        move_tag(tag, dict);
    if (owned)
        move_owned(moves, owned, dict);
    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);
        AUTO_OBJ struct obj moved = OBJ_NONE;

        if (!obj_is_indirect(value) && visit(moves, value, &moved, depth))
            obj_set(dict, keys[i], moved);
    }
}

/* Corrects an object and what is directly in it. True if `moved` replaces it. */
static bool visit(const struct page_moves *moves, struct obj value, struct obj *moved, int depth)
{
    if (depth > MAX_DEPTH)
        return false;
    if (obj_is_array(value)) {
        AUTO_OBJ struct obj page = obj_item(value, 0);
        AUTO_OBJ struct obj view = obj_item(value, 1);
        const struct page_move *first = first_of(moves, obj_id(page));

        if (first && is_view(view)) {
            *moved = moved_dest(moves, first, value);
            return true;
        }
        visit_array(moves, value, depth + 1);
    } else if (obj_is_dict(value)) {
        visit_dict(moves, value, depth + 1);
    }
    return false;
}

/* Most objects name no place: their text tells, which is one call. */
static bool names_place(struct obj object)
{
    static const char *const marks[] = { "/XYZ", "/Fit", "/Pg ", "/P " };
    const char *text = obj_value_text(object);

    for (size_t i = 0; text && i < COUNT(marks); i++)
        if (strstr(text, marks[i]))
            return true;
    return false;
}

int page_moves_apply(struct page_moves *moves, qpdf_data q, struct err *err)
{
    int n;

    for (size_t i = 0; i < moves->n; i++) {
        if (i > 0 && moves->items[i].from == moves->items[i - 1].from)
            continue;
        if (move_annots(moves, &moves->items[i], q, err) < 0)
            return -1;
    }
    /* Objects that are new, too: the trailer does not count them. */
    n = pdf_doc_next_number(&(struct pdf_doc){ .q = q, .miscounted = true });
    for (int id = 1; id < n; id++) {
        AUTO_OBJ struct obj object = obj_by_number(q, id);
        AUTO_OBJ struct obj moved = OBJ_NONE;

        if (obj_is_stream(object) || !(obj_is_dict(object) || obj_is_array(object)) ||
            !names_place(object))
            continue;
        if (visit(moves, object, &moved, 0))
            obj_replace(object, moved);
    }
    return 0;
}
