#include <expat.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_formats.h"

#define MAX_TEXT (1 << 20) /* bytes of one value */

/* Elements are counted from the outermost one, and their names are compared without a prefix. */
struct reading {
    struct form_values *values;
    XML_Parser parser;
    struct buf name;             /* of the field at hand, with those around it */
    size_t ends[FORM_DEPTH + 1]; /* lengths of `name` outside of each field */
    int depth;                   /* of fields */
    int rich;                    /* of elements inside of a rich value */
    bool in_value, known;
    struct buf text;
    size_t value; /* index of the field's value in the row, if it has one */
    bool has_value;
    int done;
    struct err *err;
};

static void stop(struct reading *r)
{
    r->done = -1;
    XML_StopParser(r->parser, XML_FALSE);
}

/* The name of an element; expat puts its namespace in front of a blank. */
static bool is(const char *name, const char *wanted)
{
    const char *blank = strrchr(name, ' ');

    return strcmp(blank ? blank + 1 : name, wanted) == 0;
}

static void begin_field(struct reading *r, const char **attributes)
{
    if (r->depth == FORM_DEPTH) {
        form_values_wrong(r->err, "the fields of the XFDF data are nested more than %d deep",
                          FORM_DEPTH);
        stop(r);
        return;
    }
    r->ends[r->depth++] = r->name.len;
    r->has_value = false;
    for (size_t i = 0; attributes[i]; i += 2) {
        if (!is(attributes[i], "name"))
            continue;
        if (r->name.len > 0)
            buf_putc(&r->name, '.');
        buf_puts(&r->name, attributes[i + 1]);
    }
}

static void on_begin(void *arg, const char *name, const char **attributes)
{
    struct reading *r = arg;

    if (r->rich > 0) {
        r->rich++;
        if (is(name, "br") || (is(name, "p") && r->text.len > 0))
            buf_putc(&r->text, '\n');
    } else if (is(name, "xfdf") || is(name, "fields")) {
        r->known = true;
    } else if (is(name, "field") && r->known) {
        begin_field(r, attributes);
    } else if (is(name, "value") && r->depth > 0) {
        r->in_value = true;
        r->text.len = 0;
    } else if (is(name, "value-richtext") && r->depth > 0) {
        r->rich = 1;
        r->text.len = 0;
    }
}

static void on_text(void *arg, const char *text, int n)
{
    struct reading *r = arg;

    if (!r->in_value && r->rich == 0)
        return;
    buf_put(&r->text, text, (size_t) n);
    if (r->text.failed || r->text.len > MAX_TEXT) {
        pdf_doc_no_memory(r->err);
        stop(r);
    }
}

/* The value of a field, or one of several. */
static void add_xfdf_text(struct reading *r)
{
    struct form_row *row = &r->values->rows[r->values->n - 1];

    if (!r->has_value) {
        if (!form_values_add(r->values, buf_text(&r->name), r->name.len, FORM_VALUE_TEXTS,
                             r->err)) {
            stop(r);
            return;
        }
        r->value = row->n - 1;
        r->has_value = true;
        if (r->text.len == 0)
            row->items[r->value].type = FORM_VALUE_CLEAR;
    }
    if (r->text.len > 0 &&
        form_value_text(&row->items[r->value], buf_text(&r->text), r->text.len, r->err) < 0)
        stop(r);
}

static void on_end(void *arg, const char *name)
{
    struct reading *r = arg;

    if (r->rich > 1) {
        r->rich--;
    } else if (r->rich == 1) {
        r->rich = 0;
        if (!r->has_value)
            add_xfdf_text(r);
    } else if (is(name, "value") && r->in_value) {
        r->in_value = false;
        add_xfdf_text(r);
    } else if (is(name, "field") && r->depth > 0) {
        r->name.len = r->ends[--r->depth];
        r->has_value = false;
    }
}

/* Declarations of entities are no part of XFDF. */
static void on_declaration(void *arg, const char *name, const char *system, const char *public,
                           int internal)
{
    struct reading *r = arg;

    (void) name, (void) system, (void) public;
    if (!internal)
        return;
    form_values_wrong(r->err, "the XFDF data has declarations of its own, which are not read");
    stop(r);
}

static int parse(struct reading *r, const char *bytes, size_t n)
{
    if (XML_Parse(r->parser, bytes, (int) n, XML_TRUE) == XML_STATUS_OK && r->done == 0)
        return r->known ? 0
                        : form_values_wrong(r->err, "the data is XML, but not XFDF: it has no "
                                                    "element xfdf");
    return r->done < 0 ? -1
                       : form_values_wrong(r->err, "the data is not XFDF: line %lu, column %lu: %s",
                                           XML_GetCurrentLineNumber(r->parser),
                                           XML_GetCurrentColumnNumber(r->parser),
                                           XML_ErrorString(XML_GetErrorCode(r->parser)));
}

int form_xfdf_read(struct form_values *values, const char *bytes, size_t n, struct err *err)
{
    struct reading r = { .values = values, .err = err };
    int done;

    if (form_values_row(values, err) < 0)
        return -1;
    r.parser = XML_ParserCreateNS(NULL, ' ');
    if (!r.parser)
        return pdf_doc_no_memory(err);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_begin, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetStartDoctypeDeclHandler(r.parser, on_declaration);
    done = parse(&r, bytes, n);
    XML_ParserFree(r.parser);
    buf_free(&r.name);
    buf_free(&r.text);
    return done;
}
