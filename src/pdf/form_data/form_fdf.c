#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_formats.h"
#include "pdf/forms/field_text.h"
#include "pdf/object/idmap.h"
#include "syntax/pdf/dict.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/syntax.h"

#define MAX_OBJECTS 100000
#define MAX_FIELDS  1000000 /* that are looked at: the same one may be below several others */

/* Objects are kept in clean form (syntax/pdf/syntax.h), one after another. */
struct fdf {
    struct form_values *values;
    struct buf objects;
    struct range {
        size_t at, n;
    } * ranges;
    size_t n, cap;
    struct idmap known; /* from object numbers to indexes in ranges */
    struct buf name;    /* of the field at hand */
    int depth;
    size_t seen;
    int done;
    struct err *err;
};

static bool skip_header(struct syntax *syntax, uint64_t *number)
{
    uint64_t generation;

    if (!syntax_unsigned(syntax, number))
        return false;
    syntax_skip_space(syntax);
    if (!syntax_unsigned(syntax, &generation))
        return false;
    syntax_skip_space(syntax);
    return syntax_skip_word(syntax, "obj");
}

static bool add_object(struct fdf *fdf, struct syntax *syntax, uint64_t number)
{
    size_t at = fdf->objects.len;

    syntax_skip_space(syntax);
    syntax_read(syntax, &fdf->objects);
    if (!LIST_ROOM(fdf->ranges, fdf->n, fdf->cap))
        return false;
    fdf->ranges[fdf->n] = (struct range){ at, fdf->objects.len - at };
    if (idmap_find(&fdf->known, (int64_t) number) == IDMAP_NONE) {
        if (!idmap_add(&fdf->known, (int64_t) number, fdf->n))
            return false;
    } else {
        idmap_set(&fdf->known, (int64_t) number, fdf->n);
    }
    fdf->n++;
    return !fdf->objects.failed;
}

/* Reads all objects, wherever they are: files often have no cross-reference table. */
static int read_objects(struct fdf *fdf, const char *bytes, size_t n)
{
    struct syntax syntax = { .data = (const unsigned char *) bytes, .n = n };

    while (syntax.at < n) {
        size_t begin = syntax.at;
        uint64_t number = 0;

        if (skip_header(&syntax, &number) && number > 0 && number <= SYNTAX_NUMBER) {
            if (fdf->n == MAX_OBJECTS || !add_object(fdf, &syntax, number))
                return pdf_doc_no_memory(fdf->err);
            continue;
        }
        /* The next word, or the next line. */
        syntax.at = begin;
        while (syntax.at < n && !lex_is_space(bytes[syntax.at]))
            syntax.at++;
        while (syntax.at < n && lex_is_space(bytes[syntax.at]))
            syntax.at++;
    }
    return 0;
}

/* The value of a reference, or the value itself. */
static struct text resolved(const struct fdf *fdf, struct text value)
{
    uint32_t number = text_ref(value);
    size_t at = number ? idmap_find(&fdf->known, number) : IDMAP_NONE;

    if (number == 0)
        return value;
    if (at == IDMAP_NONE)
        return (struct text){ NULL, 0 };
    return (struct text){ buf_text(&fdf->objects) + fdf->ranges[at].at, fdf->ranges[at].n };
}

static struct text found(const struct fdf *fdf, struct text dict, const char *key)
{
    return resolved(fdf, dict_find(dict, key));
}

/* A string or a name as UTF-8. False if it is neither. */
static bool read_fdf_text(struct text value, struct buf *out)
{
    const unsigned char *at = (const unsigned char *) value.at;
    AUTO_FREE char *raw = NULL;
    struct lex_token token;
    size_t n;

    if (!at || !lex_next(&(struct lex){ at, at + value.n }, &token) ||
        (token.kind != LEX_STRING && token.kind != LEX_HEX && token.kind != LEX_NAME))
        return false;
    raw = malloc(token.n + 1);
    if (!raw)
        return false;
    if (token.kind == LEX_NAME) {
        n = lex_name(&token, raw);
        if (n > 0)
            buf_put(out, raw + 1, n - 1);
        return true;
    }
    n = lex_string(&token, raw);
    return field_text_read(raw, n, out);
}

struct texts {
    struct fdf *fdf;
    size_t value; /* index in the row */
};

static bool add_fdf_text(void *arg, struct text item)
{
    struct texts *texts = arg;
    struct fdf *fdf = texts->fdf;
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct form_row *row = &fdf->values->rows[fdf->values->n - 1];

    if (read_fdf_text(resolved(fdf, item), &text) && text.len > 0 &&
        form_value_text(&row->items[texts->value], buf_text(&text), text.len, fdf->err) < 0)
        fdf->done = -1;
    return fdf->done == 0;
}

static void add_fdf_value(struct fdf *fdf, struct text value)
{
    struct texts texts = { .fdf = fdf };

    if (!form_values_add(fdf->values, buf_text(&fdf->name), fdf->name.len, FORM_VALUE_CLEAR,
                         fdf->err)) {
        fdf->done = -1;
        return;
    }
    texts.value = fdf->values->rows[fdf->values->n - 1].n - 1;
    if (text_is_array(value))
        dict_walk_array(value, add_fdf_text, &texts);
    else
        add_fdf_text(&texts, value);
}

static bool read_field(void *arg, struct text item)
{
    struct fdf *fdf = arg;
    struct text dict = resolved(fdf, item), value = found(fdf, dict, "/V");
    size_t above = fdf->name.len;
    AUTO_BUF struct buf own = BUF_EMPTY;

    if (fdf->depth == FORM_DEPTH) {
        fdf->done = form_values_wrong(
            fdf->err, "the fields of the FDF data are nested more than %d deep", FORM_DEPTH);
        return false;
    }
    if (fdf->seen++ == MAX_FIELDS) {
        fdf->done = pdf_doc_no_memory(fdf->err);
        return false;
    }
    if (!text_is_dict(dict))
        return true;
    read_fdf_text(found(fdf, dict, "/T"), &own);
    if (above > 0 && own.len > 0)
        buf_putc(&fdf->name, '.');
    buf_put(&fdf->name, buf_text(&own), own.len);
    if (value.at)
        add_fdf_value(fdf, value);
    fdf->depth++;
    if (fdf->done == 0)
        dict_walk_array(found(fdf, dict, "/Kids"), read_field, fdf);
    fdf->depth--;
    fdf->name.len = above;
    return fdf->done == 0;
}

static int read_fields(struct fdf *fdf)
{
    for (size_t i = fdf->n; i-- > 0;) {
        struct text root = { buf_text(&fdf->objects) + fdf->ranges[i].at, fdf->ranges[i].n };
        struct text dict = found(fdf, root, "/FDF");

        if (!text_is_dict(dict))
            continue;
        dict_walk_array(found(fdf, dict, "/Fields"), read_field, fdf);
        return fdf->done;
    }
    return form_values_wrong(fdf->err, "the FDF data has no dictionary /FDF");
}

int form_fdf_read(struct form_values *values, const char *bytes, size_t n, struct err *err)
{
    struct fdf fdf = { .values = values, .err = err };
    int done = form_values_row(values, err);

    if (done == 0)
        done = read_objects(&fdf, bytes, n);
    if (done == 0)
        done = read_fields(&fdf);
    buf_free(&fdf.objects);
    buf_free(&fdf.name);
    idmap_free(&fdf.known);
    free(fdf.ranges);
    return done;
}
