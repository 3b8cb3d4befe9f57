#include "engine/office/hidden.h"

#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "declare/value/text.h"

#define NAME_BYTES 41 /* of a sheet, with a NUL */
#define LIST_BYTES 80 /* of the names that are listed; one more may follow */
#define NUMBERS    20 /* of slides that are listed */

/* What is listed, and how much more there is. */
struct list {
    struct buf text;
    size_t n, more;
};

static bool has_room(struct list *list)
{
    bool room = list->text.len < LIST_BYTES;

    list->n++;
    list->more += !room;
    if (room)
        buf_puts(&list->text, list->n > 1 ? ", " : "");
    return room;
}

static void put_name(struct buf *out, const char *name)
{
    char clean[NAME_BYTES];

    text_for_message(name, strlen(name), clean, sizeof clean);
    buf_printf(out, "\"%s\"", clean);
}

static void put_cells(struct list *list, const char *name, size_t rows, size_t columns)
{
    if (!has_room(list))
        return;
    if (rows)
        buf_printf(&list->text, "%zu row%s", rows, rows > 1 ? "s" : "");
    if (columns)
        buf_printf(&list->text, "%s%zu column%s", rows ? " and " : "", columns,
                   columns > 1 ? "s" : "");
    buf_puts(&list->text, " of ");
    put_name(&list->text, name);
}

static void list_cells(struct kit_doc *doc, int part, const char *name, struct list *list)
{
    size_t rows = 0, columns = 0;

    kit_hidden_cells(doc, part, &rows, &columns);
    if (rows || columns)
        put_cells(list, name, rows, columns);
}

static void put_list(struct buf *out, const char *before, const struct list *list)
{
    if (list->n == 0)
        return;
    buf_printf(out, "%s%s%s", out->len ? "; " : "", before, buf_text(&list->text));
    if (list->more)
        buf_printf(out, " and %zu more", list->more);
}

void hidden_warn_of_sheets(struct tool_run *run, struct kit_doc *doc, const char *const *names,
                           size_t n, const bool *chosen)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct list sheets = { 0 }, cells = { 0 };

    for (size_t i = 0; i < n; i++) {
        bool hidden = !chosen && kit_sheet_is_hidden(doc, (int) i);

        if (hidden && has_room(&sheets))
            put_name(&sheets.text, names[i]);
        else if (!hidden && (!chosen || chosen[i]))
            list_cells(doc, (int) i, names[i], &cells);
    }
    put_list(&text, sheets.n > 1 ? "the sheets " : "the sheet ", &sheets);
    put_list(&text, "", &cells);
    if (text.len)
        tool_warn(run, "hidden_left_out", "what is hidden was left out: %s", buf_text(&text));
    buf_free(&sheets.text);
    buf_free(&cells.text);
}

/* Goes to the title of the next page in the outline; LibreOffice writes an entry for each page. */
static bool next_title(struct obj *item, const char *key)
{
    struct obj next = obj_key(*item, key);

    obj_drop(item);
    *item = next;
    return obj_is_dict(next);
}

static bool is_titled(struct obj item, const char *name)
{
    AUTO_OBJ struct obj title = obj_key(item, "/Title");

    return obj_is_string(title) && strcmp(qpdf_oh_get_utf8_value(title.q, title.oh), name) == 0;
}

static bool has_name(struct kit_doc *doc, int slide, const char *name)
{
    AUTO_FREE char *own = kit_part_name(doc, slide);

    return own && strcmp(own, name) == 0;
}

static bool is_unique(struct kit_doc *doc, int slide, const char *name)
{
    for (int i = 0; i < kit_parts(doc); i++)
        if (i != slide && has_name(doc, i, name))
            return false;
    return true;
}

/* The slides and the entries of the outline are in the same order: a slide that is not the next
 * entry is hidden. Returns false if that is not sure, because slides have the same name. */
static bool list_slides(struct kit_doc *doc, qpdf_data q, struct list *slides)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj item = obj_key(root, "/Outlines");
    bool is_page = obj_is_dict(item) && next_title(&item, "/First");

    for (int i = 0; i < kit_parts(doc) && slides->n < NUMBERS; i++) {
        AUTO_FREE char *name = kit_part_name(doc, i);

        if (is_page && name && is_titled(item, name)) {
            is_page = next_title(&item, "/Next");
        } else {
            if (!name || !is_unique(doc, i, name))
                return false;
            buf_printf(&slides->text, "%s%d", slides->n > 0 ? ", " : "", i + 1);
            slides->n++;
        }
    }
    return true;
}

void hidden_warn_of_slides(struct tool_run *run, struct kit_doc *doc, qpdf_data q, size_t n_pages)
{
    struct list slides = { 0 };
    size_t all = (size_t) kit_parts(doc), n = all > n_pages ? all - n_pages : 0;
    bool listed = n > 0 && list_slides(doc, q, &slides) && slides.n == (n < NUMBERS ? n : NUMBERS);

    if (n > 0)
        tool_warn(run, "hidden_left_out", "%zu hidden slide%s left out%s%s%s", n,
                  n > 1 ? "s were" : " was", listed ? ": " : "",
                  listed ? buf_text(&slides.text) : "", listed && n > NUMBERS ? ", ..." : "");
    buf_free(&slides.text);
}
