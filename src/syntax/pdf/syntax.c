#include "syntax/pdf/syntax.h"

#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "syntax/pdf/lex.h"

#define STRING_MAX  (1U << 20) /* a longer one lost its end */
#define STRING_FEW  4096U      /* so does one of these, where many did */
#define LOST_MANY   (1U << 18) /* bytes looked at for the end of strings that have none */
#define COMMENT_MAX 1024U      /* a longer one lost the end of its line */
#define NUMBER_MAX  40         /* characters of a number that is one */
#define INTEGER_MAX 18         /* of an integer of 64 bits */

enum read {
    READ_OBJECT,
    READ_ARRAY_END,
    READ_DICT_END,
    READ_STOP, /* this token ends every object around it */
    READ_JUNK, /* skipped */
};

static enum read copy_object(struct syntax *s, struct buf *out, int depth);

void syntax_skip_space(struct syntax *s)
{
    while (s->at < s->n) {
        int c = s->data[s->at];
        size_t from = s->at;

        if (c == '%') {
            while (s->at < s->n && s->data[s->at] != '\n' && s->data[s->at] != '\r' &&
                   s->at - from < COMMENT_MAX)
                s->at++;
            if (s->at - from == COMMENT_MAX)
                return;
        } else if (lex_is_space(c)) {
            s->at++;
        } else {
            return;
        }
    }
}

static bool looking_at(const struct syntax *s, const char *word)
{
    size_t n = strlen(word);

    return s->n - s->at >= n && memcmp(s->data + s->at, word, n) == 0;
}

bool syntax_skip_word(struct syntax *s, const char *word)
{
    if (!looking_at(s, word))
        return false;
    s->at += strlen(word);
    return true;
}

bool syntax_unsigned(struct syntax *s, uint64_t *value)
{
    size_t from = s->at;

    *value = 0;
    while (s->at < s->n && s->at - from < 10 && s->data[s->at] >= '0' && s->data[s->at] <= '9')
        *value = *value * 10 + (uint64_t) (s->data[s->at++] - '0');
    return s->at > from;
}

static void put_bytes(struct buf *out, const void *data, size_t n)
{
    if (out)
        buf_put(out, data, n);
}

static void puts_(struct buf *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

/* Reads "G R" after a number: a reference. "G obj" begins another object: the end of this one
 * was lost. */
static enum read behind_number(const struct syntax *s, size_t *end)
{
    struct syntax look = *s;
    uint64_t generation;

    if (look.at >= look.n || !lex_is_space(look.data[look.at]))
        return READ_JUNK;
    syntax_skip_space(&look);
    if (!syntax_unsigned(&look, &generation))
        return READ_JUNK;
    if (look.at >= look.n || !lex_is_space(look.data[look.at]))
        return READ_JUNK;
    syntax_skip_space(&look);
    if (syntax_skip_word(&look, "R") &&
        (look.at == look.n || !lex_is_regular(look.data[look.at]))) {
        *end = look.at;
        return READ_OBJECT;
    }
    return looking_at(&look, "obj") ? READ_STOP : READ_JUNK;
}

static enum read copy_number(struct syntax *s, struct buf *out)
{
    char text[NUMBER_MAX + 4];
    size_t from = s->at, n = 0, end;
    bool dot = false, digits = false, odd = false, again = false;

    while (s->at < s->n && lex_is_regular(s->data[s->at])) {
        char c = (char) s->data[s->at++];

        if (c >= '0' && c <= '9')
            digits = true;
        else if (c == '.' && !dot)
            dot = true;
        else if (c == '-' && n == 1 && text[0] == '-')
            again = true; /* "--5", which some programs write */
        else if (!((c == '-' || c == '+') && n == 0))
            odd = true;
        if (!odd && n < NUMBER_MAX && c != '+' && !(c == '-' && n == 1))
            text[n++] = c;
    }
    if (digits && !odd && !dot && text[0] != '-') {
        enum read what = behind_number(s, &end);

        if (what == READ_STOP) {
            s->at = from;
            return READ_STOP;
        }
        if (what == READ_OBJECT) {
            put_bytes(out, text, n);
            puts_(out, " 0 R");
            s->at = end;
            return READ_OBJECT;
        }
    }
    if (odd || again || !digits || s->at - from > NUMBER_MAX)
        s->mended = true;
    put_bytes(out, digits ? text : "0", digits ? n : 1);
    if (digits && !dot && n > INTEGER_MAX)
        puts_(out, "."); /* as an integer it would be no number to some readers */
    return READ_OBJECT;
}

/* Whether a number sign begins the code of a character (ISO 32000-1, 7.3.5). Else it is damage, of
 * which some readers complain, and not to be written as a code either: qpdf takes that back. */
static bool is_code(const struct syntax *s)
{
    const unsigned char *digits = s->data + s->at + 1;

    return s->n - s->at > 2 && num_hex_digit((char) digits[0]) >= 0 &&
           num_hex_digit((char) digits[1]) >= 0 && (digits[0] != '0' || digits[1] != '0');
}

static void copy_name(struct syntax *s, struct buf *out)
{
    put_bytes(out, "/", 1);
    s->at++;
    for (; s->at < s->n && lex_is_regular(s->data[s->at]); s->at++) {
        unsigned char c = s->data[s->at];

        if (c == '#' && !is_code(s)) {
            s->mended = true;
            puts_(out, "_");
        } else if (c > 32 && c < 127) {
            put_bytes(out, &c, 1);
        } else if (out) {
            buf_printf(out, "#%02X", c);
        }
    }
}

/* The end of a literal string, given the position after its parenthesis; 0 if it has none. */
static size_t string_end(const struct syntax *s)
{
    size_t max = s->lost < LOST_MANY ? STRING_MAX : STRING_FEW;
    int open = 0;

    for (size_t i = s->at; i < s->n && i - s->at < max; i++) {
        switch (s->data[i]) {
        case '\\':
            i++;
            break;
        case '(':
            open++;
            break;
        case ')':
            if (--open == 0)
                return i + 1;
            break;
        case 'e': /* a string that holds this word has lost its end */
            if (s->n - i >= 6 && memcmp(s->data + i, "endobj", 6) == 0)
                return 0;
            break;
        default:
            break;
        }
    }
    return 0;
}

static void read_string(struct syntax *s, struct buf *out)
{
    size_t end = string_end(s);

    if (end) {
        put_bytes(out, s->data + s->at, end - s->at);
        s->at = end;
        return;
    }
    /* Up to the end of the line or the object, as a string without inner parentheses. */
    s->mended = true;
    s->lost += s->n - s->at < STRING_MAX ? s->n - s->at : STRING_MAX;
    puts_(out, "(");
    for (s->at++; s->at < s->n; s->at++) {
        unsigned char c = s->data[s->at];

        if (c == '\n' || c == '\r' || c == '>' || c == '/' || looking_at(s, "endobj"))
            break;
        put_bytes(out, c != '(' && c != ')' && c != '\\' ? (const void *) &c : " ", 1);
    }
    puts_(out, ")");
}

static void read_hex_string(struct syntax *s, struct buf *out)
{
    puts_(out, "<");
    for (s->at++; s->at < s->n; s->at++) {
        unsigned char c = s->data[s->at];

        if (c == '>') {
            s->at++;
            break;
        }
        if (num_hex_digit((char) c) >= 0) {
            put_bytes(out, &c, 1);
        } else if (!lex_is_space(c)) {
            s->mended = true;
            if (!lex_is_regular(c))
                break;
        }
    }
    puts_(out, ">");
}

static void read_array(struct syntax *s, struct buf *out, int depth)
{
    s->at++;
    puts_(out, "[");
    for (;;) {
        enum read what = copy_object(s, out, depth + 1);

        if (what == READ_OBJECT)
            puts_(out, " ");
        else if (what == READ_ARRAY_END)
            break;
        else
            s->mended = true;
        if (what == READ_DICT_END) /* of the dictionary around: it is read again there */
            s->at -= 2;
        if (what == READ_DICT_END || what == READ_STOP)
            break;
    }
    puts_(out, "]");
}

/* The value of a key. False: the dictionary ends with it. */
static bool copy_value(struct syntax *s, struct buf *out, int depth)
{
    enum read what;

    do {
        what = copy_object(s, out, depth + 1);
        if (what != READ_OBJECT)
            s->mended = true;
    } while (what == READ_JUNK || what == READ_ARRAY_END);
    puts_(out, what == READ_OBJECT ? " " : "null ");
    return what == READ_OBJECT;
}

static void read_dict(struct syntax *s, struct buf *out, int depth)
{
    s->at += 2;
    puts_(out, "<<");
    for (;;) {
        enum read what;

        syntax_skip_space(s);
        if (s->at < s->n && s->data[s->at] == '/') {
            copy_name(s, out);
            puts_(out, " ");
            if (!copy_value(s, out, depth))
                break;
            continue;
        }
        what = copy_object(s, NULL, depth + 1);
        if (what == READ_DICT_END)
            break;
        s->mended = true; /* a value without a key, or the end of it all */
        if (what == READ_STOP)
            break;
    }
    puts_(out, ">>");
}

static enum read read_word(struct syntax *s, struct buf *out)
{
    static const char *const stops[] = { "endobj", "endstream", "stream",
                                         "xref",   "startxref", "trailer" };
    struct lex lex = { s->data + s->at, s->data + s->n };
    struct lex_token word;

    for (size_t i = 0; i < COUNT(stops); i++)
        if (looking_at(s, stops[i]))
            return READ_STOP;
    lex_next(&lex, &word);
    s->at += word.n;
    if (!lex_is_constant(&word))
        return READ_JUNK;
    put_bytes(out, word.at, word.n);
    return READ_OBJECT;
}

static enum read copy_object(struct syntax *s, struct buf *out, int depth)
{
    int c;

    syntax_skip_space(s);
    s->deep = s->deep || depth > SYNTAX_DEPTH;
    if (s->at >= s->n || s->deep)
        return READ_STOP;
    c = s->data[s->at];
    if (c == '<' && looking_at(s, "<<"))
        read_dict(s, out, depth);
    else if (c == '<')
        read_hex_string(s, out);
    else if (c == '[')
        read_array(s, out, depth);
    else if (c == '(')
        read_string(s, out);
    else if (c == '/')
        copy_name(s, out);
    else if ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.')
        return copy_number(s, out);
    else if (c == ']') {
        s->at++;
        return READ_ARRAY_END;
    } else if (looking_at(s, ">>")) {
        s->at += 2;
        return READ_DICT_END;
    } else if (lex_is_regular(c)) {
        return read_word(s, out);
    } else {
        s->at++; /* a bracket of no object */
        return READ_JUNK;
    }
    return READ_OBJECT;
}

bool syntax_read(struct syntax *s, struct buf *out)
{
    s->deep = false;
    return copy_object(s, out, 0) == READ_OBJECT;
}
