#include "write/markup/formula_text.h"

#include <ctype.h>
#include <string.h>

static bool is_single(const struct formula *row)
{
    return row && !row->next && row->kind == FORMULA_TEXT && row->n_glyphs <= 1;
}

static void put_plain(const struct formula *row, bool group, struct buf *out)
{
    bool brackets = group && !is_single(row);

    if (brackets)
        buf_putc(out, '(');
    formula_text_plain(row, out);
    if (brackets)
        buf_putc(out, ')');
}

static void put_plain_script(char sign, const struct formula *row, struct buf *out)
{
    if (!row)
        return;
    buf_putc(out, sign);
    put_plain(row, true, out);
}

void formula_text_plain(const struct formula *row, struct buf *out)
{
    for (; row; row = row->next) {
        switch (row->kind) {
        case FORMULA_TEXT:
            buf_put(out, row->text, row->len);
            break;
        case FORMULA_FRACTION:
            put_plain(row->above, true, out);
            buf_putc(out, '/');
            put_plain(row->below, true, out);
            break;
        case FORMULA_ROOT:
            buf_puts(out, "\xe2\x88\x9a");
            put_plain(row->base, true, out);
            break;
        case FORMULA_SCRIPTS:
        case FORMULA_LIMITS:
        case FORMULA_SUM:
            put_plain(row->base, false, out);
            put_plain_script('_', row->below, out);
            put_plain_script('^', row->above, out);
            break;
        }
    }
}

/* Escapes LaTeX's special characters; the rest is for an engine that reads UTF-8. */
static void put_latex_text(const struct formula *text, struct buf *out)
{
    for (size_t i = 0; i < text->len; i++) {
        char c = text->text[i];

        if (strchr("#$%&_{}", c))
            buf_putc(out, '\\');
        if (c == '\\')
            buf_puts(out, "\\backslash ");
        else if (c == '^')
            buf_puts(out, "\\hat{}");
        else if (c == '~')
            buf_puts(out, "\\sim ");
        else
            buf_putc(out, c);
    }
}

static void put_latex(const char *before, const struct formula *row, struct buf *out)
{
    if (!row)
        return;
    buf_puts(out, before);
    buf_putc(out, '{');
    formula_text_latex(row, out);
    buf_putc(out, '}');
}

void formula_text_latex(const struct formula *row, struct buf *out)
{
    for (; row; row = row->next) {
        switch (row->kind) {
        case FORMULA_TEXT:
            put_latex_text(row, out);
            break;
        case FORMULA_FRACTION:
            put_latex("\\frac", row->above, out);
            put_latex("", row->below, out);
            break;
        case FORMULA_ROOT:
            put_latex("\\sqrt", row->base, out);
            break;
        case FORMULA_LIMITS:
            put_latex("\\mathop", row->base, out);
            buf_puts(out, "\\limits");
            put_latex("_", row->below, out);
            put_latex("^", row->above, out);
            break;
        case FORMULA_SCRIPTS:
        case FORMULA_SUM:
            put_latex("", row->base, out);
            put_latex("_", row->below, out);
            put_latex("^", row->above, out);
            break;
        }
    }
}

static void put_escaped_math(const char *text, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++)
        buf_put_markup(out, text[i]);
}

/* Single letters are identifiers, digits numbers, all else operators. */
static void put_tokens(const struct formula *text, struct buf *out)
{
    for (size_t i = 0; i < text->len;) {
        size_t n = 1;
        unsigned char c = (unsigned char) text->text[i];
        const char *element = isalpha(c) || c >= 0x80 ? "mi" : isdigit(c) ? "mn" : "mo";

        if (c == ' ') {
            i++;
            continue;
        }
        while (i + n < text->len && c >= 0x80 && ((unsigned char) text->text[i + n] & 0xc0) == 0x80)
            n++;
        while (i + n < text->len && isdigit(c) &&
               (isdigit((unsigned char) text->text[i + n]) || text->text[i + n] == '.'))
            n++;
        while (i + n < text->len && isalpha(c) && isalpha((unsigned char) text->text[i + n]))
            n++;
        buf_printf(out, "<%s>", element);
        put_escaped_math(text->text + i, n, out);
        buf_printf(out, "</%s>", element);
        i += n;
    }
}

static void put_math_row(const struct formula *row, struct buf *out)
{
    buf_puts(out, "<mrow>");
    formula_text_mathml(row, out);
    buf_puts(out, "</mrow>");
}

static void put_scripts(const struct formula *row, struct buf *out)
{
    bool limits = row->kind == FORMULA_LIMITS || (row->kind == FORMULA_SUM && !row->at_right);
    const char *element = row->below && row->above ? (limits ? "munderover" : "msubsup")
                          : row->below             ? (limits ? "munder" : "msub")
                                                   : (limits ? "mover" : "msup");

    if (!row->below && !row->above) {
        put_math_row(row->base, out);
        return;
    }
    buf_printf(out, "<%s>", element);
    put_math_row(row->base, out);
    if (row->below)
        put_math_row(row->below, out);
    if (row->above)
        put_math_row(row->above, out);
    buf_printf(out, "</%s>", element);
}

void formula_text_mathml(const struct formula *row, struct buf *out)
{
    for (; row; row = row->next) {
        switch (row->kind) {
        case FORMULA_TEXT:
            put_tokens(row, out);
            break;
        case FORMULA_FRACTION:
            buf_puts(out, "<mfrac>");
            put_math_row(row->above, out);
            put_math_row(row->below, out);
            buf_puts(out, "</mfrac>");
            break;
        case FORMULA_ROOT:
            buf_puts(out, "<msqrt>");
            put_math_row(row->base, out);
            buf_puts(out, "</msqrt>");
            break;
        case FORMULA_SCRIPTS:
        case FORMULA_LIMITS:
        case FORMULA_SUM:
            put_scripts(row, out);
            break;
        }
    }
}
