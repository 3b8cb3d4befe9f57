#include "write/mathml/tex_command.h"

#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "write/mathml/tex_table.h"
#include "write/mathml/tex_write.h"

/* A row of the table below. `character`, `text` and `number` are what the function needs. */
struct command {
    const char *name;
    int (*run)(struct tex_reader *, struct tex_atom *, const struct command *);
    uint32_t character;
    const char *text;
    double number;
};

static int incomplete(struct tex_reader *reader, const struct command *command)
{
    return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "something is missing after \\%s",
                   command->name);
}

/* Appends the next argument between two tags. */
static int wrapped(struct tex_reader *reader, struct buf *out, const char *before,
                   const char *after)
{
    buf_puts(out, before);
    if (reader->argument(reader, out) < 0)
        return -1;
    buf_puts(out, after);
    return 0;
}

/* Reads part of the text, which is in the middle of it. */
static int part(struct tex_reader *reader, const char *text, size_t n, struct buf *out)
{
    struct tex_text rest = reader->in;
    int done;

    reader->in = (struct tex_text){ text, n, 0 };
    done = reader->row(reader, out);
    if (done == 0 && tex_token_peek(&reader->in).kind != TEX_TOKEN_END)
        done = err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "a bracket is not where it belongs");
    reader->in = rest;
    return done;
}

/* \frac and \binom; `text`: "true" or "false" for displaystyle, "" for what is around it. */
static int fraction(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    bool binomial = command->number == 1;
    struct buf *out = &atom->markup;

    atom->kind = TEX_INNER;
    if (*command->text)
        buf_printf(out, "<mstyle displaystyle=\"%s\" scriptlevel=\"0\">", command->text);
    buf_puts(out, binomial ? "<mrow><mo form=\"prefix\" stretchy=\"true\">(</mo>"
                             "<mfrac linethickness=\"0\">"
                           : "<mfrac>");
    if (reader->argument(reader, out) < 0 || reader->argument(reader, out) < 0)
        return -1;
    buf_puts(out, binomial ? "</mfrac><mo form=\"postfix\" stretchy=\"true\">)</mo></mrow>"
                           : "</mfrac>");
    if (*command->text)
        buf_puts(out, "</mstyle>");
    return 0;
}

static int root(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    size_t n;
    const char *degree = tex_token_raw(&reader->in, '[', ']', &n);

    (void) command;
    atom->kind = TEX_UPRIGHT;
    if (!degree)
        return wrapped(reader, &atom->markup, "<msqrt>", "</msqrt>");
    if (wrapped(reader, &atom->markup, "<mroot>", "<mrow>") < 0 ||
        part(reader, degree, n, &atom->markup) < 0)
        return -1;
    buf_puts(&atom->markup, "</mrow></mroot>");
    return 0;
}

/* An accent; `number`: 1 if it is as wide as what it is on, 2 if scripts of it are above or below,
 * and negative if it is below. */
static int accent(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    bool under = command->number < 0, wide = command->number != 0;
    struct buf *out = &atom->markup;

    atom->kind = TEX_UPRIGHT;
    atom->limits = command->number == 2 || command->number == -2;
    if (wrapped(reader, out, under ? "<munder accentunder=\"true\">" : "<mover accent=\"true\">",
                wide ? "<mo stretchy=\"true\">" : "<mo stretchy=\"false\">") < 0)
        return -1;
    tex_write_character(out, command->character);
    buf_puts(out, under ? "</mo></munder>" : "</mo></mover>");
    return 0;
}

/* \overset and \underset: the second argument is the base. */
static int stacked(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    AUTO_BUF struct buf set = BUF_EMPTY;

    atom->kind = TEX_RELATION;
    buf_printf(&atom->markup, "<%s>", command->text);
    if (reader->argument(reader, &set) < 0 || reader->argument(reader, &atom->markup) < 0)
        return -1;
    buf_put(&atom->markup, buf_text(&set), set.len);
    buf_printf(&atom->markup, "</%s>", command->text);
    return 0;
}

/* \xrightarrow[below]{above} */
static int long_arrow(struct tex_reader *reader, struct tex_atom *atom,
                      const struct command *command)
{
    size_t n;
    const char *below = tex_token_raw(&reader->in, '[', ']', &n);
    struct buf *out = &atom->markup;

    atom->kind = TEX_RELATION;
    buf_printf(out, "<%s><mo stretchy=\"true\" lspace=\"0.2778em\" rspace=\"0.2778em\">",
               below ? "munderover" : "mover");
    tex_write_character(out, command->character);
    buf_puts(out, "</mo>");
    if (below) {
        buf_puts(out, "<mpadded lspace=\"0.4em\" width=\"+0.8em\"><mrow>");
        if (part(reader, below, n, out) < 0)
            return -1;
        buf_puts(out, "</mrow></mpadded>");
    }
    if (wrapped(reader, out, "<mrow><mspace width=\"0.5em\"></mspace>",
                "<mspace width=\"0.5em\"></mspace></mrow>") < 0)
        return -1;
    buf_puts(out, below ? "</munderover>" : "</mover>");
    return 0;
}

static bool at_command(struct tex_reader *reader, const char *name)
{
    struct tex_token next = tex_token_peek(&reader->in);

    return next.kind == TEX_TOKEN_COMMAND && next.n == strlen(name) &&
           memcmp(next.name, name, next.n) == 0;
}

/* \left ( ... \middle | ... \right ) */
static int brackets(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    struct buf *out = &atom->markup;
    uint32_t bracket;

    (void) command;
    atom->kind = TEX_INNER;
    buf_puts(out, "<mrow>");
    if (tex_write_delimiter(reader, &bracket) < 0)
        return -1;
    tex_write_fence(out, bracket, true);
    for (;;) {
        if (reader->row(reader, out) < 0)
            return -1;
        if (!at_command(reader, "middle"))
            break;
        tex_token_next(&reader->in);
        if (tex_write_delimiter(reader, &bracket) < 0)
            return -1;
        buf_puts(out, "<mo form=\"infix\" fence=\"true\" stretchy=\"true\" symmetric=\"true\" "
                      "lspace=\"0.1em\" rspace=\"0.1em\">");
        tex_write_character(out, bracket);
        buf_puts(out, "</mo>");
    }
    if (!at_command(reader, "right"))
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "\\left has no \\right");
    tex_token_next(&reader->in);
    if (tex_write_delimiter(reader, &bracket) < 0)
        return -1;
    tex_write_fence(out, bracket, false);
    buf_puts(out, "</mrow>");
    return 0;
}

/* \big and its like: a bracket of a fixed height, `number` in em. */
static int big(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    uint32_t bracket;

    atom->kind = *command->text == 'l'   ? TEX_OPENING
                 : *command->text == 'r' ? TEX_CLOSING
                 : *command->text == 'm' ? TEX_RELATION
                                         : TEX_UPRIGHT;
    if (tex_write_delimiter(reader, &bracket) < 0)
        return -1;
    if (bracket == 0)
        return 0;
    buf_printf(&atom->markup,
               "<mo stretchy=\"true\" symmetric=\"true\" minsize=\"%.4gem\" maxsize=\"%.4gem\" "
               "lspace=\"0\" rspace=\"0\">",
               command->number, command->number);
    tex_write_character(&atom->markup, bracket);
    buf_puts(&atom->markup, "</mo>");
    return 0;
}

/* Appends text in which \% and its like are characters and $...$ is mathematics. */
static int text_parts(struct tex_reader *reader, const char *text, size_t n, struct buf *out)
{
    size_t from = 0;

    buf_puts(out, "<mtext>");
    for (size_t i = 0; i < n; i++) {
        const char *end;

        if (text[i] == '\\') {
            if (i + 1 >= n || !strchr("%$&#_{} ,:;!", text[i + 1]))
                return err_set(reader->err, ERR_UNSUPPORTED_CONTENT,
                               "a command in a text is not known");
            tex_write_text(out, text + from, i - from);
            from = ++i; /* the character after the backslash is part of the text */
            if (strchr(",:;!", text[i])) {
                if (text[i] != '!')
                    tex_write_character(out, 0x2009); /* a thin space */
                from = i + 1;
            }
        } else if (text[i] == '{' || text[i] == '}') {
            tex_write_text(out, text + from, i - from);
            from = i + 1;
        } else if (text[i] == '$') {
            end = memchr(text + i + 1, '$', n - i - 1);
            if (!end)
                return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "a $ in a text is not closed");
            tex_write_text(out, text + from, i - from);
            buf_puts(out, "</mtext>");
            if (part(reader, text + i + 1, (size_t) (end - text) - i - 1, out) < 0)
                return -1;
            buf_puts(out, "<mtext>");
            i = (size_t) (end - text);
            from = i + 1;
        }
    }
    tex_write_text(out, text + from, n - from);
    buf_puts(out, "</mtext>");
    return 0;
}

/* \text and its like; `text`: the style. */
static int words(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    size_t n;
    const char *text = tex_token_raw(&reader->in, '{', '}', &n);

    if (!text)
        return incomplete(reader, command);
    atom->kind = TEX_UPRIGHT;
    buf_printf(&atom->markup, "<mrow%s%s%s>", *command->text ? " style=\"" : "", command->text,
               *command->text ? "\"" : "");
    if (text_parts(reader, text, n, &atom->markup) < 0)
        return -1;
    buf_puts(&atom->markup, "</mrow>");
    return 0;
}

/* \operatorname{name} */
static int operator_name(struct tex_reader *reader, struct tex_atom *atom,
                         const struct command *command)
{
    size_t n;
    const char *text = tex_token_raw(&reader->in, '{', '}', &n);

    if (!text)
        return incomplete(reader, command);
    atom->kind = TEX_UPRIGHT;
    atom->limits = command->number == 1;
    buf_puts(&atom->markup, "<mrow><mspace width=\"0.1667em\"></mspace>");
    if (text_parts(reader, text, n, &atom->markup) < 0)
        return -1;
    if (tex_token_peek(&reader->in).character != '(')
        tex_write_space(&atom->markup, 0.1667);
    buf_puts(&atom->markup, "</mrow>");
    return 0;
}

/* \mathbb and its like: a word in letters of an alphabet is one identifier. */
static int alphabet(struct tex_reader *reader, struct tex_atom *atom, enum tex_alphabet which)
{
    enum tex_alphabet before = reader->alphabet;
    struct tex_text start = reader->in;
    size_t n = 0, i = 0;
    const char *text = tex_token_raw(&reader->in, '{', '}', &n);
    int done;

    atom->kind = TEX_UPRIGHT;
    while (text && i < n &&
           ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')))
        i++;
    if (text && i == n && n > 1) {
        buf_puts(&atom->markup, "<mi mathvariant=\"normal\">");
        for (i = 0; i < n; i++)
            tex_write_character(&atom->markup, tex_symbol_in((uint32_t) text[i], which));
        buf_puts(&atom->markup, "</mi>");
        return 0;
    }
    reader->in = start;
    reader->alphabet = which;
    done = reader->argument(reader, &atom->markup);
    reader->alphabet = before;
    return done;
}

static int space(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    (void) reader;
    atom->kind = TEX_NOTHING;
    tex_write_space(&atom->markup, command->number);
    return 0;
}

/* \hspace{1em}: a length that CSS knows, or in mu. */
static int given_space(struct tex_reader *reader, struct tex_atom *atom,
                       const struct command *command)
{
    static const char *const units[] = { "em", "ex", "pt", "cm", "mm", "in" };
    size_t n;
    const char *length = tex_token_raw(&reader->in, '{', '}', &n);
    double number;

    atom->kind = TEX_NOTHING;
    if (!length || n < 3 || !num_parse_double(length, n - 2, -1000, 1000, &number))
        return incomplete(reader, command);
    if (memcmp(length + n - 2, "mu", 2) == 0) {
        tex_write_space(&atom->markup, number / 18);
        return 0;
    }
    for (size_t i = 0; i < COUNT(units); i++)
        if (memcmp(length + n - 2, units[i], 2) == 0) {
            buf_printf(&atom->markup, "<mspace width=\"%.4g%s\"></mspace>", number, units[i]);
            return 0;
        }
    return incomplete(reader, command);
}

/* An argument between the two halves of `text`, which a bar divides. */
static int around(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    const char *bar = strchr(command->text, '|');

    atom->kind = command->number == 1 ? TEX_RELATION : TEX_UPRIGHT;
    buf_put(&atom->markup, command->text, (size_t) (bar - command->text));
    if (reader->argument(reader, &atom->markup) < 0)
        return -1;
    buf_puts(&atom->markup, bar + 1);
    return 0;
}

static int operator_like(struct tex_reader *reader, struct tex_atom *atom,
                         const struct command *command)
{
    (void) command;
    atom->kind = TEX_UPRIGHT;
    atom->limits = true;
    return reader->argument(reader, &atom->markup);
}

/* Markup that is always the same. */
static int fixed(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    (void) reader;
    atom->kind = *command->text ? TEX_RELATION : TEX_NOTHING;
    buf_puts(&atom->markup, command->text);
    return 0;
}

/* \label and what else shows nothing. */
static int ignored(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    size_t n;

    atom->kind = TEX_NOTHING;
    return tex_token_raw(&reader->in, '{', '}', &n) ? 0 : incomplete(reader, command);
}

static int tag(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    size_t n;
    const char *text = tex_token_raw(&reader->in, '{', '}', &n);

    if (!text)
        return incomplete(reader, command);
    atom->kind = TEX_UPRIGHT;
    buf_puts(&atom->markup, "<mrow><mspace width=\"2em\"></mspace><mtext>(</mtext>");
    if (text_parts(reader, text, n, &atom->markup) < 0)
        return -1;
    buf_puts(&atom->markup, "<mtext>)</mtext></mrow>");
    return 0;
}

/* \textcolor{red}{...} */
static int coloured(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    size_t n;
    const char *colour = tex_token_raw(&reader->in, '{', '}', &n);

    for (size_t i = 0; colour && i < n; i++)
        if (!((colour[i] >= 'a' && colour[i] <= 'z') || (colour[i] >= 'A' && colour[i] <= 'Z')))
            colour = NULL;
    if (!colour || n == 0 || n > 30)
        return incomplete(reader, command);
    atom->kind = TEX_UPRIGHT;
    buf_printf(&atom->markup, "<mstyle mathcolor=\"%.*s\">", (int) n, colour);
    if (command->number == 1 ? reader->row(reader, &atom->markup) < 0
                             : reader->argument(reader, &atom->markup) < 0)
        return -1;
    buf_puts(&atom->markup, "</mstyle>");
    return 0;
}

/* \displaystyle: the rest of the group. */
static int style(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    atom->kind = TEX_UPRIGHT;
    buf_printf(&atom->markup, "<mstyle displaystyle=\"%s\" scriptlevel=\"%d\">", command->text,
               (int) command->number);
    if (reader->row(reader, &atom->markup) < 0)
        return -1;
    buf_puts(&atom->markup, "</mstyle>");
    return 0;
}

static int begin(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    (void) command;
    return tex_table_environment(reader, atom);
}

/* \substack{a \\ b} */
static int substack(struct tex_reader *reader, struct tex_atom *atom, const struct command *command)
{
    size_t n;
    const char *text = tex_token_raw(&reader->in, '{', '}', &n);
    struct tex_text rest = reader->in;
    int done;

    if (!text)
        return incomplete(reader, command);
    atom->kind = TEX_UPRIGHT;
    reader->in = (struct tex_text){ text, n, 0 };
    buf_puts(&atom->markup, "<mrow>");
    done = tex_table_rows(reader, &atom->markup);
    buf_puts(&atom->markup, "</mrow>");
    reader->in = rest;
    return done;
}

static const struct command commands[] = {
#define COMMAND(name, run, character, text, number) { name, run, character, text, number },
#include "write/mathml/tex_commands.def"
#undef COMMAND
};

int tex_command(struct tex_reader *reader, struct tex_token token, struct tex_atom *atom)
{
    enum tex_alphabet which = tex_symbol_alphabet(token.name, token.n);

    if (which != TEX_PLAIN)
        return alphabet(reader, atom, which);
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strncmp(commands[i].name, token.name, token.n) == 0 &&
            commands[i].name[token.n] == '\0')
            return commands[i].run(reader, atom, &commands[i]);
    return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "the command \\%.*s is not known",
                   token.n < 40 ? (int) token.n : 40, token.name);
}
