#include "write/mathml/tex_macro.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "write/mathml/tex_symbol.h"
#include "write/mathml/tex_token.h"

#define MACROS    500
#define ARGUMENTS 9
#define CALLS     2000   /* of commands in one formula */
#define LONGEST   100000 /* bytes of a formula */
#define DEPTH     20     /* definitions that use others */

struct tex_macro {
    char *name, *body;
    char *preset; /* of the first argument, which is then optional; or NULL */
    size_t arguments;
};

struct expansion {
    struct tex_macros *macros;
    struct buf *out;
    size_t calls;
    bool joint; /* what is written next did not follow in the text */
    bool defines;
    struct err *err;
};

void tex_macros_free(struct tex_macros *macros)
{
    for (size_t i = 0; i < macros->n; i++) {
        free(macros->items[i].name);
        free(macros->items[i].body);
        free(macros->items[i].preset);
    }
    free(macros->items);
    *macros = (struct tex_macros){ 0 };
}

static struct tex_macro *find_macro(const struct tex_macros *macros, const char *name, size_t n)
{
    for (size_t i = 0; i < macros->n; i++)
        if (strlen(macros->items[i].name) == n && memcmp(macros->items[i].name, name, n) == 0)
            return &macros->items[i];
    return NULL;
}

static bool is_word_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length of the name that the text ends with, if it ends with a command of letters; else 0. */
static size_t trailing_name(const struct buf *out)
{
    size_t at = out->len, from, slashes = 0;

    while (at > 0 && is_word_letter(out->data[at - 1]))
        at--;
    from = at;
    while (at > 0 && out->data[at - 1] == '\\') {
        at--;
        slashes++;
    }
    return slashes % 2 == 1 ? out->len - from : 0;
}

static void put_joined(struct expansion *expansion, const char *text, size_t n)
{
    if (n == 0)
        return;
    if (expansion->joint && is_word_letter(*text) && trailing_name(expansion->out) > 0)
        buf_putc(expansion->out, ' ');
    expansion->joint = false;
    buf_put(expansion->out, text, n);
}

static bool is_command(struct tex_token token, const char *name)
{
    return token.kind == TEX_TOKEN_COMMAND && strlen(name) == token.n &&
           memcmp(name, token.name, token.n) == 0;
}

static int not_whole(struct expansion *expansion)
{
    return err_set(expansion->err, ERR_UNSUPPORTED_CONTENT,
                   "the definition of a command cannot be read");
}

static void skip_blanks(struct tex_text *in)
{
    while (in->at < in->n && strchr(" \t\r\n", in->text[in->at]))
        in->at++;
}

/* Reads an argument, a group or one token. NULL: there is none. */
static const char *read_argument(struct tex_text *in, size_t *n)
{
    const char *raw = tex_token_raw(in, '{', '}', n);
    struct tex_token token;

    if (raw)
        return raw;
    skip_blanks(in);
    raw = in->text + in->at;
    token = tex_token_peek(in);
    if (token.kind == TEX_TOKEN_END || token.kind == TEX_TOKEN_OPEN ||
        token.kind == TEX_TOKEN_CLOSE)
        return NULL;
    tex_token_next(in);
    *n = (size_t) (in->text + in->at - raw);
    return raw;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Adds a definition, whose texts it owns. */
static int add_macro(struct expansion *expansion, struct tex_macro *macro, bool provided)
{
    struct tex_macros *macros = expansion->macros;
    const struct tex_macro *old =
        macro->name ? find_macro(macros, macro->name, strlen(macro->name)) : NULL;
    bool same = old && same_text(old->body, macro->body) && same_text(old->preset, macro->preset) &&
                old->arguments == macro->arguments;
    int done = 0;

    expansion->defines = true;
    if (old && !same && !provided)
        done = err_set(expansion->err, ERR_UNSUPPORTED_CONTENT,
                       "the command \\%.40s is defined in two ways", macro->name);
    if (!old && macros->n == macros->cap && macros->n < MACROS) {
        size_t cap = macros->cap ? macros->cap * 2 : 16;
        struct tex_macro *items = realloc(macros->items, cap * sizeof *items);

        if (items) {
            macros->items = items;
            macros->cap = cap;
        }
    }
    if (!old && macro->name && macro->body && macros->n < macros->cap) {
        macros->items[macros->n++] = *macro;
        return 0;
    }
    if (!old)
        done = err_set(expansion->err, ERR_UNSUPPORTED_CONTENT, "more commands are defined than %d",
                       MACROS);
    free(macro->name);
    free(macro->body);
    free(macro->preset);
    return done;
}

/* The command that is being defined: \name or {\name}. */
static bool read_macro_name(struct tex_text *in, const char **name, size_t *n)
{
    size_t length = 0;
    const char *raw = read_argument(in, &length);
    struct tex_text text = { raw, length, 0 };
    struct tex_token token = { .kind = TEX_TOKEN_END };

    if (raw)
        token = tex_token_next(&text);
    if (token.kind != TEX_TOKEN_COMMAND || token.n == 0 ||
        tex_token_peek(&text).kind != TEX_TOKEN_END)
        return false;
    *name = token.name;
    *n = token.n;
    return true;
}

static void skip_star(struct tex_text *in)
{
    if (in->at < in->n && in->text[in->at] == '*')
        in->at++;
}

/* \newcommand{\name}[2][preset]{body} */
static int read_new_command(struct expansion *expansion, struct tex_text *in, bool provided)
{
    struct tex_macro macro = { 0 };
    const char *name, *number, *preset, *body;
    size_t n_name, n_number = 0, n_preset = 0, n_body = 0;

    skip_star(in);
    if (!read_macro_name(in, &name, &n_name))
        return not_whole(expansion);
    number = tex_token_raw(in, '[', ']', &n_number);
    preset = number ? tex_token_raw(in, '[', ']', &n_preset) : NULL;
    body = tex_token_raw(in, '{', '}', &n_body);
    if (!body || (number && (n_number != 1 || *number < '0' || *number > '0' + ARGUMENTS)))
        return not_whole(expansion);
    macro.name = strndup(name, n_name);
    macro.body = strndup(body, n_body);
    macro.arguments = number ? (size_t) (*number - '0') : 0;
    macro.preset = preset && macro.arguments > 0 ? strndup(preset, n_preset) : NULL;
    return add_macro(expansion, &macro, provided);
}

/* \def\name#1#2{body} */
static int read_def(struct expansion *expansion, struct tex_text *in)
{
    struct tex_macro macro = { 0 };
    struct tex_token name = tex_token_next(in);
    const char *body;
    size_t n = 0;

    if (name.kind != TEX_TOKEN_COMMAND || name.n == 0)
        return not_whole(expansion);
    while (macro.arguments < ARGUMENTS && in->at + 1 < in->n && in->text[in->at] == '#' &&
           in->text[in->at + 1] == (char) ('1' + macro.arguments)) {
        macro.arguments++;
        in->at += 2;
    }
    body = tex_token_raw(in, '{', '}', &n);
    if (!body)
        return not_whole(expansion);
    macro.name = strndup(name.name, name.n);
    macro.body = strndup(body, n);
    return add_macro(expansion, &macro, false);
}

/* \DeclareMathOperator{\name}{text} */
static int read_operator(struct expansion *expansion, struct tex_text *in)
{
    AUTO_BUF struct buf body = BUF_EMPTY;
    struct tex_macro macro = { 0 };
    bool star = in->at < in->n && in->text[in->at] == '*';
    const char *name, *text;
    size_t n_name, n = 0;

    skip_star(in);
    if (!read_macro_name(in, &name, &n_name) || !(text = tex_token_raw(in, '{', '}', &n)))
        return not_whole(expansion);
    buf_puts(&body, star ? "\\operatorname*{" : "\\operatorname{");
    buf_put(&body, text, n);
    buf_putc(&body, '}');
    macro.name = strndup(name, n_name);
    macro.body = strdup(buf_text(&body));
    return add_macro(expansion, &macro, false);
}

/* Reads a definition after its command. 0: it is not one; 1: it was read. */
static int read_definition(struct expansion *expansion, struct tex_token token, struct tex_text *in)
{
    int done;

    if (is_command(token, "newcommand") || is_command(token, "renewcommand"))
        done = read_new_command(expansion, in, false);
    else if (is_command(token, "providecommand"))
        done = read_new_command(expansion, in, true);
    else if (is_command(token, "def"))
        done = read_def(expansion, in);
    else if (is_command(token, "DeclareMathOperator"))
        done = read_operator(expansion, in);
    else
        return 0;
    return done < 0 ? -1 : 1;
}

/* Puts the arguments into the body. */
static int fill_body(struct expansion *expansion, const struct tex_macro *macro,
                     struct tex_text *in, struct buf *filled)
{
    struct expansion writing = { .out = filled };
    const char *texts[ARGUMENTS] = { 0 }, *body = macro->body;
    size_t lengths[ARGUMENTS] = { 0 };

    for (size_t i = 0; i < macro->arguments; i++) {
        if (i == 0 && macro->preset) {
            texts[0] = tex_token_raw(in, '[', ']', &lengths[0]);
            if (!texts[0]) {
                texts[0] = macro->preset;
                lengths[0] = strlen(macro->preset);
            }
        } else if (!(texts[i] = read_argument(in, &lengths[i]))) {
            return err_set(expansion->err, ERR_UNSUPPORTED_CONTENT,
                           "an argument of \\%.40s is missing", macro->name);
        }
    }
    for (size_t i = 0; body[i]; i++) {
        size_t which =
            body[i] == '#' && body[i + 1] >= '1' ? (size_t) (body[i + 1] - '1') : ARGUMENTS;

        if (which < macro->arguments) {
            writing.joint = true;
            put_joined(&writing, texts[which], lengths[which]);
            writing.joint = true;
            i++;
        } else {
            put_joined(&writing, body + i, 1);
        }
    }
    return 0;
}

/* Whether what comes next is the argument of what was written, and must stay together. Of a bracket
 * it must not. */
static bool is_argument(const struct buf *out)
{
    static const char *const brackets[] = {
        "left", "right", "middle", "big", "Big", "bigg", "Bigg"
    };
    size_t at = out->len, n = trailing_name(out);
    const char *name = out->data + out->len - n;
    const char *word;
    bool limit;

    for (size_t i = 0; n > 0 && i < COUNT(brackets); i++)
        if (strncmp(name, brackets[i], strlen(brackets[i])) == 0)
            return false;
    if (n > 0)
        return !tex_symbol_find(name, n) && !tex_symbol_function(name, n, &word, &limit);
    while (at > 0 && out->data[at - 1] == ' ')
        at--;
    return at > 0 && (out->data[at - 1] == '^' || out->data[at - 1] == '_') &&
           !(at > 1 && out->data[at - 2] == '\\');
}

static int expand(struct expansion *expansion, const char *text, size_t n, int depth);

static int call(struct expansion *expansion, const struct tex_macro *macro, struct tex_text *in,
                int depth)
{
    AUTO_BUF struct buf filled = BUF_EMPTY;
    bool argument = is_argument(expansion->out);

    if (depth > DEPTH)
        return err_set(expansion->err, ERR_UNSUPPORTED_CONTENT,
                       "the command \\%.40s is defined by itself, or by too many others",
                       macro->name);
    if (fill_body(expansion, macro, in, &filled) < 0)
        return -1;
    if (++expansion->calls > CALLS || expansion->out->len + filled.len > LONGEST)
        return err_set(expansion->err, ERR_UNSUPPORTED_CONTENT,
                       "the commands that are defined become too much");
    if (argument)
        buf_putc(expansion->out, '{');
    expansion->joint = true;
    if (expand(expansion, buf_text(&filled), filled.len, depth) < 0)
        return -1;
    if (argument)
        buf_putc(expansion->out, '}');
    expansion->joint = true;
    return 0;
}

/* A comment, up to the end of its line. */
static size_t comment(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);

    return end ? (size_t) (end - text) + 1 : n;
}

static int expand(struct expansion *expansion, const char *text, size_t n, int depth)
{
    struct tex_text in = { text, n, 0 };

    while (in.at < n) {
        size_t from = in.at;
        struct tex_token token = { .kind = TEX_TOKEN_END };
        const struct tex_macro *macro = NULL;
        int defined = 0;

        if (text[in.at] == '%')
            in.at += comment(text + in.at, n - in.at);
        else if (text[in.at] == '\\')
            token = tex_token_next(&in);
        else
            in.at++;
        if (token.kind == TEX_TOKEN_COMMAND) {
            defined = read_definition(expansion, token, &in);
            macro = defined == 0 ? find_macro(expansion->macros, token.name, token.n) : NULL;
        }
        if (defined < 0 || (macro && call(expansion, macro, &in, depth + 1) < 0))
            return -1;
        if (defined == 0 && !macro)
            put_joined(expansion, text + from, in.at - from);
    }
    return 0;
}

int tex_macros_expand(struct tex_macros *macros, const char *text, size_t n, struct buf *out,
                      bool *defines, struct err *err)
{
    struct expansion expansion = { .macros = macros, .out = out, .err = err };
    int done = expand(&expansion, text, n, 0);

    *defines = expansion.defines;
    if (done == 0 && out->failed)
        return err_set(err, ERR_INTERNAL, "there is not enough memory");
    return done;
}
