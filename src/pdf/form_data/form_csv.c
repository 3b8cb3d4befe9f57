#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_formats.h"
#include "pdf/object/key_map.h"

#define MAX_COLUMNS 10000

struct reading {
    struct form_values *values;
    const char *at, *end;
    char separator;
    size_t line;
    struct buf cell;
    bool ends; /* the cell was the last of its row */
    char **names;
    size_t *first; /* of each column: the first one of that name */
    size_t n_names, cap, cap_first;
    struct key_map known;
    struct err *err;
};

/* The separator that occurs most often in the first line, outside of quotes. */
static char find_separator(const char *at, const char *end)
{
    static const char separators[] = ",;\t";
    size_t counts[sizeof separators] = { 0 }, best = 0;
    bool quoted = false;

    for (; at < end && (quoted || (*at != '\n' && *at != '\r')); at++) {
        const char *found = strchr(separators, *at);

        quoted ^= *at == '"';
        if (!quoted && found)
            counts[found - separators]++;
    }
    for (size_t i = 1; separators[i]; i++)
        if (counts[i] > counts[best])
            best = i;
    return separators[best];
}

static int read_quoted(struct reading *r)
{
    size_t began = r->line;

    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"' && (r->at + 1 == r->end || r->at[1] != '"')) {
            r->at++;
            return 0;
        }
        r->at += *r->at == '"';
        r->line += *r->at == '\n';
        buf_putc(&r->cell, *r->at);
    }
    return form_values_wrong(r->err, "the quotes that begin in line %zu of the CSV data do not end",
                             began);
}

static int read_cell(struct reading *r)
{
    r->cell.len = 0;
    if (r->at < r->end && *r->at == '"' && read_quoted(r) < 0)
        return -1;
    while (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r')
        buf_putc(&r->cell, *r->at++);
    r->ends = r->at == r->end || *r->at != r->separator;
    if (r->at == r->end)
        return 0;
    if (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n')
        r->at++;
    r->line += r->ends;
    r->at++;
    return r->cell.failed ? pdf_doc_no_memory(r->err) : 0;
}

static int note_name(struct reading *r)
{
    const char *name = r->names[r->n_names - 1];
    int64_t first = (int64_t) r->n_names - 1;

    if (!LIST_ROOM(r->first, r->n_names - 1, r->cap_first))
        return pdf_doc_no_memory(r->err);
    if (!key_map_find(&r->known, name, strlen(name), &first))
        key_map_put(&r->known, name, strlen(name), first);
    r->first[r->n_names - 1] = (size_t) first;
    return r->known.failed ? pdf_doc_no_memory(r->err) : 0;
}

static int read_names(struct reading *r)
{
    do {
        if (read_cell(r) < 0)
            return -1;
        if (r->cell.len == 0)
            return form_values_wrong(
                r->err, "column %zu of the CSV data has no name in the first line", r->n_names + 1);
        if (r->n_names == MAX_COLUMNS)
            return form_values_wrong(r->err, "the CSV data has more than %d columns", MAX_COLUMNS);
        if (!LIST_ROOM(r->names, r->n_names, r->cap))
            return pdf_doc_no_memory(r->err);
        r->names[r->n_names] = strndup(buf_text(&r->cell), r->cell.len);
        if (!r->names[r->n_names])
            return pdf_doc_no_memory(r->err);
        r->n_names++;
        if (note_name(r) < 0)
            return -1;
    } while (!r->ends);
    return 0;
}

/* Columns of one name are the texts of one value, of a list box of which several are selected. */
static struct form_value *value_of_column(struct reading *r, size_t column)
{
    struct form_row *row = &r->values->rows[r->values->n - 1];
    const char *name = r->names[column];

    if (r->first[column] == column)
        return form_values_add(r->values, name, strlen(name), FORM_VALUE_CLEAR, r->err);
    /* Rarely more than one: the value is among the last ones. */
    for (size_t i = row->n; i > 0; i--)
        if (strcmp(row->items[i - 1].name, name) == 0)
            return &row->items[i - 1];
    return NULL;
}

static int read_row(struct reading *r)
{
    size_t line = r->line, column = 0;

    if (form_values_row(r->values, r->err) < 0)
        return -1;
    do {
        struct form_value *value;

        if (read_cell(r) < 0)
            return -1;
        if (column == r->n_names)
            return form_values_wrong(r->err, "line %zu of the CSV data has more than %zu columns",
                                     line, r->n_names);
        value = value_of_column(r, column);
        if (!value || (r->cell.len > 0 &&
                       form_value_text(value, buf_text(&r->cell), r->cell.len, r->err) < 0))
            return -1;
        column++;
    } while (!r->ends);
    if (column < r->n_names)
        return form_values_wrong(r->err, "line %zu of the CSV data has %zu columns instead of %zu",
                                 line, column, r->n_names);
    return 0;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

int form_csv_read(struct form_values *values, const char *bytes, size_t n, struct err *err)
{
    struct reading r = { .values = values,
                         .at = bytes,
                         .end = bytes + n,
                         .separator = find_separator(bytes, bytes + n),
                         .line = 1,
                         .err = err };
    int done = read_names(&r);

    while (done == 0 && r.at < r.end) {
        if (is_line_end(*r.at)) {
            r.line += *r.at++ == '\n';
            continue;
        }
        done = read_row(&r);
    }
    if (done == 0 && values->n == 0)
        done = form_values_wrong(err, "the CSV data has names, but no row of values below them");
    for (size_t i = 0; i < r.n_names; i++)
        free(r.names[i]);
    free(r.names);
    free(r.first);
    key_map_free(&r.known);
    buf_free(&r.cell);
    return done;
}
