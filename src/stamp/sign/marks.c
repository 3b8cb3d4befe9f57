#include "stamp/sign/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "pdf/content/overlay.h"
#include "pdf/object/page_view.h"
#include "pdf/update/import.h"
#include "stamp/draw/layout.h"

#define SLACK     1.0   /* by which a mark may lie beyond its page, in points */
#define SIGN_SIDE 100.0 /* of the form that draws a tick or a cross */
#define TEXT_SIZE 20.0  /* of a text before it is scaled */
#define PAD       8.0   /* around a text, for what its glyphs draw outside of their lines */
#define FLAGS     708   /* Print, ReadOnly, Locked, LockedContents (ISO 32000-2, table 167) */
#define KEYS      300

static const char *const signs[] = {
    [MARK_TICK] = "8 46 m 38 16 l 92 86 l S", [MARK_CROSS] = "14 14 m 86 86 l 14 86 m 86 14 l S"
};

/* What marks show: each is drawn once. */
struct look {
    const struct mark *mark; /* the first one that shows it */
    int form;
    double width, height; /* of what is shown; it begins at (pad, pad) in the form */
    double pad;
};

struct placing {
    const struct marks *marks;
    struct additions *additions;
    struct update *update;
    struct tool_run *run;
    struct look *looks;
    size_t n_looks;
    size_t *which; /* looks by marks */
    size_t *texts; /* looks that are texts, by the pages of the drawing */
    size_t n_texts;
    struct drawing *drawing;
};

static void placing_free(struct placing *placing)
{
    free(placing->looks);
    free(placing->which);
    free(placing->texts);
    drawing_free(&placing->drawing);
}

/* An error is that of the i-th mark. */
static int blame(const struct placing *placing, size_t i, struct err *err)
{
    char why[sizeof err->msg];

    memcpy(why, err->msg, sizeof why);
    snprintf(err->field, sizeof err->field, "%s[%zu]", placing->marks->name, i);
    return err_field(err, err->code, err->field, "%s[%zu]: %.300s", placing->marks->name, i, why);
}

static bool looks_alike(const struct mark *a, const struct mark *b)
{
    if (a->type != b->type)
        return false;
    if (a->type == MARK_IMAGE || a->type == MARK_INITIALS)
        return true;
    return a->color == b->color && (a->type != MARK_TEXT || strcmp(a->text, b->text) == 0);
}

static int add_picture(struct placing *placing, struct look *look, struct err *err)
{
    static const char *const names[] = { "image", "initials" };
    enum mark_type type = look->mark->type;
    struct ink own = { 0 }, *ink = type == MARK_IMAGE ? placing->marks->image : &own;

    if (!ink->form && ink_add(ink, placing->update, placing->run, names[type],
                              placing->marks->files[type], err) < 0)
        return -1;
    look->form = ink->form;
    look->width = ink->width;
    look->height = ink->height;
    return 0;
}

static int add_sign(struct placing *placing, struct look *look, struct err *err)
{
    uint32_t color = look->mark->color;
    char keys[KEYS], content[KEYS];
    int n = snprintf(content, sizeof content, "13 w 1 J 1 j %.4f %.4f %.4f RG %s",
                     (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0,
                     signs[look->mark->type]);

    snprintf(keys, sizeof keys,
             "/Type/XObject/Subtype/Form/FormType 1/BBox[0 0 %.0f %.0f]/Resources<<>>", SIGN_SIDE,
             SIGN_SIDE);
    look->width = look->height = SIGN_SIDE;
    if (update_number(placing->update, &look->form, err) < 0)
        return -1;
    return update_stream(placing->update, look->form, keys, content, (size_t) n, err);
}

/* Draws a text on a page of the drawing, which becomes its form afterwards. */
static int draw_text(struct placing *placing, struct look *look, struct err *err)
{
    const struct layout_style style = { .size = TEXT_SIZE };
    AUTO_LAYOUT struct layout *layout = NULL;
    struct layout_size size;

    if (!placing->drawing)
        placing->drawing = drawing_new(err);
    if (!placing->drawing)
        return -1;
    layout = layout_new(placing->drawing, look->mark->text, &style, err);
    if (!layout)
        return -1;
    layout_measure(layout, &size);
    look->pad = PAD;
    look->width = fmax(size.width, 1);
    look->height = fmax(size.height, 1);
    drawing_page(placing->drawing, look->width + 2 * PAD, look->height + 2 * PAD);
    layout_draw(layout, PAD, PAD, look->mark->color);
    placing->texts[placing->n_texts++] = (size_t) (look - placing->looks);
    return 0;
}

static void text_keys(void *arg, size_t i, char keys[static IMPORT_KEYS])
{
    const struct placing *placing = arg;
    const struct look *look = &placing->looks[placing->texts[i]];

    snprintf(keys, IMPORT_KEYS, "/Type/XObject/Subtype/Form/FormType 1/BBox[0 0 %.3f %.3f]",
             look->width + 2 * PAD, look->height + 2 * PAD);
}

/* What was drawn becomes forms, which share their fonts. */
static int import_texts(struct placing *placing, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc drawn = { 0 };
    AUTO_BUF struct buf pdf = BUF_EMPTY;
    AUTO_FREE int *numbers = calloc(placing->n_texts + 1, sizeof *numbers);

    if (!numbers)
        return pdf_doc_no_memory(err);
    if (placing->n_texts == 0)
        return 0;
    if (drawing_finish(placing->drawing, &pdf, err) < 0 ||
        pdf_doc_open_memory(&drawn, &pdf, NULL, err) < 0 ||
        import_forms(placing->update, &drawn, placing->n_texts, text_keys, placing, numbers, err) <
            0)
        return -1;
    for (size_t i = 0; i < placing->n_texts; i++)
        placing->looks[placing->texts[i]].form = numbers[i];
    return 0;
}

/* The look of the i-th mark, made unless a mark before it has the same. */
static int find_look(struct placing *placing, size_t i, struct err *err)
{
    const struct mark *mark = &placing->marks->list->items[i];
    size_t at = 0;

    while (at < placing->n_looks && !looks_alike(placing->looks[at].mark, mark))
        at++;
    placing->which[i] = at;
    if (at < placing->n_looks)
        return 0;
    struct look *look = &placing->looks[placing->n_looks++];
    look->mark = mark;
    if (mark->type == MARK_TEXT)
        return draw_text(placing, look, err);
    if (mark->type == MARK_TICK || mark->type == MARK_CROSS)
        return add_sign(placing, look, err);
    return add_picture(placing, look, err);
}

static int find_page(const struct placing *placing, const struct mark *mark, struct obj *page,
                     struct err *err)
{
    const struct pdf_doc *doc = placing->update->doc;
    AUTO_PAGE_LIST struct page_list list = { 0 };

    if (page_list_resolve(mark->page, doc->n_pages, &list, err) < 0)
        return -1;
    if (list.n_pages != 1)
        return err_set(err, ERR_INVALID_PARAMETER, "its page must be one page");
    *page = obj_page(doc->q, list.items[0].pages[0]);
    return 0;
}

/* The matrix from the form to the content of the page. */
static int find_matrix(const struct mark *mark, const struct look *look,
                       const struct page_view *view, double matrix[static 6], struct err *err)
{
    double scale = mark->width / look->width, height = look->height * scale;
    double angle = mark->rotation * M_PI / 180, c = cos(angle), s = sin(angle);
    double x = mark->x + mark->width / 2, y = view->height - mark->y - height / 2;
    double across = (mark->width * fabs(c) + height * fabs(s)) / 2;
    double up = (mark->width * fabs(s) + height * fabs(c)) / 2;
    double u = look->pad + look->width / 2, v = look->pad + look->height / 2;

    if (x - across < -SLACK || x + across > view->width + SLACK || y - up < -SLACK ||
        y + up > view->height + SLACK)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "it must lie on the page, which is %.10g by %.10g points large: it is "
                       "%.10g points wide and %.1f high, and begins at %.10g, %.10g",
                       view->width, view->height, mark->width, height, mark->x, mark->y);
    const double shown[6] = { scale * c,
                              scale * s,
                              -scale * s,
                              scale * c,
                              x - scale * (c * u - s * v),
                              y - scale * (s * u + c * v) };
    overlay_multiply(shown, view->matrix, matrix);
    return 0;
}

/* The rectangle around the form on the page. */
static void find_rect(const double m[static 6], double width, double height, double rect[static 4])
{
    rect[0] = rect[1] = INFINITY;
    rect[2] = rect[3] = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double u = i & 1 ? width : 0, v = i & 2 ? height : 0;
        double x = m[0] * u + m[2] * v + m[4], y = m[1] * u + m[3] * v + m[5];

        rect[0] = fmin(rect[0], x);
        rect[1] = fmin(rect[1], y);
        rect[2] = fmax(rect[2], x);
        rect[3] = fmax(rect[3], y);
    }
}

/* Writes an annotation (ISO 32000-2, 12.5.6.12) that shows a form. */
static int annotate(const struct placing *placing, struct addition *addition,
                    const struct mark *mark, const struct look *look, const double m[static 6],
                    struct err *err)
{
    double width = look->width + 2 * look->pad, height = look->height + 2 * look->pad, rect[4];
    int64_t page = obj_id(addition->page);
    char keys[KEYS + 200];
    struct serial serial;
    int form, number;

    find_rect(m, width, height, rect);
    snprintf(keys, sizeof keys,
             "/Type/XObject/Subtype/Form/FormType 1/BBox[0 0 %.3f %.3f]/Matrix[%.6f %.6f %.6f "
             "%.6f %.4f %.4f]/Resources<</XObject<</Mark %d 0 R>>>>",
             width, height, m[0], m[1], m[2], m[3], m[4], m[5], look->form);
    if (update_number(placing->update, &form, err) < 0 ||
        update_number(placing->update, &number, err) < 0 ||
        update_stream(placing->update, form, keys, "/Mark Do", 8, err) < 0 ||
        update_open(placing->update, number, 0, &serial, err) < 0)
        return -1;
    buf_printf(serial.out,
               "<</Type/Annot/Subtype/Stamp/F %d/P %d %d R/Rect[%.4f %.4f %.4f "
               "%.4f]/AP<</N %d 0 R>>/M",
               FLAGS, OBJ_NUMBER(page), OBJ_GEN(page), rect[0], rect[1], rect[2], rect[3], form);
    serial_string(&serial, placing->marks->date, strlen(placing->marks->date));
    if (mark->text) {
        buf_puts(serial.out, "/Contents");
        serial_text(&serial, mark->text);
    }
    buf_puts(serial.out, ">>");
    addition_annotate(addition, number);
    addition->n_marks++;
    return update_close(placing->update, err);
}

static int place_mark(const struct placing *placing, size_t i, struct err *err)
{
    const struct mark *mark = &placing->marks->list->items[i];
    const struct look *look = &placing->looks[placing->which[i]];
    AUTO_OBJ struct obj page = OBJ_NONE;
    struct page_view view;
    double matrix[6];
    bool can = false;

    if (find_page(placing, mark, &page, err) < 0)
        return -1;
    page_view_read(page, &view);
    if (find_matrix(mark, look, &view, matrix, err) < 0)
        return -1;
    struct addition *addition = addition_of(placing->additions, page, err);
    if (!addition || (!placing->marks->annotate && addition_can_draw(addition, &can, err) < 0))
        return -1;
    return can ? addition_draw(addition, look->form, matrix, err)
               : annotate(placing, addition, mark, look, matrix, err);
}

int marks_place(const struct marks *marks, struct additions *additions, struct update *update,
                struct tool_run *run, struct err *err)
{
    size_t n = marks->list->n;
    __attribute__((cleanup(placing_free))) struct placing placing = {
        .marks = marks,
        .additions = additions,
        .update = update,
        .run = run,
        .looks = calloc(n + 1, sizeof *placing.looks),
        .which = calloc(n + 1, sizeof *placing.which),
        .texts = calloc(n + 1, sizeof *placing.texts),
    };

    if (!placing.looks || !placing.which || !placing.texts)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < n; i++)
        if (find_look(&placing, i, err) < 0)
            return marks->list->items[i].type == MARK_TEXT ? blame(&placing, i, err) : -1;
    if (import_texts(&placing, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (place_mark(&placing, i, err) < 0)
            return blame(&placing, i, err);
    return 0;
}
