#include "engine/office_text/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "engine/office_text/folded.h"
#include "engine/office_text/shown_font.h"
#include "pdf/content/operators.h"

#define FORM_DEPTH 12

/* The fonts of a document, which all of its pages share. */
struct fonts {
    struct shown_font *items;
    size_t n, cap;
};

/* A content stream that is read. */
struct reading {
    struct fonts *fonts;
    struct buf *letters;
    struct obj resources;
    size_t font; /* in `fonts`, from 1; 0: none */
    int depth;   /* of forms in each other */
    int marked;  /* marked content that is open */
    int instead; /* the value of `marked` where text replaces what is drawn; 0: nowhere */
    bool whole;
};

static bool read_content(struct reading *reading, const unsigned char *data, size_t n);

static size_t find_font(struct reading *reading, const char *name)
{
    AUTO_OBJ struct obj all = obj_key(reading->resources, "/Font");
    AUTO_OBJ struct obj dict = obj_key(all, name);
    struct fonts *fonts = reading->fonts;
    int64_t id;

    if (!obj_is_dict(dict))
        return 0;
    id = obj_id(dict);
    for (size_t i = 0; id && i < fonts->n; i++)
        if (fonts->items[i].id == id)
            return i + 1;
    if (!LIST_ROOM(fonts->items, fonts->n, fonts->cap))
        return 0;
    fonts->items[fonts->n] = (struct shown_font){ .id = id };
    if (!shown_font_read(&fonts->items[fonts->n], dict))
        reading->whole = false;
    return ++fonts->n;
}

static void read_form_letters(struct reading *outer, struct obj form)
{
    AUTO_OBJ struct obj dict = obj_is_stream(form) ? obj_dict(form) : obj_same(form);
    AUTO_OBJ struct obj own = obj_key(dict, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    struct reading inner = *outer;
    size_t n = 0;

    if (!obj_is_stream(form) || obj_key_is(dict, "/Subtype", "/Image"))
        return;
    if (outer->depth == 0 || !obj_stream_data(form, &data, &n)) {
        outer->whole = false;
        return;
    }
    if (obj_is_dict(own))
        inner.resources = own;
    inner.depth--;
    inner.font = 0;
    inner.marked = inner.instead = 0;
    outer->whole = read_content(&inner, data, n) && inner.whole;
}

static void begin_marked(struct reading *reading, const struct operand *operands, size_t n)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    reading->marked++;
    for (size_t i = 1; reading->instead == 0 && i + 1 < n; i++) {
        const struct operand *value = &operands[i + 1];

        if (operands[i].type != OPERAND_NAME || strcmp(operands[i].bytes, "/ActualText") != 0 ||
            value->type != OPERAND_STRING)
            continue;
        reading->instead = reading->marked;
        if (value->n >= 2 && memcmp(value->bytes, "\xfe\xff", 2) == 0)
            shown_font_utf16(value->bytes + 2, value->n - 2, &text);
        else
            buf_put(&text, value->bytes, value->n);
        folded_put(reading->letters, buf_text(&text), text.len);
    }
}

static void put_shown(struct reading *reading, const struct operand *operands, size_t n)
{
    if (reading->font == 0 || reading->instead)
        return;
    for (size_t i = 0; i < n; i++)
        if (operands[i].type == OPERAND_STRING)
            shown_font_put(&reading->fonts->items[reading->font - 1], operands[i].bytes,
                           operands[i].n, reading->letters);
}

static bool read_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct reading *reading = arg;

    if (strcmp(op, "Tf") == 0 && n > 0 && operands[0].type == OPERAND_NAME) {
        reading->font = find_font(reading, operands[0].bytes);
    } else if (strcmp(op, "Tj") == 0 || strcmp(op, "TJ") == 0 || strcmp(op, "'") == 0 ||
               strcmp(op, "\"") == 0) {
        put_shown(reading, operands, n);
    } else if (strcmp(op, "BDC") == 0 || strcmp(op, "BMC") == 0) {
        begin_marked(reading, operands, n);
    } else if (strcmp(op, "EMC") == 0) {
        if (reading->instead == reading->marked)
            reading->instead = 0;
        reading->marked--;
    } else if (strcmp(op, "Do") == 0 && n > 0 && operands[0].type == OPERAND_NAME) {
        AUTO_OBJ struct obj forms = obj_key(reading->resources, "/XObject");
        AUTO_OBJ struct obj form = obj_key(forms, operands[0].bytes);

        read_form_letters(reading, form);
    }
    return reading->letters->len < SHOWN_BYTES && !reading->letters->failed;
}

static bool read_content(struct reading *reading, const unsigned char *data, size_t n)
{
    return operators_read(data, n, read_operator, reading);
}

/* What fields and comments show. */
static void read_annotations(struct reading *reading, struct obj page)
{
    AUTO_OBJ struct obj list = obj_key(page, "/Annots");

    for (int i = 0; i < obj_count(list); i++) {
        AUTO_OBJ struct obj annotation = obj_item(list, i);
        AUTO_OBJ struct obj looks = obj_key(annotation, "/AP");
        AUTO_OBJ struct obj normal = obj_key(looks, "/N");

        read_form_letters(reading, normal);
    }
}

static bool read_page_letters(struct fonts *fonts, struct obj page, struct buf *letters)
{
    AUTO_OBJ struct obj parent = obj_key(page, "/Parent");
    AUTO_OBJ struct obj own = obj_key(page, "/Resources");
    AUTO_OBJ struct obj inherited = obj_key(parent, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    struct reading reading = { .fonts = fonts,
                               .letters = letters,
                               .resources = obj_is_dict(own) ? own : inherited,
                               .depth = FORM_DEPTH,
                               .whole = true };
    size_t n = 0;

    if (!obj_page_content(page, &data, &n) || !read_content(&reading, data, n))
        return false;
    read_annotations(&reading, page);
    return reading.whole;
}

int shown_letters(qpdf_data q, size_t n_pages, struct buf *letters, bool *whole, struct err *err)
{
    struct fonts fonts = { 0 };

    *whole = true;
    for (size_t i = 0; i < n_pages && *whole; i++) {
        AUTO_OBJ struct obj page = obj_page(q, i);

        *whole = read_page_letters(&fonts, page, letters);
    }
    for (size_t i = 0; i < fonts.n; i++)
        shown_font_free(&fonts.items[i]);
    free(fonts.items);
    return letters->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}
