#include "stamp/sign/addition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/object/page_view.h"

#define MAX_NESTING 100000
#define MAX_NAMES   1000 /* tried */
#define NAME        48

struct addition *addition_of(struct additions *additions, struct obj page, struct err *err)
{
    for (size_t i = 0; i < additions->n; i++)
        if (obj_id(additions->items[i].page) == obj_id(page))
            return &additions->items[i];
    if (!LIST_ROOM(additions->items, additions->n, additions->cap)) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    additions->items[additions->n] = (struct addition){ .page = obj_same(page) };
    return &additions->items[additions->n++];
}

void addition_free_all(struct additions *additions)
{
    for (size_t i = 0; i < additions->n; i++) {
        obj_drop(&additions->items[i].page);
        buf_free(&additions->items[i].content);
        buf_free(&additions->items[i].names);
        buf_free(&additions->items[i].annots);
    }
    free(additions->items);
    *additions = (struct additions){ 0 };
}

int addition_can_draw(struct addition *addition, bool *can, struct err *err)
{
    struct balance *balance = &addition->balance;

    if (!addition->measured && balance_page(addition->page, balance, err) < 0)
        return -1;
    addition->measured = true;
    *can = !balance->open && balance->before <= MAX_NESTING && balance->after <= MAX_NESTING;
    return 0;
}

/* A name for the form that the page's resources do not have. */
static int choose_name(struct obj page, int form, char name[static NAME], struct err *err)
{
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj forms = obj_key(resources, "/XObject");

    snprintf(name, NAME, "/Mark%d", form);
    for (int i = 1; i < MAX_NAMES; i++) {
        if (!obj_has(forms, name))
            return 0;
        snprintf(name, NAME, "/Mark%d.%d", form, i);
    }
    return err_set(err, ERR_LIMIT_EXCEEDED, "a page's resources have too many names");
}

int addition_draw(struct addition *addition, int form, const double matrix[static 6],
                  struct err *err)
{
    char name[NAME], entry[NAME + 20];

    if (choose_name(addition->page, form, name, err) < 0)
        return -1;
    buf_printf(&addition->content, "q %.6f %.6f %.6f %.6f %.4f %.4f cm %s Do Q\n", matrix[0],
               matrix[1], matrix[2], matrix[3], matrix[4], matrix[5], name);
    snprintf(entry, sizeof entry, "%s %d 0 R", name, form);
    if (!strstr(buf_text(&addition->names), entry))
        buf_puts(&addition->names, entry);
    return addition->content.failed || addition->names.failed ? pdf_doc_no_memory(err) : 0;
}

void addition_annotate(struct addition *addition, int number)
{
    buf_printf(&addition->annots, "%d 0 R ", number);
}

/* How an object that will be written encrypts its strings. */
static struct serial serial_for(struct update *update, struct obj obj, struct buf *out)
{
    return (struct serial){ .out = out,
                            .crypt = update->encrypted ? &update->crypt : NULL,
                            .id = OBJ_NUMBER(obj_id(obj)),
                            .gen = OBJ_GEN(obj_id(obj)) };
}

/* Whether other pages have the same array: what is added belongs to one. */
static bool is_shared(struct obj annots, struct obj page)
{
    int n = obj_is_indirect(annots) ? qpdf_get_num_pages(page.q) : 0;

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj other = obj_page(page.q, (size_t) i);
        AUTO_OBJ struct obj others = obj_key(other, "/Annots");

        if (obj_id(other) != obj_id(page) && obj_id(others) == obj_id(annots))
            return true;
    }
    return false;
}

/* Adds to the array of annotations: if it is an object of its own, it alone is rewritten, and
 * `text` stays empty; else `text` becomes the page's new value. */
static int put_annots(struct addition *addition, struct update *update, struct obj fields,
                      struct buf *text, struct err *err)
{
    AUTO_OBJ struct obj annots = obj_key(addition->page, "/Annots");
    bool form = addition->n_marks > 0 && obj_id(annots) && obj_id(annots) == obj_id(fields);
    struct serial own, serial = serial_for(update, addition->page, text);

    if (addition->annots.len == 0)
        return 0;
    if (!obj_is_array(annots) || !obj_is_indirect(annots) || form ||
        is_shared(annots, addition->page))
        return serial_array(&serial, annots, buf_text(&addition->annots), err);
    if (update_reopen(update, annots, &own, err) < 0 ||
        serial_array(&own, annots, buf_text(&addition->annots), err) < 0)
        return -1;
    return update_close(update, err);
}

/* Adds a stream of n times the same operator, and then more. */
static int put_operators(struct update *update, const char *operator, size_t n,
                         const struct buf *more, int *number, struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY;

    buf_puts(&content, "\n");
    for (size_t i = 0; i < n; i++)
        buf_puts(&content, operator);
    if (more)
        buf_put(&content, more->data, more->len);
    if (content.failed)
        return pdf_doc_no_memory(err);
    if (update_number(update, number, err) < 0)
        return -1;
    return update_stream(update, *number, "", content.data, content.len, err);
}

/* `text`: the page's content with what is drawn after it. */
static int put_contents(struct addition *addition, struct update *update, struct buf *text,
                        struct err *err)
{
    AUTO_OBJ struct obj old = obj_key(addition->page, "/Contents");
    struct serial serial = serial_for(update, addition->page, text);
    AUTO_BUF struct buf drawn = BUF_EMPTY;
    int before, after;

    buf_puts(&drawn, "/Artifact BMC\n");
    buf_put(&drawn, addition->content.data, addition->content.len);
    buf_puts(&drawn, "EMC\n");
    if (drawn.failed)
        return pdf_doc_no_memory(err);
    if (put_operators(update, "q\n", addition->balance.before, NULL, &before, err) < 0 ||
        put_operators(update, "Q\n", addition->balance.after, &drawn, &after, err) < 0)
        return -1;
    buf_printf(text, "[%d 0 R ", before);
    if (obj_is_stream(old)) {
        if (serial_put(&serial, old, err) < 0)
            return -1;
        buf_putc(text, ' ');
    }
    for (int i = 0, n = obj_count(old); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        if (!obj_is_stream(item))
            continue;
        if (serial_put(&serial, item, err) < 0)
            return -1;
        buf_putc(text, ' ');
    }
    buf_printf(text, "%d 0 R]", after);
    return 0;
}

/* The dictionary, or an empty one. */
static struct obj dict_of(struct obj obj)
{
    return obj_is_dict(obj) ? obj_same(obj) : obj_new_dict(obj.q);
}

/* `text`: the page's resources, its own from now on, with the forms. */
static int put_resources(const struct addition *addition, struct update *update, struct buf *text,
                         struct err *err)
{
    AUTO_OBJ struct obj found = page_view_inherited(addition->page, "/Resources", NULL);
    AUTO_OBJ struct obj resources = dict_of(found);
    AUTO_OBJ struct obj named = obj_key(resources, "/XObject");
    AUTO_OBJ struct obj forms = dict_of(named);
    AUTO_BUF struct buf dict = BUF_EMPTY;
    struct serial inner = serial_for(update, addition->page, &dict);
    struct serial serial = serial_for(update, addition->page, text);

    if (serial_dict(&inner, forms, NULL, 0, err) < 0)
        return -1;
    if (dict.failed)
        return pdf_doc_no_memory(err);
    dict.len -= 2; /* ">>" */
    buf_printf(&dict, "%s>>", buf_text(&addition->names));
    if (dict.failed)
        return pdf_doc_no_memory(err);
    const struct serial_change change = { "/XObject", buf_text(&dict) };
    return serial_dict(&serial, resources, &change, 1, err);
}

static int write_page(struct addition *addition, struct update *update, struct obj fields,
                      struct err *err)
{
    AUTO_BUF struct buf annots = BUF_EMPTY, contents = BUF_EMPTY, resources = BUF_EMPTY;
    struct serial serial;

    if (put_annots(addition, update, fields, &annots, err) < 0)
        return -1;
    if (addition->content.len > 0 && (put_contents(addition, update, &contents, err) < 0 ||
                                      put_resources(addition, update, &resources, err) < 0))
        return -1;
    if (annots.len == 0 && contents.len == 0)
        return 0;
    if (annots.failed || contents.failed || resources.failed)
        return pdf_doc_no_memory(err);
    const struct serial_change changes[] = {
        { annots.len ? "/Annots" : "", buf_text(&annots) },
        { contents.len ? "/Contents" : "", buf_text(&contents) },
        { resources.len ? "/Resources" : "", buf_text(&resources) },
    };
    if (update_reopen(update, addition->page, &serial, err) < 0 ||
        serial_dict(&serial, addition->page, changes, COUNT(changes), err) < 0)
        return -1;
    return update_close(update, err);
}

int addition_write_all(struct additions *additions, struct update *update, struct obj fields,
                       struct err *err)
{
    for (size_t i = 0; i < additions->n; i++)
        if (write_page(&additions->items[i], update, fields, err) < 0)
            return -1;
    return 0;
}
