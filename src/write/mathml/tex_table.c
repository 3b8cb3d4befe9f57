#include "write/mathml/tex_table.h"

#include <string.h>

#include "base/scope.h"
#include "write/mathml/tex_write.h"

struct environment {
    const char *name;
    uint32_t left, right; /* brackets; 0: none */
    const char *columns; /* l, c or r for each column; the last ones repeat: two if there are two */
    bool display;        /* cells are as large as formulas of their own */
    bool joined;         /* no space between a column and the next: the sides of an equation */
};

static const struct environment environments[] = {
    { "matrix", 0, 0, "c", false, false },
    { "smallmatrix", 0, 0, "c", false, false },
    { "pmatrix", '(', ')', "c", false, false },
    { "bmatrix", '[', ']', "c", false, false },
    { "Bmatrix", '{', '}', "c", false, false },
    { "vmatrix", '|', '|', "c", false, false },
    { "Vmatrix", 0x2016, 0x2016, "c", false, false },
    { "cases", '{', 0, "l", false, false },
    { "dcases", '{', 0, "l", true, false },
    { "rcases", 0, '}', "l", false, false },
    { "array", 0, 0, "c", false, false },
    { "aligned", 0, 0, "rl", true, true },
    { "align", 0, 0, "rl", true, true },
    { "align*", 0, 0, "rl", true, true },
    { "alignedat", 0, 0, "rl", true, true },
    { "alignat", 0, 0, "rl", true, true },
    { "alignat*", 0, 0, "rl", true, true },
    { "split", 0, 0, "rl", true, true },
    { "eqnarray", 0, 0, "rcl", true, true },
    { "eqnarray*", 0, 0, "rcl", true, true },
    { "gathered", 0, 0, "c", true, false },
    { "gather", 0, 0, "c", true, false },
    { "gather*", 0, 0, "c", true, false },
    { "multline", 0, 0, "c", true, false },
    { "multline*", 0, 0, "c", true, false },
    { "equation", 0, 0, "c", true, false },
    { "equation*", 0, 0, "c", true, false },
    { "subarray", 0, 0, "c", false, true },
};

/* The rows of a table while they are read. */
struct table {
    const struct environment *kind;
    const char *columns; /* as above, of an array with its own */
    size_t n_columns;
    bool lines[64]; /* there is a vertical line before the column */
    struct buf rows;
    size_t n_rows, n_cells;
};

static void cell_style(const struct table *table, size_t column, bool ruled, struct buf *out)
{
    size_t n = table->n_columns;
    /* The columns of an array are those it names; others repeat. */
    char side = table->columns[column < n ? column : n == 3 ? 2 : (column - n) % n];
    bool joined = table->kind->joined;

    /* Without the prefix only lines of text move, and not mathematics. */
    buf_printf(out, "<mtd style=\"text-align:-webkit-%s",
               side == 'l'   ? "left"
               : side == 'r' ? "right"
                             : "center");
    if (joined)
        buf_printf(out, ";padding-left:%s;padding-right:0",
                   column > 0 && side == 'r' && n == 2 ? "2em" : "0");
    else if (table->kind->left && !table->kind->right)
        buf_printf(out, ";padding-left:%s;padding-right:0", column > 0 ? "1em" : "0.2em");
    if (ruled)
        buf_puts(out, ";border-top:0.06em solid");
    if (column < COUNT(table->lines) && table->lines[column])
        buf_puts(out, ";border-left:0.06em solid");
    if (column + 1 == n && n < COUNT(table->lines) && table->lines[n])
        buf_puts(out, ";border-right:0.06em solid");
    buf_puts(out, "\">");
}

static bool is_command(struct tex_token token, const char *name)
{
    return token.kind == TEX_TOKEN_COMMAND && token.n == strlen(name) &&
           memcmp(token.name, name, token.n) == 0;
}

/* Reads the \hline before a row. */
static bool ruled(struct tex_reader *reader)
{
    bool any = false;

    while (is_command(tex_token_peek(&reader->in), "hline")) {
        tex_token_next(&reader->in);
        any = true;
    }
    return any;
}

static int read_cells(struct tex_reader *reader, struct table *table, bool line)
{
    struct tex_token next;

    buf_puts(&table->rows, "<mtr>");
    for (size_t column = 0;; column++) {
        cell_style(table, column, line, &table->rows);
        if (reader->row(reader, &table->rows) < 0)
            return -1;
        buf_puts(&table->rows, "</mtd>");
        table->n_cells++;
        next = tex_token_peek(&reader->in);
        if (next.kind != TEX_TOKEN_CHARACTER || next.character != '&')
            break;
        tex_token_next(&reader->in);
    }
    buf_puts(&table->rows, "</mtr>");
    table->n_rows++;
    return 0;
}

/* Reads rows up to what is not one: \end, or the end of the text. */
static int read_table(struct tex_reader *reader, struct table *table)
{
    for (;;) {
        bool line = ruled(reader);
        struct tex_token next = tex_token_peek(&reader->in);
        size_t n;

        if (table->n_rows > 0 && (next.kind == TEX_TOKEN_END || is_command(next, "end"))) {
            if (line) /* a line below the last row */
                buf_puts(&table->rows, "<mtr><mtd style=\"border-top:0.06em solid;padding:0\" "
                                       "columnspan=\"99\"></mtd></mtr>");
            return 0;
        }
        if (read_cells(reader, table, line) < 0)
            return -1;
        if (tex_token_peek(&reader->in).kind != TEX_TOKEN_ROW)
            return 0;
        tex_token_next(&reader->in);
        tex_token_raw(&reader->in, '[', ']', &n); /* the space after the row */
    }
}

static void write_table(const struct table *table, struct buf *out)
{
    const struct environment *kind = table->kind;

    buf_puts(out, "<mrow>");
    tex_write_fence(out, kind->left, true);
    buf_puts(out, kind->display ? "<mtable displaystyle=\"true\">" : "<mtable>");
    buf_put(out, buf_text(&table->rows), table->rows.len);
    buf_puts(out, "</mtable>");
    tex_write_fence(out, kind->right, false);
    buf_puts(out, "</mrow>");
}

/* Reads the columns of an array: "{l|cr}". */
static int read_columns(struct tex_reader *reader, struct table *table, char columns[64])
{
    size_t n, count = 0;
    const char *raw = tex_token_raw(&reader->in, '{', '}', &n);

    for (size_t i = 0; raw && i < n && count + 1 < 64; i++) {
        if (raw[i] == 'l' || raw[i] == 'c' || raw[i] == 'r')
            columns[count++] = raw[i];
        else if (raw[i] == '|')
            table->lines[count] = true;
        else if (raw[i] != ' ')
            return err_set(reader->err, ERR_UNSUPPORTED_CONTENT,
                           "a column of an array is not l, c or r");
    }
    if (count == 0)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "an array has no columns");
    table->columns = columns;
    table->n_columns = count;
    return 0;
}

static int named(struct tex_reader *reader, const struct environment *kind, struct tex_atom *atom)
{
    AUTO_BUF struct buf rows = BUF_EMPTY;
    struct table table = { .kind = kind, .columns = kind->columns };
    char columns[64];
    const char *end;
    size_t n;
    int done;

    table.n_columns = strlen(kind->columns);
    if (strcmp(kind->name, "array") == 0 || strcmp(kind->name, "subarray") == 0) {
        if (read_columns(reader, &table, columns) < 0)
            return -1;
    } else if (strstr(kind->name, "at") && strncmp(kind->name, "align", 5) == 0) {
        tex_token_raw(&reader->in, '{', '}', &n); /* the number of columns */
    }
    done = read_table(reader, &table);
    rows = table.rows;
    if (done < 0)
        return -1;
    end = is_command(tex_token_next(&reader->in), "end") ? tex_token_raw(&reader->in, '{', '}', &n)
                                                         : NULL;
    if (!end || n != strlen(kind->name) || memcmp(end, kind->name, n) != 0)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "the environment %s does not end",
                       kind->name);
    write_table(&table, &atom->markup);
    atom->kind = TEX_INNER;
    return 0;
}

int tex_table_environment(struct tex_reader *reader, struct tex_atom *atom)
{
    size_t n;
    const char *name = tex_token_raw(&reader->in, '{', '}', &n);

    for (size_t i = 0; name && i < COUNT(environments); i++)
        if (n == strlen(environments[i].name) && memcmp(name, environments[i].name, n) == 0)
            return named(reader, &environments[i], atom);
    return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "the environment %.*s is not known",
                   name && n < 40 ? (int) n : 0, name ? name : "");
}

/* Whether "&" or "\\\\" is in the rest of the text outside of groups and environments. */
static void survey(struct tex_text text, bool *cells, bool *rows)
{
    struct tex_token token;
    int depth = 0;

    while ((token = tex_token_next(&text)).kind != TEX_TOKEN_END) {
        if (token.kind == TEX_TOKEN_OPEN || is_command(token, "begin"))
            depth++;
        else if (token.kind == TEX_TOKEN_CLOSE || is_command(token, "end"))
            depth--;
        else if (depth == 0 && token.kind == TEX_TOKEN_ROW)
            *rows = true;
        else if (depth == 0 && token.kind == TEX_TOKEN_CHARACTER && token.character == '&')
            *cells = true;
    }
}

int tex_table_rows(struct tex_reader *reader, struct buf *out)
{
    static const struct environment sides = { "", 0, 0, "rl", true, true };
    static const struct environment lines = { "", 0, 0, "c", true, false };
    AUTO_BUF struct buf rows = BUF_EMPTY;
    struct table table = { .kind = &lines };
    bool any_cells = false, any_rows = false;
    int done;

    survey(reader->in, &any_cells, &any_rows);
    if (any_cells)
        table.kind = &sides;
    table.columns = table.kind->columns;
    table.n_columns = strlen(table.columns);
    done = any_cells || any_rows ? read_table(reader, &table) : reader->row(reader, out);
    rows = table.rows;
    if (done < 0)
        return -1;
    if (tex_token_peek(&reader->in).kind != TEX_TOKEN_END)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT,
                       "a group or a bracket ends that did not begin");
    if (any_cells || any_rows)
        write_table(&table, out);
    return 0;
}
