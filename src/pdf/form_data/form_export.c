#include "pdf/form_data/form_export.h"

#include <fcntl.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/form_data/form_texts.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_widget.h"
#include "pdf/object/key_map.h"

#define MAX_NESTED 200 /* names in one another; deeper ones are one name */

/* The names of the fields that are open around the next one: the parts of its full name. */
struct export
{
    enum form_export format;
    struct buf out;
    struct buf path; /* of what is open: "address.city" */
    size_t depth;
    struct key_map names;
    size_t left_out;
};

static void put_xml(struct buf *out, const char *text, size_t n)
{
    for (size_t at = 0; at < n;) {
        size_t begin = at;
        uint32_t character = utf8_next(text, n, &at);

        if (character == '\r')
            buf_puts(out, "&#13;"); /* readers of XML would make it a line feed */
        else if (character < ' ' && character != '\n' && character != '\t')
            buf_puts(out, "\xEF\xBF\xBD"); /* XML 1.0 has no such characters */
        else
            for (size_t i = begin; i < at; i++)
                buf_put_markup(out, text[i]);
    }
}

/* A text string: in parentheses where that is readable, else UTF-16. */
static void put_fdf_string(struct buf *out, const char *text, size_t n)
{
    bool plain = true;

    for (size_t i = 0; i < n; i++)
        plain = plain && text[i] >= ' ' && text[i] < 127 && !strchr("()\\", text[i]);
    if (plain) {
        buf_putc(out, '(');
        buf_put(out, text, n);
        buf_putc(out, ')');
        return;
    }
    buf_puts(out, "<FEFF");
    for (size_t at = 0; at < n;) {
        uint32_t c = utf8_next(text, n, &at);

        if (c > 0xffff)
            buf_printf(out, "%04X%04X", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff));
        else
            buf_printf(out, "%04X", c);
    }
    buf_putc(out, '>');
}

static void put_fdf_name(struct buf *out, const char *text)
{
    buf_putc(out, '/');
    for (; *text; text++)
        if (*text > ' ' && *text < 127 && !strchr("()<>[]{}/%#", *text))
            buf_putc(out, *text);
        else
            buf_printf(out, "#%02X", (unsigned char) *text);
}

static void put_csv_cell(struct buf *out, const char *text)
{
    if (!*text || (!strpbrk(text, "\",;\t\r\n") && *text != ' ')) {
        buf_puts(out, text);
        return;
    }
    buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buf_putc(out, '"');
        buf_putc(out, *text);
    }
    buf_putc(out, '"');
}

static void open_part(struct export *e, const char *part, size_t n)
{
    if (e->format == FORM_EXPORT_XFDF) {
        buf_puts(&e->out, "<field name=\"");
        put_xml(&e->out, part, n);
        buf_puts(&e->out, "\">");
    } else {
        buf_puts(&e->out, "<</T");
        put_fdf_string(&e->out, part, n);
    }
}

static void close_part(struct export *e)
{
    char *dot = e->path.len > 0 ? memrchr(e->path.data, '.', e->path.len) : NULL;

    buf_puts(&e->out, e->format == FORM_EXPORT_XFDF ? "</field>\n" : "]>>\n");
    e->path.len = dot ? (size_t) (dot - e->path.data) : 0;
    e->depth--;
}

/* Closes the names that the next field is not in, and opens those around it. Returns the last part
 * of its name. */
static const char *enter_parts(struct export *e, const char *name)
{
    size_t same;
    const char *part, *dot;

    while (e->depth > 0 &&
           (strncmp(name, buf_text(&e->path), e->path.len) != 0 || name[e->path.len] != '.'))
        close_part(e);
    same = e->depth > 0 ? e->path.len + 1 : 0;
    for (part = name + same; (dot = strchr(part, '.')) && e->depth < MAX_NESTED; part = dot + 1) {
        open_part(e, part, (size_t) (dot - part));
        if (e->format == FORM_EXPORT_FDF)
            buf_puts(&e->out, "/Kids[");
        if (e->depth++ > 0)
            buf_putc(&e->path, '.');
        buf_put(&e->path, part, (size_t) (dot - part));
    }
    return part;
}

static void put_tree_field(struct export *e, const struct form_field *field,
                           const struct form_texts *texts)
{
    const char *part = enter_parts(e, field->name);
    bool named = field->kind == FORM_CHECK || field->kind == FORM_RADIO;

    open_part(e, part, strlen(part));
    if (e->format == FORM_EXPORT_XFDF) {
        for (size_t i = 0; i < texts->n; i++) {
            buf_puts(&e->out, "<value>");
            put_xml(&e->out, texts->items[i], strlen(texts->items[i]));
            buf_puts(&e->out, "</value>");
        }
        buf_puts(&e->out, "</field>\n");
        return;
    }
    if (texts->n > 0)
        buf_puts(&e->out, texts->n == 1 ? "/V" : "/V[");
    for (size_t i = 0; i < texts->n; i++)
        if (named)
            put_fdf_name(&e->out, texts->items[i]);
        else
            put_fdf_string(&e->out, texts->items[i], strlen(texts->items[i]));
    buf_puts(&e->out, texts->n <= 1 ? ">>\n" : "]>>\n");
}

static bool is_exported(struct export *e, const struct form_field *field)
{
    size_t n = strlen(field->name);
    int64_t before;

    if (field->kind == FORM_BUTTON || field->kind == FORM_SIGNATURE ||
        field->kind == FORM_UNKNOWN || (field->kind == FORM_TEXT && field->flags & FIELD_PASSWORD))
        return false;
    if (n == 0 || key_map_find(&e->names, field->name, n, &before)) {
        e->left_out++;
        return false;
    }
    key_map_put(&e->names, field->name, n, 1);
    return true;
}

static int put_fields(struct export *e, const struct form_fields *fields, struct err *err)
{
    AUTO_BUF struct buf row = BUF_EMPTY;
    bool first = true;

    for (size_t i = 0; i < fields->n; i++) {
        AUTO_FORM_TEXTS struct form_texts texts = { 0 };
        const struct form_field *field = &fields->items[i];
        AUTO_OBJ struct obj value = field_inherited(field->dict, OBJ_NONE, "/V");

        if (!is_exported(e, field))
            continue;
        if (form_texts_read(value, &texts, err) < 0)
            return -1;
        if (e->format != FORM_EXPORT_CSV)
            put_tree_field(e, field, &texts);
        /* A list box of which several are selected has a column for each. */
        for (size_t k = 0; e->format == FORM_EXPORT_CSV && (k == 0 || k < texts.n); k++) {
            if (!first) {
                buf_putc(&e->out, ',');
                buf_putc(&row, ',');
            }
            first = false;
            put_csv_cell(&e->out, field->name);
            put_csv_cell(&row, k < texts.n ? texts.items[k] : "");
        }
    }
    if (e->format == FORM_EXPORT_CSV) {
        buf_puts(&e->out, "\r\n");
        buf_put(&e->out, buf_text(&row), row.len);
        buf_puts(&e->out, "\r\n");
    }
    e->out.failed |= row.failed;
    return 0;
}

static const char *const begins[] = {
    ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     "<xfdf xmlns=\"http://ns.adobe.com/xfdf/\" xml:space=\"preserve\">\n<fields>\n"),
    "%FDF-1.2\n1 0 obj\n<</FDF<</Fields[\n", ""
};
static const char *const ends[] = { "</fields>\n</xfdf>\n",
                                    "]>>>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n", "" };

int form_export_write(const struct form_fields *fields, enum form_export format, const char *path,
                      size_t *left_out, struct err *err)
{
    struct export e = { .format = format };
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
    int done;

    if (fd < 0)
        return err_sys(err, "result");
    buf_puts(&e.out, begins[format]);
    done = put_fields(&e, fields, err);
    while (e.depth > 0)
        close_part(&e);
    buf_puts(&e.out, ends[format]);
    if (done == 0 && (e.out.failed || e.path.failed || e.names.failed))
        done = pdf_doc_no_memory(err);
    if (done == 0)
        done = fdio_write(fd, buf_text(&e.out), e.out.len, err);
    *left_out = e.left_out;
    key_map_free(&e.names);
    buf_free(&e.path);
    buf_free(&e.out);
    return done;
}
