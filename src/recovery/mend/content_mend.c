#include "recovery/mend/content_mend.h"

#include <stdint.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/mend/path_check.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/syntax.h"

#define OPERANDS_MAX 64
#define NUMBER_LIMIT 9 /* digits before the point: more is damage */

/* Operators and their operands (annex A): n number, / name, s string, a array, d dictionary or
 * name, * any number of numbers that may end with a name. */
static const struct {
    const char *name, *operands;
} operators[] = {
    { "b", "" },     { "B", "" },     { "b*", "" },    { "B*", "" },       { "BDC", "/d" },
    { "BMC", "/" },  { "BT", "" },    { "BX", "" },    { "c", "nnnnnn" },  { "cm", "nnnnnn" },
    { "CS", "/" },   { "cs", "/" },   { "d", "an" },   { "d0", "nn" },     { "d1", "nnnnnn" },
    { "Do", "/" },   { "DP", "/d" },  { "EMC", "" },   { "ET", "" },       { "EX", "" },
    { "f", "" },     { "F", "" },     { "f*", "" },    { "G", "n" },       { "g", "n" },
    { "gs", "/" },   { "h", "" },     { "i", "n" },    { "j", "n" },       { "J", "n" },
    { "K", "nnnn" }, { "k", "nnnn" }, { "l", "nn" },   { "m", "nn" },      { "M", "n" },
    { "MP", "/" },   { "n", "" },     { "q", "" },     { "Q", "" },        { "re", "nnnn" },
    { "RG", "nnn" }, { "rg", "nnn" }, { "ri", "/" },   { "s", "" },        { "S", "" },
    { "SC", "*" },   { "sc", "*" },   { "SCN", "*" },  { "scn", "*" },     { "sh", "/" },
    { "T*", "" },    { "Tc", "n" },   { "Td", "nn" },  { "TD", "nn" },     { "Tf", "/n" },
    { "Tj", "s" },   { "TJ", "a" },   { "TL", "n" },   { "Tm", "nnnnnn" }, { "Tr", "n" },
    { "Ts", "n" },   { "Tw", "n" },   { "Tz", "n" },   { "v", "nnnn" },    { "w", "n" },
    { "W", "" },     { "W*", "" },    { "y", "nnnn" }, { "'", "s" },       { "\"", "nns" },
};

struct cleaner {
    /* not syntax/pdf/lex.h: this reader searches the ends of strings that were lost */
    struct syntax s;
    struct buf *out;
    struct buf operands;        /* clean text */
    size_t begin[OPERANDS_MAX]; /* of each in it */
    char kind[OPERANDS_MAX];
    int n;
    unsigned saved;  /* q without Q */
    bool text;       /* between BT and ET */
    int marked;      /* BMC without EMC */
    uint64_t fonts;  /* by how many q are open: whether there is a font */
    struct buf font; /* the last that was set, with its size */
    bool alone;
    struct path_check path;
    size_t dropped; /* words and operands left out */
};

static char kind_of(const char *text, size_t n)
{
    switch (text[0]) {
    case '/':
        return '/';
    case '(':
        return 's';
    case '[':
        return 'a';
    case '<':
        return n > 1 && text[1] == '<' ? 'd' : 's';
    case 't':
    case 'f':
    case 'n':
        return '?';
    default:
        return memchr(text, 'R', n) ? '?' : 'n';
    }
}

static bool sane_number(const char *text, size_t n)
{
    size_t digits = 0;

    for (size_t i = 0; i < n && text[i] != '.'; i++)
        digits += text[i] >= '0' && text[i] <= '9';
    return digits <= NUMBER_LIMIT;
}

static void drop_operands(struct cleaner *c)
{
    c->dropped += (size_t) c->n;
    c->n = 0;
    c->operands.len = 0;
}

static void read_operand(struct cleaner *c)
{
    size_t from = c->operands.len;
    const char *text;
    size_t n;

    if (c->n == OPERANDS_MAX)
        drop_operands(c), from = 0;
    if (!syntax_read(&c->s, &c->operands) || !c->operands.data) {
        c->s.at++; /* delimiters that end objects elsewhere are not operands */
        return;
    }
    text = c->operands.data + from;
    n = c->operands.len - from;
    c->begin[c->n] = from;
    c->kind[c->n] = kind_of(text, n);
    if (c->kind[c->n] == 'n' && !sane_number(text, n))
        c->kind[c->n] = '?';
    c->n++;
    buf_putc(&c->operands, ' ');
}

static bool matches(const struct cleaner *c, int from, const char *wanted)
{
    for (int i = 0; wanted[i]; i++) {
        char kind = c->kind[from + i];

        if (wanted[i] != kind && !(wanted[i] == 'd' && kind == '/'))
            return false;
    }
    return true;
}

/* The start of the operator's operands: the last ones, whatever precedes them; -1: they are
 * missing. */
static int fitting(const struct cleaner *c, const char *wanted)
{
    int n = (int) strlen(wanted), from;

    if (strcmp(wanted, "*") != 0)
        return n <= c->n && matches(c, c->n - n, wanted) ? c->n - n : -1;
    from = c->n;
    if (from > 0 && c->kind[from - 1] == '/')
        from--;
    while (from > 0 && c->kind[from - 1] == 'n')
        from--;
    return from < c->n ? from : -1;
}

static uint64_t level(const struct cleaner *c)
{
    return (uint64_t) 1 << (c->saved < 63 ? c->saved : 63);
}

/* q: what follows begins with the font there is. */
static void save_state(struct cleaner *c)
{
    bool font = c->fonts & level(c);

    c->saved++;
    c->fonts = font ? c->fonts | level(c) : c->fonts & ~level(c);
}

static bool is_any(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Text is shown in some font: where Q took it away too early, in the last there was. */
static void check_font(struct cleaner *c, const char *name, int from)
{
    static const char *const shows[] = { "Tj", "TJ", "'", "\"", NULL };

    if (strcmp(name, "Tf") == 0) {
        c->font.len = 0;
        buf_put(&c->font, c->operands.data + c->begin[from], c->operands.len - c->begin[from]);
    }
    if (strcmp(name, "Tf") == 0 || strcmp(name, "gs") == 0)
        c->fonts |= level(c);
    if (is_any(name, shows) && !(c->fonts & level(c)) && c->font.len) {
        buf_put(c->out, c->font.data, c->font.len);
        buf_puts(c->out, "Tf\n");
        c->fonts |= level(c);
    }
}

/* Keeps what has to be in pairs in pairs. */
static bool in_place(struct cleaner *c, const char *name)
{
    if (strcmp(name, "q") == 0)
        save_state(c);
    else if (strcmp(name, "Q") == 0)
        return c->saved > 0 && c->saved-- > 0;
    else if (strcmp(name, "BT") == 0)
        return c->text ? false : (c->text = true);
    else if (strcmp(name, "ET") == 0)
        return c->text ? !(c->text = false) : false;
    else if (strcmp(name, "BMC") == 0 || strcmp(name, "BDC") == 0)
        c->marked++;
    else if (strcmp(name, "EMC") == 0)
        return c->marked > 0 && c->marked-- > 0;
    else if (name[0] == 'T' || name[0] == '\'' || name[0] == '"') {
        if (!c->text && strchr("djmJD*\'\"", name[1] ? name[1] : name[0])) {
            buf_puts(c->out, "BT\n"); /* its own was lost */
            c->text = true;
        }
    }
    return true;
}

/* Whether an operator of a path, with its operands from the given one on, has its place. */
static bool draws(struct cleaner *c, const char *name, int from)
{
    size_t begin = from < c->n ? c->begin[from] : c->operands.len;

    c->path.damaged = c->dropped > 0 || c->s.mended;
    return path_check(&c->path, name, c->operands.len > begin ? c->operands.data + begin : "",
                      c->operands.len - begin);
}

static void read_operator(struct cleaner *c, const char *word, size_t n)
{
    for (size_t i = 0; i < COUNT(operators); i++) {
        int from;

        if (strlen(operators[i].name) != n || memcmp(operators[i].name, word, n) != 0)
            continue;
        from = fitting(c, operators[i].operands);
        if (from < 0)
            break;
        if (c->alone && !in_place(c, operators[i].name)) {
            c->n = 0;
            return;
        }
        if (!draws(c, operators[i].name, from))
            break;
        if (c->alone)
            check_font(c, operators[i].name, from);
        if (from < c->n)
            buf_put(c->out, c->operands.data + c->begin[from], c->operands.len - c->begin[from]);
        buf_put(c->out, word, n);
        buf_putc(c->out, '\n');
        c->n = from;
        return;
    }
    c->dropped++;
}

/* An inline image as it is, if its end is where one can be. */
static void read_image(struct cleaner *c, size_t from)
{
    const unsigned char *end = c->s.data + c->s.at, *last = c->s.data + c->s.n;

    while ((end = memmem(end, (size_t) (last - end), "EI", 2))) {
        if (lex_is_space(end[-1]) && (end + 2 == last || lex_is_space(end[2]))) {
            buf_put(c->out, c->s.data + from, (size_t) (end + 2 - c->s.data) - from);
            buf_putc(c->out, '\n');
            c->s.at = (size_t) (end + 2 - c->s.data);
            return;
        }
        end += 2;
    }
}

static void read_word(struct cleaner *c)
{
    size_t from = c->s.at;
    const char *word = (const char *) c->s.data + from;

    while (c->s.at < c->s.n && lex_is_regular(c->s.data[c->s.at]))
        c->s.at++;
    if (c->s.at == from)
        c->s.at++;
    else if (c->s.at - from == 2 && memcmp(word, "BI", 2) == 0)
        read_image(c, from);
    else
        read_operator(c, word, c->s.at - from);
    drop_operands(c);
}

static bool begins_operand(const struct syntax *s)
{
    unsigned char c = s->data[s->at];

    return c == '/' || c == '(' || c == '[' || c == '<' || (c >= '0' && c <= '9') || c == '-' ||
           c == '+' || c == '.';
}

static bool clean(const char *data, size_t n, bool alone, struct buf *out, size_t *dropped)
{
    struct cleaner c = { .s = { (const unsigned char *) data, n, 0, false },
                         .out = out,
                         .alone = alone,
                         /* A path may have begun in the part before. */
                         .path = { .has_point = !alone } };
    bool done;

    for (;;) {
        syntax_skip_space(&c.s);
        if (c.s.at >= c.s.n)
            break;
        if (begins_operand(&c.s))
            read_operand(&c);
        else
            read_word(&c);
    }
    if (c.text)
        buf_puts(out, "ET\n");
    for (; c.marked > 0; c.marked--)
        buf_puts(out, "EMC\n");
    for (; c.saved > 0; c.saved--)
        buf_puts(out, "Q\n");
    done = !out->failed && !c.operands.failed && !c.font.failed;
    *dropped = c.dropped + c.s.mended;
    buf_free(&c.operands);
    buf_free(&c.font);
    return done;
}

bool content_mend(const char *data, size_t n, bool alone, struct buf *out)
{
    size_t dropped;

    return clean(data, n, alone, out, &dropped);
}

bool content_sound(const char *data, size_t n)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t dropped;

    return clean(data, n, false, &out, &dropped) && dropped == 0;
}
