#include "write/mathml/tex_math.h"

#include <string.h>

#include "base/scope.h"
#include "write/mathml/tex_command.h"
#include "write/mathml/tex_table.h"
#include "write/mathml/tex_write.h"

static bool is_command_named(struct tex_token token, const char *name)
{
    return token.kind == TEX_TOKEN_COMMAND && token.n == strlen(name) &&
           memcmp(token.name, name, token.n) == 0;
}

static bool is_character(struct tex_token token, uint32_t character)
{
    return token.kind == TEX_TOKEN_CHARACTER && token.character == character;
}

/* Whether a row ends before a token. */
static bool ends(struct tex_token token)
{
    return token.kind == TEX_TOKEN_END || token.kind == TEX_TOKEN_CLOSE ||
           token.kind == TEX_TOKEN_ROW || is_character(token, '&') ||
           is_command_named(token, "right") || is_command_named(token, "middle") ||
           is_command_named(token, "end");
}

/* Whether a class, before a sign such as '-', makes it one of the number and not one between two.
 */
static bool makes_unary(enum tex_class before)
{
    return before == TEX_NOTHING || before == TEX_BINARY || before == TEX_RELATION ||
           before == TEX_OPENING || before == TEX_PUNCTUATION || before == TEX_LARGE ||
           before == TEX_FUNCTION;
}

static int group(struct tex_reader *reader, struct buf *out)
{
    enum tex_alphabet before = reader->alphabet;

    buf_puts(out, "<mrow>");
    if (reader->row(reader, out) < 0)
        return -1;
    reader->alphabet = before;
    if (tex_token_next(&reader->in).kind != TEX_TOKEN_CLOSE)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "a brace is not closed");
    buf_puts(out, "</mrow>");
    return 0;
}

/* Reads a number: digits, with points and commas between them. `first`: its first character. */
static void put_digits(struct tex_reader *reader, struct buf *out, uint32_t first)
{
    struct tex_text *in = &reader->in;

    buf_puts(out, "<mn>");
    tex_write_character(out, tex_symbol_in(first, reader->alphabet));
    while (in->at < in->n) {
        char c = in->text[in->at];
        bool digit = c >= '0' && c <= '9';
        char next = in->at + 1 < in->n ? in->text[in->at + 1] : '\0';

        if (!digit && !((c == '.' || c == ',') && next >= '0' && next <= '9'))
            break;
        tex_write_character(out, tex_symbol_in((uint32_t) c, reader->alphabet));
        in->at++;
    }
    buf_puts(out, "</mn>");
}

static void symbol(struct tex_reader *reader, struct tex_atom *atom, struct tex_symbol symbol_,
                   enum tex_class before)
{
    atom->kind = symbol_.kind;
    atom->character = symbol_.character;
    if (symbol_.kind == TEX_LARGE || symbol_.kind == TEX_INTEGRAL)
        return; /* what it looks like depends on \limits */
    tex_write_symbol(reader, &atom->markup, symbol_, makes_unary(before));
}

static int character(struct tex_reader *reader, struct tex_atom *atom, uint32_t c,
                     enum tex_class before)
{
    struct tex_text *in = &reader->in;
    bool point = c == '.' && in->at < in->n && in->text[in->at] >= '0' && in->text[in->at] <= '9';

    if (c == '~') {
        atom->kind = TEX_NOTHING;
        tex_write_space(&atom->markup, 0.25);
    } else if ((c >= '0' && c <= '9') || point) {
        atom->kind = TEX_NUMBER;
        put_digits(reader, &atom->markup, c);
    } else if (c == ':' && in->at < in->n && in->text[in->at] == '=') {
        in->at++;
        symbol(reader, atom, (struct tex_symbol){ .character = 0x2254, .kind = TEX_RELATION },
               before);
    } else {
        symbol(reader, atom, tex_symbol_of(c), before);
    }
    return 0;
}

static int command(struct tex_reader *reader, struct tex_atom *atom, struct tex_token token,
                   enum tex_class before)
{
    const struct tex_symbol *known;
    bool limit;

    if (is_command_named(token, "not")) {
        reader->negated = true;
        token = tex_token_next(&reader->in);
        if (token.kind == TEX_TOKEN_CHARACTER)
            return character(reader, atom, token.character, before);
        known = token.kind == TEX_TOKEN_COMMAND ? tex_symbol_find(token.name, token.n) : NULL;
        if (!known)
            return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "a symbol is missing after \\not");
        symbol(reader, atom, *known, before);
        return 0;
    }
    known = tex_symbol_find(token.name, token.n);
    if (known) {
        symbol(reader, atom, *known, before);
        return 0;
    }
    if (tex_symbol_function(token.name, token.n, &atom->word, &limit)) {
        atom->kind = limit ? TEX_LIMIT : TEX_FUNCTION;
        return 0;
    }
    return tex_command(reader, token, atom);
}

/* Reads one atom, without its scripts. */
static int nucleus(struct tex_reader *reader, struct tex_atom *atom, enum tex_class before)
{
    struct tex_text start = reader->in;
    struct tex_token token = tex_token_next(&reader->in);
    int done;

    if (++reader->depth > TEX_DEPTH)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "groups are nested too deeply");
    if (is_character(token, '^') || is_character(token, '_') || is_character(token, '\'')) {
        reader->in = start; /* scripts of nothing */
        atom->kind = TEX_UPRIGHT;
        buf_puts(&atom->markup, "<mrow></mrow>");
        done = 0;
    } else if (token.kind == TEX_TOKEN_OPEN) {
        atom->kind = TEX_UPRIGHT;
        done = group(reader, &atom->markup);
    } else if (token.kind == TEX_TOKEN_CHARACTER) {
        done = character(reader, atom, token.character, before);
    } else if (token.kind == TEX_TOKEN_COMMAND) {
        done = command(reader, atom, token, before);
    } else {
        done = err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "the formula ends too early");
    }
    reader->depth--;
    return done;
}

/* Whether a thin space is between the name of a function and what follows. */
static bool spaced(struct tex_reader *reader)
{
    struct tex_token next = tex_token_peek(&reader->in);
    const struct tex_symbol *known = NULL;
    struct tex_symbol of;

    if (ends(next) || next.kind == TEX_TOKEN_END)
        return false;
    if (next.kind == TEX_TOKEN_CHARACTER) {
        of = tex_symbol_of(next.character);
        known = &of;
    } else if (next.kind == TEX_TOKEN_COMMAND) {
        known = tex_symbol_find(next.name, next.n);
    }
    return !known || known->kind == TEX_LETTER || known->kind == TEX_UPRIGHT ||
           known->kind == TEX_NUMBER || known->kind == TEX_FENCE || known->kind == TEX_LARGE;
}

/* Writes the names and signs whose look depends on what is around them. */
static void write_operator(struct tex_reader *reader, struct tex_atom *atom, enum tex_class before,
                           bool fixed_limits)
{
    struct buf *out = &atom->markup;
    bool first = makes_unary(before);

    if (atom->word) {
        buf_printf(
            out, "<mo movablelimits=\"%s\" stretchy=\"false\" lspace=\"%s\" rspace=\"%s\">%s</mo>",
            fixed_limits ? "false" : "true", first ? "0" : "0.1667em",
            spaced(reader) ? "0.1667em" : "0", atom->word);
    } else if (atom->kind == TEX_LARGE || atom->kind == TEX_INTEGRAL) {
        buf_printf(out,
                   "<mo largeop=\"true\" movablelimits=\"%s\" lspace=\"%s\" rspace=\"0.1667em\">",
                   fixed_limits ? "false" : "true", first ? "0" : "0.1667em");
        tex_write_character(out, atom->character);
        buf_puts(out, "</mo>");
    }
}

/* The scripts of an atom. */
struct scripts {
    struct buf below, above;
    bool any_below, any_above;
    int limits; /* 1 after \limits, -1 after \nolimits */
};

static void scripts_free(struct scripts *scripts)
{
    buf_free(&scripts->below);
    buf_free(&scripts->above);
}

static int one_script(struct tex_reader *reader, struct buf *script, bool *any)
{
    if (*any)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT,
                       "a symbol has two superscripts or two subscripts");
    *any = true;
    reader->scripts++;
    if (reader->argument(reader, script) < 0)
        return -1;
    reader->scripts--;
    return 0;
}

static int primes(struct tex_reader *reader, struct scripts *scripts)
{
    struct tex_token next;

    if (scripts->any_above)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "a prime is after a superscript");
    scripts->any_above = true;
    buf_puts(&scripts->above, "<mrow><mo lspace=\"0\" rspace=\"0\">");
    while (is_character(next = tex_token_peek(&reader->in), '\'')) {
        tex_token_next(&reader->in);
        tex_write_character(&scripts->above, 0x2032);
    }
    buf_puts(&scripts->above, "</mo>");
    if (is_character(next, '^')) {
        tex_token_next(&reader->in);
        if (reader->argument(reader, &scripts->above) < 0)
            return -1;
    }
    buf_puts(&scripts->above, "</mrow>");
    return 0;
}

static int read_scripts(struct tex_reader *reader, struct scripts *scripts)
{
    for (;;) {
        struct tex_token next = tex_token_peek(&reader->in);
        int done = 0;

        if (is_character(next, '\'')) {
            done = primes(reader, scripts);
        } else if (is_character(next, '^') || is_character(next, '_')) {
            tex_token_next(&reader->in);
            done = next.character == '^' ? one_script(reader, &scripts->above, &scripts->any_above)
                                         : one_script(reader, &scripts->below, &scripts->any_below);
        } else if (is_command_named(next, "limits") || is_command_named(next, "nolimits")) {
            tex_token_next(&reader->in);
            scripts->limits = is_command_named(next, "limits") ? 1 : -1;
        } else {
            return 0;
        }
        if (done < 0)
            return -1;
    }
}

/* Appends an atom with its scripts. */
static void put_scripted(struct buf *out, const struct tex_atom *atom,
                         const struct scripts *scripts)
{
    bool stacked = scripts->limits > 0 ||
                   (scripts->limits == 0 &&
                    (atom->kind == TEX_LARGE || atom->kind == TEX_LIMIT || atom->limits));
    const char *name = !scripts->any_above   ? (stacked ? "munder" : "msub")
                       : !scripts->any_below ? (stacked ? "mover" : "msup")
                                             : (stacked ? "munderover" : "msubsup");

    buf_printf(out, "<%s>", name);
    if (atom->markup.len == 0)
        buf_puts(out, "<mrow></mrow>");
    buf_put(out, buf_text(&atom->markup), atom->markup.len);
    if (scripts->any_below)
        buf_put(out, buf_text(&scripts->below), scripts->below.len);
    if (scripts->any_above)
        buf_put(out, buf_text(&scripts->above), scripts->above.len);
    buf_printf(out, "</%s>", name);
}

/* Reads an atom with its scripts; *kind: the class of the one before, and then of this one. */
static int scripted(struct tex_reader *reader, struct buf *out, enum tex_class *kind)
{
    __attribute__((cleanup(scripts_free))) struct scripts scripts = { 0 };
    AUTO_BUF struct buf markup = BUF_EMPTY;
    struct tex_atom atom = { 0 };
    int done = nucleus(reader, &atom, *kind);

    if (done == 0)
        done = read_scripts(reader, &scripts);
    if (done == 0)
        write_operator(reader, &atom, *kind, scripts.limits > 0);
    markup = atom.markup; /* freed with this function */
    if (done < 0)
        return -1;
    if (scripts.any_above || scripts.any_below)
        put_scripted(out, &atom, &scripts);
    else
        buf_put(out, buf_text(&markup), markup.len);
    if (atom.kind != TEX_NOTHING)
        *kind = atom.kind == TEX_LIMIT      ? TEX_FUNCTION
                : atom.kind == TEX_INTEGRAL ? TEX_LARGE
                                            : atom.kind;
    return 0;
}

/* a \over b: what came before in the group is above the line. */
static int over(struct tex_reader *reader, struct buf *out, size_t from, bool choose)
{
    AUTO_BUF struct buf above = BUF_EMPTY;

    buf_put(&above, buf_text(out) + from, out->len - from);
    if (!out->failed)
        out->len = from;
    buf_puts(out, choose ? "<mrow><mo form=\"prefix\" stretchy=\"true\">(</mo>"
                           "<mfrac linethickness=\"0\"><mrow>"
                         : "<mfrac><mrow>");
    buf_put(out, buf_text(&above), above.len);
    buf_puts(out, "</mrow><mrow>");
    if (reader->row(reader, out) < 0)
        return -1;
    buf_puts(out, choose ? "</mrow></mfrac><mo form=\"postfix\" stretchy=\"true\">)</mo></mrow>"
                         : "</mrow></mfrac>");
    return 0;
}

/* \rm and its like, which hold up to the end of the group. */
static bool old_style(struct tex_reader *reader, struct tex_token token)
{
    static const struct {
        const char *name;
        enum tex_alphabet alphabet;
    } styles[] = { { "rm", TEX_ROMAN },   { "bf", TEX_BOLD },      { "it", TEX_PLAIN },
                   { "cal", TEX_SCRIPT }, { "tt", TEX_MONOSPACE }, { "sf", TEX_SANS } };

    for (size_t i = 0; i < COUNT(styles); i++) {
        if (!is_command_named(token, styles[i].name))
            continue;
        tex_token_next(&reader->in);
        reader->alphabet = styles[i].alphabet;
        return true;
    }
    return false;
}

static int row(struct tex_reader *reader, struct buf *out)
{
    enum tex_class kind = TEX_NOTHING;
    size_t from = out->len;
    struct tex_token next;

    if (++reader->depth > TEX_DEPTH)
        return err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "groups are nested too deeply");
    while (!ends(next = tex_token_peek(&reader->in))) {
        if (old_style(reader, next))
            continue;
        if (is_command_named(next, "over") || is_command_named(next, "choose")) {
            tex_token_next(&reader->in);
            if (over(reader, out, from, is_command_named(next, "choose")) < 0)
                return -1;
        } else if (scripted(reader, out, &kind) < 0) {
            return -1;
        }
    }
    reader->depth--;
    return 0;
}

static int argument(struct tex_reader *reader, struct buf *out)
{
    AUTO_BUF struct buf markup = BUF_EMPTY;
    struct tex_atom atom = { 0 };
    struct tex_text start = reader->in;
    struct tex_token next = tex_token_next(&reader->in);
    int done;

    /* Only the first digit of a number is an argument: \frac12. */
    if (next.kind == TEX_TOKEN_CHARACTER && next.character >= '0' && next.character <= '9') {
        buf_printf(out, "<mn>%c</mn>", (char) next.character);
        return 0;
    }
    reader->in = start;
    done = ends(next) ? err_set(reader->err, ERR_UNSUPPORTED_CONTENT, "an argument is missing")
                      : nucleus(reader, &atom, TEX_NOTHING);
    if (done == 0)
        write_operator(reader, &atom, TEX_NOTHING, false);
    markup = atom.markup;
    if (done == 0 && markup.len == 0)
        buf_puts(out, "<mrow></mrow>");
    buf_put(out, buf_text(&markup), markup.len);
    return done;
}

int tex_math(const char *text, size_t n, bool display, struct buf *out, struct err *err)
{
    AUTO_BUF struct buf markup = BUF_EMPTY;
    struct tex_reader reader = {
        .in = { text, n, 0 }, .err = err, .row = row, .argument = argument
    };

    if (tex_table_rows(&reader, &markup) < 0)
        return -1;
    if (markup.failed)
        return err_set(err, ERR_INTERNAL, "there is not enough memory");
    buf_puts(out, display ? "<math display=\"block\"><mrow>" : "<math><mrow>");
    buf_put(out, buf_text(&markup), markup.len);
    buf_puts(out, "</mrow></math>");
    return 0;
}
