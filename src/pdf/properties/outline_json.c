#include "pdf/properties/outline_json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "pdf/document/outline.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/matrix.h"
#include "pdf/properties/json_values.h"
#include "pdf/properties/metadata_json.h"

#define FIELD      200
#define MAX_TITLE  2000
#define MAX_LENGTH 14400.0
#define ITALIC     1
#define BOLD       2

/* How far below the top of the page as it is shown a destination is; false if it does not say. */
static bool find_top(struct pdf_doc *doc, const struct dest *dest, const char *view, double *top)
{
    AUTO_OBJ struct obj page = obj_page(doc->q, dest->page);
    AUTO_OBJ struct obj array = OBJ_NONE;
    char text[DEST_VIEW + 4];
    struct page_view shown;
    double v[2] = { 0, 0 }, back[6];
    bool given[2], corner = strncmp(view, "/XYZ", 4) == 0;

    if (!corner && strncmp(view, "/FitH", 5) != 0)
        return false;
    snprintf(text, sizeof text, "[%s]", view);
    array = obj_try_parse(doc->q, text);
    for (int i = 0; i < 2; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i + 1);

        given[i] = obj_is_number(item, &v[i]);
    }
    page_view_read(page, &shown);
    double x = corner ? v[0] : 0, y = corner ? v[1] : v[0];
    if (!given[corner] || !matrix_invert(shown.matrix, back))
        return false;
    matrix_point(back, &x, &y);
    *top = fmin(fmax(shown.height - y, 0), shown.height);
    return true;
}

static void put_place(struct pdf_doc *doc, const struct dest_names *names,
                      const struct outline_entry *entry, json_t *out)
{
    const struct dest *dest = &entry->dest;
    const char *view = dest->view;
    struct dest to = *dest;
    double top;

    if (dest->name != DEST_NOWHERE) {
        to.page = names->items[dest->name].page;
        view = names->items[dest->name].view;
    }
    if (to.page == DEST_NOWHERE || to.page >= doc->n_pages)
        return;
    json_object_set_new(out, "page", json_integer((json_int_t) to.page + 1));
    if (find_top(doc, &to, view, &top))
        json_object_set_new(out, "top", json_values_number(top));
}

static void put_style(struct obj item, json_t *out)
{
    AUTO_OBJ struct obj color = obj_key(item, "/C");
    long long flags = 0;
    int rgb[3];

    obj_key_int(item, "/F", &flags);
    if (flags & BOLD)
        json_object_set_new(out, "bold", json_true());
    if (flags & ITALIC)
        json_object_set_new(out, "italic", json_true());
    if (obj_count(color) != 3)
        return;
    for (int i = 0; i < 3; i++) {
        AUTO_OBJ struct obj one = obj_item(color, i);
        double value = 0;

        obj_is_number(one, &value);
        rgb[i] = (int) lround(fmin(fmax(value, 0), 1) * 255);
    }
    if (rgb[0] | rgb[1] | rgb[2])
        json_object_set_new(
            out, "color",
            json_sprintf("#%02x%02x%02x", (unsigned) rgb[0], (unsigned) rgb[1], (unsigned) rgb[2]));
}

static json_t *entry_json(struct pdf_doc *doc, const struct dest_names *names,
                          const struct outline_entry *entry)
{
    AUTO_OBJ struct obj action = obj_key(entry->item, "/A");
    AUTO_OBJ struct obj title = obj_key(entry->item, "/Title");
    json_t *out = json_object(), *text = json_values_text(title);

    json_object_set_new(out, "title", text ? text : json_string(""));
    put_place(doc, names, entry, out);
    if (obj_key_is(action, "/S", "/URI"))
        json_values_set_text(out, "uri", action, "/URI");
    else if (obj_is_dict(action) && !obj_key_is(action, "/S", "/GoTo"))
        json_values_set_name(out, "action", action, "/S");
    put_style(entry->item, out);
    if (entry->open)
        json_object_set_new(out, "open", json_true());
    return out;
}

static int write_entries(struct pdf_doc *doc, const struct dest_names *names,
                         const struct outline *outline, struct buf *out, struct err *err)
{
    AUTO_FREE json_t **entries = calloc(outline->n + 1, sizeof(json_t *));
    json_t *top = json_array();

    if (!entries) {
        json_decref(top);
        return pdf_doc_no_memory(err);
    }
    for (size_t i = 0; i < outline->n; i++) {
        const struct outline_entry *entry = &outline->items[i];
        json_t *list = top, *above;

        entries[i] = entry_json(doc, names, entry);
        if (entry->parent != OUTLINE_TOP) {
            above = entries[entry->parent];
            list = json_object_get(above, "children");
            if (!list) {
                list = json_array();
                json_object_set_new(above, "children", list);
            }
        }
        json_array_append_new(list, entries[i]);
    }
    return metadata_json_dump(json_pack("{s:s, s:o}", "format", "platen-outline", "outline", top),
                              out, err);
}

int outline_json_write(struct pdf_doc *doc, struct buf *out, struct err *err)
{
    AUTO_IDMAP struct idmap pages = { 0 };
    struct dest_names names = { 0 };
    struct outline outline = { 0 };
    int done = 0;

    for (size_t i = 0; i < doc->n_pages && done == 0; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        if (!idmap_add(&pages, obj_id(page), i))
            done = pdf_doc_no_memory(err);
    }
    if (done == 0)
        done = dest_names_read(&names, doc->q, &pages, doc->n_pages, err);
    if (done == 0)
        done = outline_read(&outline, doc->q, &names, err);
    if (done == 0)
        done = write_entries(doc, &names, &outline, out, err);
    outline_free(&outline);
    dest_names_free(&names);
    return done;
}

struct maker {
    struct pdf_doc *doc;
    size_t n;
    struct err *err;
};

static int refuse_item(struct maker *m, const char *field, const char *key, const char *what)
{
    char name[FIELD + 20];

    snprintf(name, sizeof name, "%s%s%s", field, *key ? "." : "", key);
    return err_field(m->err, ERR_INVALID_PARAMETER, name, "%s %s", name, what);
}

static int set_title(struct maker *m, json_t *json, const char *field, struct obj item)
{
    const char *title = json_string_value(json_object_get(json, "title"));

    if (!title || !*title || strlen(title) > MAX_TITLE)
        return refuse_item(m, field, "title", "must be a text of 1 to 2000 bytes");
    AUTO_OBJ struct obj text = { item.q, qpdf_oh_new_unicode_string(item.q, title) };
    obj_set(item, "/Title", text);
    return 0;
}

static int set_dest(struct maker *m, json_t *json, const char *field, struct obj item)
{
    json_t *number = json_object_get(json, "page"), *down = json_object_get(json, "top");
    json_int_t page = json_integer_value(number);
    double top = json_number_value(down), x = 0, y;
    char view[DEST_VIEW] = "/Fit";
    struct page_view shown;

    if (!number)
        return 0;
    if (!json_is_integer(number) || page < 1 || page > (json_int_t) m->doc->n_pages)
        return refuse_item(m, field, "page", "must be the number of a page of the document");
    if (down && (!json_is_number(down) || !(top >= 0 && top <= MAX_LENGTH)))
        return refuse_item(m, field, "top", "must be a number of points from 0 to 14400");
    AUTO_OBJ struct obj to = obj_page(m->doc->q, (size_t) page - 1);
    if (down) {
        page_view_read(to, &shown);
        y = shown.height - top;
        matrix_point(shown.matrix, &x, &y);
        snprintf(view, sizeof view, "/XYZ %.2f %.2f null", x, y);
    }
    AUTO_OBJ struct obj dest = dest_array(to, view);
    obj_set(item, "/Dest", dest);
    return 0;
}

static int set_uri(struct maker *m, json_t *json, const char *field, struct obj item)
{
    json_t *found = json_object_get(json, "uri");
    const char *uri = json_string_value(found);

    if (!found)
        return 0;
    if (json_object_get(json, "page"))
        return refuse_item(m, field, "uri", "cannot be given together with page");
    if (!uri || !*uri || strlen(uri) > MAX_TITLE || strncasecmp(uri, "javascript:", 11) == 0)
        return refuse_item(m, field, "uri", "must be an address");
    AUTO_OBJ struct obj action = obj_parse(item.q, "<</S/URI>>");
    AUTO_OBJ struct obj text = obj_new_string(item.q, uri, strlen(uri));
    obj_set(action, "/URI", text);
    obj_set(item, "/A", action);
    return 0;
}

static int set_style(struct maker *m, json_t *json, const char *field, struct obj item)
{
    json_t *found = json_object_get(json, "color");
    const char *color = json_string_value(found);
    int flags = (json_is_true(json_object_get(json, "bold")) ? BOLD : 0) |
                (json_is_true(json_object_get(json, "italic")) ? ITALIC : 0);
    char text[80];
    double rgb[3];

    if (flags)
        obj_set_int(item, "/F", flags);
    if (!found)
        return 0;
    if (!color || strlen(color) != 7 || *color != '#' ||
        strspn(color + 1, "0123456789abcdefABCDEF") != 6)
        return refuse_item(m, field, "color", "must be a colour such as #14202e");
    for (int i = 0; i < 3; i++)
        rgb[i] = (num_hex_digit(color[1 + 2 * i]) * 16 + num_hex_digit(color[2 + 2 * i])) / 255.0;
    snprintf(text, sizeof text, "[%.4f %.4f %.4f]", rgb[0], rgb[1], rgb[2]);
    AUTO_OBJ struct obj value = obj_parse(item.q, text);
    obj_set(item, "/C", value);
    return 0;
}

static int check_item(struct maker *m, json_t *json, const char *field, int depth)
{
    static const char *const known[] = { "title", "page",  "top",  "uri",    "action",
                                         "bold",  "color", "open", "italic", "children" };
    const char *key;
    json_t *value;

    if (depth > OUTLINE_JSON_DEPTH)
        return refuse_item(m, field, "", "is nested too deep");
    if (++m->n > OUTLINE_JSON_ITEMS)
        return refuse_item(m, field, "", "is one item too many: an outline has at most 20000");
    if (!json_is_object(json))
        return refuse_item(m, field, "",
                           "must be an object such as {\"title\":\"One\",\"page\":1}");
    json_object_foreach(json, key, value)
    {
        bool found = false;

        for (size_t i = 0; i < COUNT(known); i++)
            found |= strcmp(key, known[i]) == 0;
        if (!found)
            return refuse_item(m, field, "", "has a key that is not known");
    }
    return 0;
}

static int make_items(struct maker *m, json_t *list, const char *field, struct obj above, int depth,
                      long long *shown);

static int make_item(struct maker *m, json_t *json, const char *field, struct obj item, int depth,
                     long long *shown)
{
    json_t *children = json_object_get(json, "children");
    bool open = json_is_true(json_object_get(json, "open"));
    char below[FIELD];
    long long n = 0;

    if (check_item(m, json, field, depth) < 0 || set_title(m, json, field, item) < 0 ||
        set_dest(m, json, field, item) < 0 || set_uri(m, json, field, item) < 0 ||
        set_style(m, json, field, item) < 0)
        return -1;
    ++*shown;
    if (json_array_size(children) == 0)
        return 0;
    snprintf(below, sizeof below, "%.*s.children", FIELD - 16, field);
    if (make_items(m, children, below, item, depth + 1, &n) < 0)
        return -1;
    obj_set_int(item, "/Count", open ? n : -n);
    *shown += open ? n : 0;
    return 0;
}

/* The items of a list below `above`, linked with one another; *shown: how many are seen when it is
 * open. */
static int make_items(struct maker *m, json_t *list, const char *field, struct obj above, int depth,
                      long long *shown)
{
    AUTO_OBJ struct obj before = OBJ_NONE;
    size_t n = json_array_size(list);

    for (size_t i = 0; i < n; i++) {
        AUTO_OBJ struct obj plain = obj_new_dict(m->doc->q);
        AUTO_OBJ struct obj item = obj_indirect(plain);
        char name[FIELD];

        snprintf(name, sizeof name, "%.*s[%zu]", FIELD - 24, field, i);
        obj_set(item, "/Parent", above);
        if (make_item(m, json_array_get(list, i), name, item, depth, shown) < 0)
            return -1;
        if (before.q) {
            obj_set(before, "/Next", item);
            obj_set(item, "/Prev", before);
        } else {
            obj_set(above, "/First", item);
        }
        obj_set(above, "/Last", item);
        obj_drop(&before);
        before = obj_same(item);
    }
    return 0;
}

static int make_outline(struct maker *m, const char *name, json_t *list)
{
    AUTO_OBJ struct obj root = obj_root(m->doc->q);
    AUTO_OBJ struct obj plain = obj_parse(m->doc->q, "<</Type/Outlines>>");
    AUTO_OBJ struct obj top = obj_indirect(plain);
    long long shown = 0;

    if (!json_is_array(list))
        return err_field(m->err, ERR_INVALID_PARAMETER, name,
                         "%s must be a JSON list such as [{\"title\":\"One\",\"page\":1}]", name);
    if (make_items(m, list, name, top, 1, &shown) < 0)
        return -1;
    obj_set_int(top, "/Count", shown);
    if (m->n > 0)
        obj_set(root, "/Outlines", top);
    else
        obj_remove(root, "/Outlines");
    return 0;
}

int outline_json_set(struct pdf_doc *doc, const char *name, const char *text, size_t *n,
                     struct err *err)
{
    struct maker maker = { .doc = doc, .err = err };
    json_error_t why;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    json_t *list = json_is_object(json) ? json_object_get(json, "outline") : json;
    int done;

    if (!json)
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s is not JSON: line %d, column %d",
                         name, why.line, why.column);
    done = make_outline(&maker, name, list);
    json_decref(json);
    *n = maker.n;
    return done;
}

/* Adds a heading at its level below the last ones of lower levels. */
static void add_heading(json_t *top, json_t *block, json_int_t page)
{
    json_int_t level = json_integer_value(json_object_get(block, "level"));
    json_t *list = top, *last, *children, *box = json_object_get(block, "box");
    const char *text = json_string_value(json_object_get(block, "text"));
    char title[MAX_TITLE / 4];
    size_t n;

    if (!text || !*text)
        return;
    n = strnlen(text, sizeof title - 1);
    while (n < strlen(text) && n > 0 && ((unsigned char) text[n] & 0xc0) == 0x80)
        n--; /* not within a character */
    memcpy(title, text, n);
    title[n] = '\0';
    for (json_int_t i = 1; i < level && json_array_size(list) > 0; i++) {
        last = json_array_get(list, json_array_size(list) - 1);
        if (json_integer_value(json_object_get(last, "level")) >= level)
            break;
        children = json_object_get(last, "children");
        if (!children) {
            children = json_array();
            json_object_set_new(last, "children", children);
        }
        list = children;
    }
    json_array_append_new(list, json_pack("{s:s, s:I, s:f, s:I}", "title", title, "page", page,
                                          "top", json_number_value(json_array_get(box, 1)), "level",
                                          level > 0 ? level : 1));
}

static void drop_levels(json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *item = json_array_get(list, i);

        json_object_del(item, "level");
        drop_levels(json_object_get(item, "children"));
    }
}

int outline_json_headings(struct pdf_doc *doc, const char *extracted, size_t n_bytes, size_t *n,
                          struct err *err)
{
    struct maker maker = { .doc = doc, .err = err };
    json_t *json = json_loadb(extracted, n_bytes, 0, NULL), *top = json_array();
    json_t *pages = json_object_get(json, "pages");
    int done = 0;

    for (size_t i = 0; i < json_array_size(pages); i++) {
        json_t *page = json_array_get(pages, i), *blocks = json_object_get(page, "blocks");

        for (size_t k = 0; k < json_array_size(blocks); k++) {
            json_t *block = json_array_get(blocks, k);
            const char *kind = json_string_value(json_object_get(block, "kind"));

            if (kind && strcmp(kind, "heading") == 0)
                add_heading(top, block, json_integer_value(json_object_get(page, "page")));
        }
    }
    drop_levels(top);
    if (json_array_size(top) > 0)
        done = make_outline(&maker, "outline", top);
    *n = maker.n;
    json_decref(top);
    json_decref(json);
    return done;
}
