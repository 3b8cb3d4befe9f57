#include "pdf/pages/annot_move.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_numbers.h"

#define MAX_NUMBERS   100000 /* of one array of coordinates */
#define MAX_ANCESTORS 64

bool annot_move_middle(struct obj annot, double *x, double *y)
{
    AUTO_OBJ struct obj rect = obj_key(annot, "/Rect");
    double box[4];

    if (!page_numbers_box(rect, box))
        return false;
    *x = (box[0] + box[2]) / 2;
    *y = (box[1] + box[3]) / 2;
    return true;
}

/* Moves the points of an array; arrays in it are moved, too (/InkList, /Path). */
static struct obj moved_points(struct obj array, const double m[6], int depth)
{
    int n = obj_count(array);
    struct obj out = obj_new_array(array.q);
    double x = 0, y;
    bool half = false;

    for (int i = 0; i < n && i < MAX_NUMBERS; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);
        double value;

        if (depth > 0 && obj_is_array(item)) {
            AUTO_OBJ struct obj inner = moved_points(item, m, depth - 1);

            obj_append(out, inner);
        } else if (obj_is_number(item, &value)) {
            if (!half) {
                x = value;
                half = true;
                continue;
            }
            y = value;
            half = false;
            matrix_point(m, &x, &y);
            for (int k = 0; k < 2; k++) {
                AUTO_BUF struct buf text = BUF_EMPTY;

                page_numbers_put(&text, k ? y : x);
                AUTO_OBJ struct obj number = obj_parse(array.q, buf_text(&text));
                obj_append(out, number);
            }
        }
    }
    return out;
}

static void move_points(struct obj annot, const char *key, const double m[6])
{
    AUTO_OBJ struct obj old = obj_key(annot, key);

    if (!obj_is_array(old))
        return;
    AUTO_OBJ struct obj moved = moved_points(old, m, 1);
    obj_set(annot, key, moved);
}

/* The differences of /RD are left, top, right and bottom: a turn exchanges them. */
static void move_differences(struct obj annot, const double m[6])
{
    AUTO_OBJ struct obj old = obj_key(annot, "/RD");
    double scale = matrix_scale(m), v[4], moved[4];
    int turns = matrix_turn(m) / 90;

    if (obj_count(old) != 4)
        return;
    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        if (!obj_is_number(item, &v[i]))
            return;
    }
    /* Counterclockwise by 90 degrees, what was at the right comes to the top. */
    for (int i = 0; i < 4; i++)
        moved[i] = v[(i + turns) % 4] * scale;
    AUTO_OBJ struct obj out = page_numbers_new(annot.q, moved, 4);
    obj_set(annot, "/RD", out);
}

static void scale_number(struct obj dict, const char *key, double scale)
{
    AUTO_OBJ struct obj old = obj_key(dict, key);
    double value;

    if (!obj_is_number(old, &value))
        return;
    AUTO_BUF struct buf text = BUF_EMPTY;
    page_numbers_put(&text, value * scale);
    AUTO_OBJ struct obj scaled = obj_parse(dict.q, buf_text(&text));
    obj_set(dict, key, scaled);
}

static void scale_border(struct obj annot, double scale)
{
    AUTO_OBJ struct obj style = obj_key(annot, "/BS");
    AUTO_OBJ struct obj border = obj_key(annot, "/Border");
    static const char *const lengths[] = { "/LL", "/LLE", "/LLO" };

    if (obj_is_dict(style)) {
        AUTO_OBJ struct obj own = obj_shallow_copy(style);

        scale_number(own, "/W", scale);
        obj_set(annot, "/BS", own);
    }
    if (obj_count(border) >= 3) {
        AUTO_OBJ struct obj own = obj_new_array(annot.q);

        for (int i = 0; i < obj_count(border); i++) {
            AUTO_OBJ struct obj item = obj_item(border, i);
            AUTO_OBJ struct obj scaled = OBJ_NONE;
            double value;

            if (i < 3 && obj_is_number(item, &value)) {
                value *= scale;
                AUTO_OBJ struct obj one = page_numbers_new(annot.q, &value, 1);
                scaled = obj_item(one, 0);
            }
            obj_append(own, scaled.q ? scaled : item);
        }
        obj_set(annot, "/Border", own);
    }
    for (size_t i = 0; i < COUNT(lengths); i++)
        scale_number(annot, lengths[i], scale);
}

/* The default appearance (12.7.4.3) of a field or of free text; fields inherit it. */
static struct obj default_appearance(struct obj annot)
{
    AUTO_OBJ struct obj node = obj_same(annot);

    for (int i = 0; i < MAX_ANCESTORS && obj_is_dict(node); i++) {
        struct obj value = obj_key(node, "/DA");

        if (obj_is_string(value))
            return value;
        obj_drop(&value);
        struct obj parent = obj_key(node, "/Parent");
        obj_drop(&node);
        node = parent;
    }
    AUTO_OBJ struct obj root = obj_root(annot.q);
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    return obj_key(form, "/DA");
}

/* Scales the size in front of Tf; 0 means that readers find it. */
static void scale_text(struct obj annot, double scale)
{
    AUTO_OBJ struct obj old = default_appearance(annot);
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_BUF struct buf out = BUF_EMPTY;
    const char *bytes, *end, *begin;
    size_t n;
    double size;

    if (!obj_is_string(old) || !(bytes = obj_bytes(old, &n)))
        return;
    buf_put(&text, bytes, n);
    end = text.failed ? NULL : strstr(buf_text(&text), "Tf");
    if (!end)
        return;
    bytes = buf_text(&text);
    while (end > bytes && strchr(" \t\r\n", end[-1]))
        end--;
    begin = end;
    while (begin > bytes && strchr("0123456789.-+", begin[-1]))
        begin--;
    size = strtod(begin, NULL);
    if (begin == end || !(size > 0))
        return;
    buf_put(&out, bytes, (size_t) (begin - bytes));
    page_numbers_put(&out, size * scale);
    buf_puts(&out, end);
    if (out.failed)
        return;
    AUTO_OBJ struct obj scaled = obj_new_string(annot.q, buf_text(&out), out.len);
    obj_set(annot, "/DA", scaled);
}

static const double turns[4][6] = {
    { 1, 0, 0, 1, 0, 0 }, { 0, 1, -1, 0, 0, 0 }, { -1, 0, 0, -1, 0, 0 }, { 0, -1, 1, 0, 0, 0 }
};

static struct obj turn_once(struct annot_mover *mover, struct obj stream, int turn)
{
    int64_t id = obj_id(stream), known;
    int64_t key = id * 4 + turn / 90;

    if (id && key_map_find_id(&mover->appearances, key, &known))
        return obj_by_id(stream.q, OBJ_NUMBER(known), OBJ_GEN(known));
    struct obj turned = page_numbers_moved(stream, turns[turn / 90]);
    if (id)
        key_map_put_id(&mover->appearances, key, obj_id(turned));
    return turned;
}

/* The appearances of a state, or of several states by their names. */
static struct obj turned_entry(struct annot_mover *mover, struct obj entry, int turn)
{
    if (obj_is_stream(entry))
        return turn_once(mover, entry, turn);
    struct obj copy = obj_shallow_copy(entry);
    AUTO_KEYS char **keys = obj_keys(entry);

    for (size_t i = 0; copy.q && keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(entry, keys[i]);

        if (!obj_is_stream(value))
            continue;
        AUTO_OBJ struct obj turned = turn_once(mover, value, turn);
        obj_set(copy, keys[i], turned);
    }
    return copy;
}

static void turn_appearance(struct annot_mover *mover, struct obj annot, int turn)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj old = obj_key(annot, "/AP");
    AUTO_OBJ struct obj mk = obj_key(annot, "/MK");
    bool widget = obj_key_is(annot, "/Subtype", "/Widget");
    long long turned = 0;

    if (obj_is_dict(old)) {
        AUTO_OBJ struct obj own = obj_shallow_copy(old);

        for (size_t i = 0; i < COUNT(kinds); i++) {
            AUTO_OBJ struct obj entry = obj_key(old, kinds[i]);

            if (obj_is_null(entry))
                continue;
            AUTO_OBJ struct obj now = turned_entry(mover, entry, turn);
            obj_set(own, kinds[i], now);
        }
        obj_set(annot, "/AP", own);
    }
    if (!widget)
        return;
    AUTO_OBJ struct obj own = obj_is_dict(mk) ? obj_shallow_copy(mk) : obj_new_dict(annot.q);
    obj_key_int(own, "/R", &turned);
    obj_set_int(own, "/R", ((turned + turn) % 360 + 360) % 360);
    obj_set(annot, "/MK", own);
}

int annot_move(struct annot_mover *mover, struct obj annot, const double m[static 6],
               struct err *err)
{
    static const char *const points[] = { "/QuadPoints", "/L",  "/Vertices",
                                          "/InkList",    "/CL", "/Path" };
    AUTO_OBJ struct obj rect = obj_key(annot, "/Rect");
    int64_t id = obj_id(annot);
    double box[4], scale = matrix_scale(m);
    int turn = matrix_turn(m);
    bool even = scale > 0.9999 && scale < 1.0001;

    if (!obj_is_dict(annot) || (id && !key_map_add_id(&mover->done, id)))
        return 0;
    if (page_numbers_box(rect, box)) {
        matrix_box(m, box, box);
        AUTO_OBJ struct obj moved = page_numbers_new(annot.q, box, 4);
        obj_set(annot, "/Rect", moved);
    }
    for (size_t i = 0; i < COUNT(points); i++)
        move_points(annot, points[i], m);
    move_differences(annot, m);
    if (!even) {
        scale_border(annot, scale);
        if (obj_key_is(annot, "/Subtype", "/Widget") || obj_key_is(annot, "/Subtype", "/FreeText"))
            scale_text(annot, scale);
    }
    if (turn)
        turn_appearance(mover, annot, turn);
    return mover->done.failed || mover->appearances.failed ? pdf_doc_no_memory(err) : 0;
}

void annot_mover_free(struct annot_mover *mover)
{
    key_map_free(&mover->done);
    key_map_free(&mover->appearances);
}
